//! Colour palettes, with dithering.

use super::pixels::srgb_to_linear;
use glam::Vec3;
use std::collections::HashMap;

const CELLS: usize = 1 << 18;

#[derive(Debug)]
pub(super) struct Histogram {
    cells: Vec<[u64; 4]>,
}

impl Histogram {
    pub fn new() -> Self {
        Self {
            cells: vec![[0; 4]; CELLS],
        }
    }

    /// Counts the pixels that are not transparent.
    pub fn add(&mut self, rgba: &[u8]) {
        for pixel in rgba.chunks_exact(4).filter(|p| p[3] > 0) {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(usize::from);
            let cell = &mut self.cells[(r >> 2) << 12 | (g >> 2) << 6 | b >> 2];
            *cell = [
                cell[0] + r as u64,
                cell[1] + g as u64,
                cell[2] + b as u64,
                cell[3] + 1,
            ];
        }
    }
}

#[derive(Clone, Copy)]
struct Met {
    at: Vec3,
    weight: f32,
}

#[derive(Debug)]
pub(super) struct Palette {
    pub colors: Vec<[u8; 3]>,
    positions: Vec<Vec3>,
    /// For each colour, two palette indices to mix, and the share of the second in 1/64.
    mixed: HashMap<[u8; 3], [u8; 3]>,
}

impl Palette {
    /// Builds a palette by median cut (Heckbert 1982), then by a few steps of k-means. It cuts the
    /// box with the max error along its widest axis in Oklab (Ottosson 2020).
    pub fn new(histogram: &Histogram, max_colors: usize) -> Self {
        let met: Vec<Met> = histogram
            .cells
            .iter()
            .filter(|cell| cell[3] > 0)
            .map(|cell| Met {
                at: oklab([0, 1, 2].map(|c| cell[c] as f32 / cell[3] as f32)),
                // With the square root, a small figure counts enough against a large background.
                weight: (cell[3] as f32).sqrt(),
            })
            .collect();
        let mut boxes = vec![met.clone()];
        boxes.retain(|b| !b.is_empty());
        while !boxes.is_empty() && boxes.len() < max_colors {
            let errors = boxes.iter().map(|b| error_of(b)).enumerate();
            let worst = errors.max_by(|a, b| a.1.total_cmp(&b.1));
            match worst {
                Some((worst, error)) if error > 0.0 => {
                    let (low, high) = halves(boxes.swap_remove(worst));
                    boxes.extend([low, high]);
                }
                _ => break,
            }
        }
        let mut positions: Vec<Vec3> = boxes.iter().map(|b| mean(b)).collect();
        for _ in 0..4 {
            settle(&mut positions, &met);
        }
        let colors: Vec<[u8; 3]> = positions.iter().map(|&p| from_oklab(p)).collect();
        let positions = colors.iter().map(|c| oklab(c.map(f32::from))).collect();
        Self {
            colors,
            positions,
            mixed: HashMap::new(),
        }
    }

    /// Palette index of a pixel. Dithers between two colours whose mean is `color`. The index
    /// depends only on colour and position, so still areas do not flicker.
    pub fn pick(&mut self, color: [u8; 3], x: u32, y: u32) -> u8 {
        let Self {
            positions, mixed, ..
        } = self;
        let [one, other, part] = *mixed.entry(color).or_insert_with(|| mix(positions, color));
        if part > threshold(x, y) { other } else { one }
    }
}

/// Ordered dither pattern of 64 steps on 8 × 8 pixels (Bayer 1973).
pub(super) fn threshold(x: u32, y: u32) -> u8 {
    let mut step = 0;
    for bit in 0..3 {
        let (x, y) = (x >> bit & 1, y >> bit & 1);
        step = step << 2 | (x ^ y) << 1 | y;
    }
    step as u8
}

const MAX_DISTANCE: f32 = 0.15;

fn mix(positions: &[Vec3], color: [u8; 3]) -> [u8; 3] {
    let expected = oklab(color.map(f32::from));
    let one = {
        let all = positions.iter().map(|p| (*p - expected).length_squared());
        all.enumerate()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(0, |n| n.0)
    };
    let Some(&first) = positions.get(one) else {
        return [0; 3];
    };
    // The second colour gives the nearest mean, but must be similar enough that no grain shows.
    let (mut other, mut part, mut smallest) = (one, 0.0, (expected - first).length_squared());
    for (candidate, &position) in positions.iter().enumerate() {
        let between = position - first;
        let apart = between.length_squared();
        if candidate == one || apart > MAX_DISTANCE * MAX_DISTANCE {
            continue;
        }
        let share = ((expected - first).dot(between) / apart.max(1e-12)).clamp(0.0, 0.5);
        let missed = (first + between * share - expected).length_squared();
        let grain = 0.05 * share * (1.0 - share) * apart;
        if missed + grain < smallest {
            (other, part, smallest) = (candidate, share, missed + grain);
        }
    }
    let steps = (part * 64.0).round() as u8;
    [one as u8, other as u8, steps]
}

