//! Environment light as an image of longitude and latitude.

use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// Linear light from every direction. A column is a longitude: x in the middle, z a quarter of the
/// width to the right. A row is a latitude, with straight up first.
#[doc(alias = "HDRI")]
#[doc(alias = "image-based lighting")]
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentMap {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Linear red, green and blue of every pixel.
    pub rgb: Vec<[f32; 3]>,
}

impl EnvironmentMap {
    /// Map whose light is a function of the unit direction.
    pub fn from_fn(width: u32, height: u32, light: impl Fn(Vec3) -> [f32; 3]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgb = pixels.map(|(x, y)| light(direction(width, height, x, y)));
        Self {
            width,
            height,
            rgb: rgb.collect(),
        }
    }

    /// Map with the same light everywhere.
    pub fn even(light: [f32; 3]) -> Self {
        Self::from_fn(8, 4, |_| light)
    }

    /// True if the number of pixels matches the size, and all light is finite and not negative.
    pub fn is_whole(&self) -> bool {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let is_light = |rgb: &[f32; 3]| rgb.iter().all(|c| c.is_finite() && *c >= 0.0);
        pixels > 0 && self.rgb.len() as u64 == pixels && self.rgb.iter().all(is_light)
    }

    pub(crate) fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let at = |x: u32, y: u32| {
            let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
            self.rgb[y as usize * self.width as usize + x as usize]
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (2 * x, 2 * y)));
        let mean = |(x, y)| {
            let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            std::array::from_fn(|c| four.iter().map(|rgb| rgb[c]).sum::<f32>() / 4.0)
        };
        Self {
            width,
            height,
            rgb: pixels.map(mean).collect(),
        }
    }

    /// Pixels with nine bits per colour and a shared exponent of five bits.
    pub(crate) fn shared_exponents(&self) -> Vec<u32> {
        self.rgb.iter().map(|&rgb| shared_exponent(rgb)).collect()
    }
}

fn direction(width: u32, height: u32, x: u32, y: u32) -> Vec3 {
    let longitude = ((x as f32 + 0.5) / width as f32 - 0.5) * TAU;
    let latitude = (0.5 - (y as f32 + 0.5) / height as f32) * PI;
    let (sin_up, cos_up) = latitude.sin_cos();
    let (sin, cos) = longitude.sin_cos();
    Vec3::new(cos * cos_up, sin_up, sin * cos_up)
}

fn shared_exponent(rgb: [f32; 3]) -> u32 {
    const LARGEST: f32 = 65408.0;
    let rgb = rgb.map(|c| c.clamp(0.0, LARGEST));
    let highest = rgb.into_iter().fold(0.0, f32::max);
    if highest < 1e-7 {
        return 0;
    }
    let mut exponent = (highest.log2().floor() as i32 + 16).clamp(0, 31);
    let scale = |exponent: i32| 2.0_f32.powi(24 - exponent);
    if (highest * scale(exponent)).round() > 511.0 {
        exponent = (exponent + 1).min(31);
    }
    let [r, g, b] = rgb.map(|c| (c * scale(exponent)).round().min(511.0) as u32);
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_exponents_keep_nine_bits() {
        let read = |bits: u32| {
            let scale = 2.0_f32.powi((bits >> 27) as i32 - 24);
            [bits, bits >> 9, bits >> 18].map(|b| (b & 511) as f32 * scale)
        };
        for rgb in [
            [0.0; 3],
            [1.0, 0.5, 0.25],
            [511.7, 3.0, 100.0],
            [1e-4, 2e-5, 0.0],
        ] {
            let back = read(shared_exponent(rgb));
            let highest = rgb.into_iter().fold(0.0, f32::max);
            for (a, b) in rgb.iter().zip(back) {
                assert!((a - b).abs() <= highest / 500.0, "{rgb:?} {back:?}");
            }
        }
    }
}
