//! Perceived difference of two pictures, from 0 for none to 1.
//!
//! P. Andersson, J. Nilsson, T. Akenine-Möller, M. Oskarsson, K. Åström, M. D. Fairchild, *FLIP: A
//! Difference Evaluator for Alternating Images*, 2020. Colours are compared after a filter for the
//! contrast sensitivity of the eye, edges and points before it.

use sinew_gpu::{Picture, srgb_to_linear};
use std::f32::consts::{PI, SQRT_2};

/// Pixels per degree of the field of view: a screen of 0.7 m and 3840 pixels, seen from 0.7 m.
pub const PIXELS_PER_DEGREE: f32 = 67.0;

/// Sums of Gaussians `a √(π/b) exp(−π² d² / b)`: luminance, red-green, blue-yellow (table 1).
const SENSITIVITY: [&[[f32; 2]]; 3] = [
    &[[1.0, 0.0047]],
    &[[1.0, 0.0053]],
    &[[34.1, 0.04], [13.5, 0.025]],
];
/// Max b, which gives the radius of the filters.
const WIDEST: f32 = 0.04;
/// Exponent of colour distances. Then the distance and the error at which the slope changes.
const QC: f32 = 0.7;
const PC: f32 = 0.4;
const PT: f32 = 0.95;
/// Width of a feature in degrees. Then the exponent of feature differences.
const FEATURE_WIDTH: f32 = 0.082;
const QF: f32 = 0.5;

/// White point of sRGB in CIE XYZ.
const WHITE: [f32; 3] = [0.950_428_545, 1.0, 1.088_900_37];

/// Image of errors in [0, 1], rows from the top.
#[derive(Clone, Debug)]
pub struct Errors {
    /// Pixels per row.
    pub width: usize,
    /// Error of each pixel in [0, 1].
    pub values: Vec<f32>,
}

impl Errors {
    /// Mean error, which is the result of FLIP.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.values.iter().copied().map(f64::from).sum();
        sum / self.values.len().max(1) as f64
    }

    /// Max error of a pixel.
    pub fn max(&self) -> f32 {
        self.values.iter().copied().fold(0.0, f32::max)
    }
}

/// Errors between two pictures, or `None` if their sizes differ. Ignores opacity.
pub fn flip(a: &Picture, b: &Picture) -> Option<Errors> {
    let size = [a.width() as usize, a.height() as usize];
    if size != [b.width() as usize, b.height() as usize] {
        return None;
    }
    let planes = [a, b].map(opponent_planes);
    let seen = [&planes[0], &planes[1]].map(|p| perceived(p, size));
    let features = [&planes[0], &planes[1]].map(|p| features(&p[0], size));
    let values = (0..size[0] * size[1]).map(|at| {
        let color = spread(hyab(seen[0][at], seen[1][at]));
        let [edges, points] = [0, 1].map(|k| (features[0][k][at] - features[1][k][at]).abs());
        let feature = (edges.max(points) / SQRT_2).powf(QF).min(1.0);
        color.powf(1.0 - feature)
    });
    Some(Errors {
        width: size[0],
        values: values.collect(),
    })
}

/// Luminance, red-green and blue-yellow of each pixel, linear in light (`YCxCz`).
fn opponent_planes(picture: &Picture) -> [Vec<f32>; 3] {
    let mut planes = [const { Vec::new() }; 3];
    for pixel in picture.rgba().chunks_exact(4) {
        let rgb = [0, 1, 2].map(|c| srgb_to_linear(f32::from(pixel[c]) / 255.0));
        let [x, y, z] = relative_xyz(rgb);
        let opponent = [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)];
        for (plane, value) in planes.iter_mut().zip(opponent) {
            plane.push(value);
        }
    }
    planes
}

fn relative_xyz([r, g, b]: [f32; 3]) -> [f32; 3] {
    [
        (0.412_396_56 * r + 0.357_583_1 * g + 0.180_459_15 * b) / WHITE[0],
        (0.212_672_85 * r + 0.715_166_2 * g + 0.072_160_95 * b) / WHITE[1],
        (0.019_333_82 * r + 0.119_194_39 * g + 0.950_372_16 * b) / WHITE[2],
    ]
}

fn linear_rgb(relative: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = [0, 1, 2].map(|c| relative[c] * WHITE[c]);
    [
        3.241_003_3 * x - 1.537_398_9 * y - 0.498_615_9 * z,
        -0.969_224_27 * x + 1.875_930 * y + 0.041_554_23 * z,
        0.055_639_42 * x - 0.204_011_2 * y + 1.057_149 * z,
    ]
}