fn mean(colors: &[Met]) -> Vec3 {
    let weight: f32 = colors.iter().map(|c| c.weight).sum();
    colors.iter().map(|c| c.at * c.weight).sum::<Vec3>() / weight.max(1e-9)
}

fn variances(colors: &[Met]) -> Vec3 {
    let middle = mean(colors);
    let square = |c: &Met| (c.at - middle) * (c.at - middle) * c.weight;
    colors.iter().map(square).sum()
}

fn error_of(colors: &[Met]) -> f32 {
    match colors {
        [] | [_] => 0.0,
        _ => variances(colors).element_sum(),
    }
}

fn halves(mut colors: Vec<Met>) -> (Vec<Met>, Vec<Met>) {
    let axis = variances(&colors).max_position();
    let middle = mean(&colors)[axis];
    colors.sort_by(|a, b| a.at[axis].total_cmp(&b.at[axis]));
    let at = colors.partition_point(|c| c.at[axis] < middle);
    let high = colors.split_off(at.clamp(1, colors.len() - 1));
    (colors, high)
}

fn settle(positions: &mut [Vec3], met: &[Met]) {
    let mut sums = vec![(Vec3::ZERO, 0.0); positions.len()];
    for color in met {
        let away = positions.iter().map(|p| (*p - color.at).length_squared());
        if let Some((nearest, _)) = away.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)) {
            sums[nearest].0 += color.at * color.weight;
            sums[nearest].1 += color.weight;
        }
    }
    for (position, (sum, weight)) in positions.iter_mut().zip(sums) {
        if weight > 0.0 {
            *position = sum / weight;
        }
    }
}

/// Oklab of sRGB in [0, 255].
fn oklab(srgb: [f32; 3]) -> Vec3 {
    let [r, g, b] = srgb.map(|c| srgb_to_linear(c / 255.0));
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    Vec3::new(
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    )
}

fn from_oklab(lab: Vec3) -> [u8; 3] {
    let l = (lab.x + 0.396_337_78 * lab.y + 0.215_803_76 * lab.z).powi(3);
    let m = (lab.x - 0.105_561_346 * lab.y - 0.063_854_17 * lab.z).powi(3);
    let s = (lab.x - 0.089_484_18 * lab.y - 1.291_485_5 * lab.z).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(|c| (super::pixels::linear_to_srgb(c.clamp(0.0, 1.0)) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_from_oklab() {
        for color in [
            [0, 0, 0],
            [255, 255, 255],
            [255, 0, 0],
            [12, 200, 90],
            [3, 4, 250],
        ] {
            assert_eq!(from_oklab(oklab(color.map(|c: u8| f32::from(c)))), color);
        }
        // Numbers that Ottosson gives for the red of sRGB.
        let red = oklab([255.0, 0.0, 0.0]);
        assert!(
            (red - Vec3::new(0.627_955, 0.224_863, 0.125_846)).length() < 1e-4,
            "{red}"
        );
    }

    #[test]
    fn few_colours_are_kept_as_they_are_and_many_are_met_in_the_mean() {
        let few = [[10, 20, 30, 255], [200, 100, 50, 255], [0, 255, 0, 255]].concat();
        let mut histogram = Histogram::new();
        histogram.add(&few);
        let mut palette = Palette::new(&histogram, 255);
        for pixel in few.chunks_exact(4) {
            let color = [pixel[0], pixel[1], pixel[2]];
            let picked = palette.pick(color, 3, 5);
            assert_eq!(palette.colors[usize::from(picked)], color);
        }
        let mut histogram = Histogram::new();
        let ramp: Vec<u8> = (0..=255).flat_map(|g| [g, g, g, 255]).collect();
        histogram.add(&ramp);
        let mut palette = Palette::new(&histogram, 16);
        for grey in 24..232_u8 {
            let pixels = (0..64).map(|k| (k % 8, k / 8));
            let sum: u32 = pixels
                .map(|(x, y)| {
                    let picked = palette.pick([grey; 3], x, y);
                    u32::from(palette.colors[usize::from(picked)][1])
                })
                .sum();
            let apart = (sum as f32 / 64.0 - f32::from(grey)).abs();
            assert!(apart < 1.5, "{grey}: {}", sum as f32 / 64.0);
        }
    }

    #[test]
    fn the_pattern_has_each_step_once() {
        let mut steps: Vec<u8> = (0..64).map(|k| threshold(k % 8, k / 8)).collect();
        steps.sort_unstable();
        assert!(steps.into_iter().eq(0..64));
    }
}
