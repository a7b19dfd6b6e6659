//! Images of red, green, blue and opacity, in sRGB or linear.

use sinew::steps::pause;
use std::sync::LazyLock;

/// Image of red, green, blue and opacity, 8 bits each, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Bytes of all pixels, four per pixel.
    pub rgba: Vec<u8>,
}

/// Encoding of the values of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Colours in sRGB.
    Srgb,
    /// Linear values, as in normal maps.
    Linear,
}

impl Pixels {
    /// Image from a function of column and row, which returns values in [0, 1].
    pub fn from_fn(width: u32, height: u32, color: impl Fn(u32, u32) -> [f32; 4]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
        Self {
            width,
            height,
            rgba: pixels.flat_map(|(x, y)| color(x, y).map(byte)).collect(),
        }
    }

    /// Number of rows that take a few milliseconds: a step of work in [steps](sinew::steps).
    pub(crate) fn rows_per_step(width: u32) -> usize {
        const PIXELS: u32 = 1 << 16;
        (PIXELS / width.max(1)).max(1) as usize
    }

    /// Image of half the size, in [steps](sinew::steps). Drops an odd last row or column.
    pub(crate) async fn halved(&self, encoding: Encoding) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            if (y as usize + 1).is_multiple_of(Self::rows_per_step(width)) {
                pause().await;
            }
            self.halve_row(y, encoding, &mut rgba);
        }
        Self {
            width,
            height,
            rgba,
        }
    }

    fn halve_row(&self, y: u32, encoding: Encoding, out: &mut Vec<u8>) {
        let rows = [2 * y, (2 * y + 1).min(self.height - 1)];
        for x in 0..(self.width / 2).max(1) {
            let columns = [2 * x, (2 * x + 1).min(self.width - 1)];
            for channel in 0..4 {
                let mut sum = 0.0;
                for row in rows {
                    for column in columns {
                        let at = 4 * (row as usize * self.width as usize + column as usize);
                        sum += to_light(self.rgba[at + channel], channel, encoding);
                    }
                }
                out.push(from_light(sum / 4.0, channel, encoding));
            }
        }
    }
}

static LIGHT: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| srgb_to_linear(byte as f32 / 255.0)));

/// Min linear value that rounds to each byte above 0.
static MIN_LIGHT: LazyLock<[f32; 255]> =
    LazyLock::new(|| std::array::from_fn(|byte| srgb_to_linear((byte as f32 + 0.5) / 255.0)));

fn to_light(byte: u8, channel: usize, encoding: Encoding) -> f32 {
    match encoding {
        Encoding::Srgb if channel < 3 => LIGHT[usize::from(byte)],
        _ => f32::from(byte) / 255.0,
    }
}

fn from_light(x: f32, channel: usize, encoding: Encoding) -> u8 {
    match encoding {
        Encoding::Srgb if channel < 3 => MIN_LIGHT.partition_point(|&min| min <= x) as u8,
        _ => (x * 255.0).round() as u8,
    }
}

/// Converts a value in [0, 1] from sRGB to linear.
pub fn srgb_to_linear(x: f32) -> f32 {
    if x <= 0.04045 {
        x / 12.92
    } else {
        ((x + 0.055) / 1.055).powf(2.4)
    }
}

/// Converts a value in [0, 1] from linear to sRGB.
pub fn linear_to_srgb(x: f32) -> f32 {
    if x <= 0.0031308 {
        x * 12.92
    } else {
        1.055 * x.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_finds_its_byte_again() {
        for byte in 0..=255 {
            let light = to_light(byte, 0, Encoding::Srgb);
            assert_eq!(from_light(light, 0, Encoding::Srgb), byte);
        }
        for k in 0..=100_000 {
            let light = k as f32 / 1e5;
            let by_curve = (linear_to_srgb(light) * 255.0).round();
            let found = f32::from(from_light(light, 2, Encoding::Srgb));
            // Halfway between two bytes, both are right.
            let is_between = (linear_to_srgb(light) * 255.0 - by_curve).abs() > 0.499;
            assert!(
                found == by_curve || is_between,
                "{light}: {found} {by_curve}"
            );
        }
    }
}