/// Image as the eye sees it, in `L*a*b*` with the Hunt effect: dark colours look duller.
fn perceived(planes: &[Vec<f32>; 3], size: [usize; 2]) -> Vec<[f32; 3]> {
    let radius = (3.0 * (WIDEST / (2.0 * PI * PI)).sqrt() * PIXELS_PER_DEGREE).ceil() as i32;
    let blurred: [Vec<f32>; 3] = std::array::from_fn(|channel| {
        // A Gaussian over the plane is the product of one along rows and one along columns.
        let parts: Vec<(f32, Vec<f32>)> = SENSITIVITY[channel]
            .iter()
            .map(|&[a, b]| {
                let line: Vec<f32> = (-radius..=radius)
                    .map(|x| (-(PI * x as f32 / PIXELS_PER_DEGREE).powi(2) / b).exp())
                    .collect();
                let sum: f32 = line.iter().sum();
                (
                    a * (PI / b).sqrt() * sum * sum,
                    line.iter().map(|w| w / sum).collect(),
                )
            })
            .collect();
        let whole: f32 = parts.iter().map(|(share, _)| share).sum();
        let mut out = vec![0.0; planes[channel].len()];
        for (share, line) in &parts {
            let part = filtered(&planes[channel], size, line, line);
            out.iter_mut()
                .zip(part)
                .for_each(|(o, p)| *o += share / whole * p);
        }
        out
    });
    (0..size[0] * size[1])
        .map(|at| {
            let y = (blurred[0][at] + 16.0) / 116.0;
            let (x, z) = (y + blurred[1][at] / 500.0, y - blurred[2][at] / 200.0);
            hunt(linear_rgb([x, y, z]).map(|c| c.clamp(0.0, 1.0)))
        })
        .collect()
}

fn hunt(rgb: [f32; 3]) -> [f32; 3] {
    let delta = 6.0_f32 / 29.0;
    let [x, y, z] = relative_xyz(rgb).map(|t| match t > delta.powi(3) {
        true => t.cbrt(),
        false => t / (3.0 * delta * delta) + 4.0 / 29.0,
    });
    let lightness = 116.0 * y - 16.0;
    let dull = 0.01 * lightness;
    [lightness, 500.0 * (x - y) * dull, 200.0 * (y - z) * dull]
}

/// Distance for large differences: lightness plus colour.
fn hyab(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] - b[0]).abs() + (a[1] - b[1]).hypot(a[2] - b[2])
}

/// Error in [0, 1] of a distance. Small distances get most of the range.
fn spread(distance: f32) -> f32 {
    let most = hyab(hunt([0.0, 1.0, 0.0]), hunt([0.0, 0.0, 1.0])).powf(QC);
    let (error, bend) = (distance.powf(QC), PC * most);
    match error < bend {
        true => PT / bend * error,
        false => PT + (error - bend) / (most - bend) * (1.0 - PT),
    }
}

fn features(luminance: &[f32], size: [usize; 2]) -> [Vec<f32>; 2] {
    let grey: Vec<f32> = luminance.iter().map(|y| (y + 16.0) / 116.0).collect();
    let sigma = 0.5 * FEATURE_WIDTH * PIXELS_PER_DEGREE;
    let radius = (3.0 * sigma).ceil() as i32;
    let line = |weight: fn(f32) -> f32| -> Vec<f32> {
        let xs = (-radius..=radius).map(|x| x as f32 / sigma);
        normalised(xs.map(|x| weight(x) * (-x * x / 2.0).exp()).collect())
    };
    let across = line(|_| 1.0);
    [line(|x| -x), line(|x| x * x - 1.0)].map(|along| {
        let x = filtered(&grey, size, &along, &across);
        let y = filtered(&grey, size, &across, &along);
        x.into_iter().zip(y).map(|(x, y)| x.hypot(y)).collect()
    })
}

/// Scales positive weights to a sum of 1, and negative weights to a sum of −1.
fn normalised(weights: Vec<f32>) -> Vec<f32> {
    let above: f32 = weights.iter().filter(|w| **w > 0.0).sum();
    let below: f32 = weights.iter().filter(|w| **w < 0.0).map(|w| -w).sum();
    let scaled = |w: f32| {
        if w > 0.0 {
            w / above
        } else {
            w / below.max(f32::MIN_POSITIVE)
        }
    };
    weights.into_iter().map(scaled).collect()
}

/// Filters a plane along rows, then along columns. Clamps at the edges.
fn filtered(plane: &[f32], [width, height]: [usize; 2], rows: &[f32], columns: &[f32]) -> Vec<f32> {
    let pass =
        |from: &[f32], weights: &[f32], step: usize, many: usize, at: fn(usize, usize) -> usize| {
            let radius = (weights.len() / 2) as isize;
            let value = |index: usize| {
                let place = at(index, width);
                let first = index - place * step;
                let taps = weights.iter().zip(-radius..).map(|(w, shift)| {
                    let near = (place as isize + shift).clamp(0, many as isize - 1) as usize;
                    w * from[first + near * step]
                });
                taps.sum::<f32>()
            };
            (0..from.len()).map(value).collect::<Vec<f32>>()
        };
    let along = pass(plane, rows, 1, width, |index, width| index % width);
    pass(&along, columns, width, height, |index, width| index / width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(color: [u8; 3]) -> Picture {
        Picture::new(40, 30, [color[0], color[1], color[2], 255])
    }

    fn mean(a: &Picture, b: &Picture) -> f64 {
        flip(a, b).expect("one size").mean()
    }

    fn square(lightness: u8) -> Picture {
        let mut picture = plain([100; 3]);
        picture.paste(
            &Picture::new(10, 10, [lightness, lightness, lightness, 255]),
            12,
            8,
        );
        picture
    }

    #[test]
    fn the_same_picture_has_no_error() {
        let errors = flip(&square(180), &square(180)).expect("one size");
        assert_eq!(errors.max(), 0.0);
    }

    /// By the formulas of the paper, L* differs by 100, and green and blue differ most.
    #[test]
    fn black_and_white_have_the_error_of_the_paper() {
        let most = hyab(hunt([0.0, 1.0, 0.0]), hunt([0.0, 0.0, 1.0])).powf(0.7);
        let expected = 0.95 + 0.05 * (100.0_f32.powf(0.7) - 0.4 * most) / (0.6 * most);
        let found = mean(&plain([0; 3]), &plain([255; 3]));
        assert!(
            (found - f64::from(expected)).abs() < 1e-3,
            "{found} {expected}"
        );
        assert!(found > 0.96, "{found}");
        let found = mean(&plain([0, 255, 0]), &plain([0, 0, 255]));
        assert!((found - 1.0).abs() < 1e-3, "{found}");
    }

    /// Results of the program of the authors (flip-evaluator 1.7, 67 pixels per degree).
    #[test]
    fn the_authors_program_agrees() {
        let waves = |shift: u32| {
            let mut picture = plain([0; 3]);
            for y in 0..30 {
                for x in 0..40 {
                    let [r, g, b] = [6 * x, 8 * y, x * y + shift].map(|c| (c % 256) as u8);
                    picture.set_pixel(x, y, [r, g, b, 255]);
                }
            }
            picture
        };
        let pairs = [
            (square(180), square(120), 0.081283, 0.66072),
            (waves(0), waves(60), 0.303484, 0.59358),
        ];
        for (a, b, mean, max) in pairs {
            let errors = flip(&a, &b).expect("one size");
            assert!(
                (errors.mean() - mean).abs() < 1e-4,
                "{} {mean}",
                errors.mean()
            );
            assert!((errors.max() - max).abs() < 1e-3, "{} {max}", errors.max());
        }
    }

    #[test]
    fn either_may_be_the_first() {
        let (a, b) = (square(180), square(120));
        assert_eq!(mean(&a, &b), mean(&b, &a));
    }

    #[test]
    fn a_larger_difference_is_a_larger_error() {
        let errors = [105, 110, 130, 170, 250].map(|l| mean(&square(100), &square(l)));
        assert!(errors.is_sorted_by(|a, b| a < b), "{errors:?}");
        assert!(errors[0] > 0.0);
    }

    #[test]
    fn edges_cost_more() {
        let at = |e: &Errors, x: usize, y: usize| e.values[y * e.width + x];
        let edges = flip(&plain([100; 3]), &square(130)).expect("one size");
        let flat = flip(&plain([100; 3]), &plain([130; 3])).expect("one size");
        assert!(at(&edges, 12, 13) > at(&flat, 12, 13));
    }

    #[test]
    fn fine_patterns_are_blurred_before_colours_are_compared() {
        let mut fine = plain([100; 3]);
        for y in 0..30 {
            for x in 0..40 {
                let l = if (x + y) % 2 == 0 { 90 } else { 109 };
                fine.set_pixel(x, y, [l, l, l, 255]);
            }
        }
        let inside = |e: &Errors| e.values[15 * e.width + 20];
        let fine = inside(&flip(&plain([100; 3]), &fine).expect("one size"));
        let flat = inside(&flip(&plain([100; 3]), &plain([110; 3])).expect("one size"));
        assert!(fine < 0.5 * flat, "{fine} {flat}");
    }

    #[test]
    fn sizes_must_be_the_same() {
        assert!(flip(&plain([0; 3]), &Picture::new(3, 3, [0; 4])).is_none());
    }

    #[test]
    fn colours_come_back() {
        for rgb in [[1.0, 0.0, 0.0], [0.2, 0.5, 0.9], [1.0; 3]] {
            let back = linear_rgb(relative_xyz(rgb));
            assert!((0..3).all(|c| (back[c] - rgb[c]).abs() < 1e-3), "{back:?}");
        }
    }
}
