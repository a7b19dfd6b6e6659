//! Images as numbers: red, green, blue and opacity, on sRGB's curve or plain.

/// An image of red, green, blue and opacity, eight bits each, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<u8>,
}

/// The meaning of the numbers of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Colours on sRGB's curve.
    Srgb,
    /// Plain numbers, as in normal maps.
    Linear,
}

impl Pixels {
    /// From a function of column and row, in 0 to 1.
    pub fn from_fn(width: u32, height: u32, color: impl Fn(u32, u32) -> [f32; 4]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
        Self {
            width,
            height,
            rgba: pixels.flat_map(|(x, y)| color(x, y).map(byte)).collect(),
        }
    }

    /// Half as wide and high, each pixel the mean of up to four. An odd last row or column is left out.
    pub(crate) fn halved(&self, encoding: Encoding) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let columns = [2 * x, (2 * x + 1).min(self.width - 1)];
                let rows = [2 * y, (2 * y + 1).min(self.height - 1)];
                for channel in 0..4 {
                    let mut sum = 0.0;
                    for row in rows {
                        for column in columns {
                            let at = 4 * (row as usize * self.width as usize + column as usize);
                            sum += to_light(self.rgba[at + channel], channel, encoding);
                        }
                    }
                    rgba.push(from_light(sum / 4.0, channel, encoding));
                }
            }
        }
        Self {
            width,
            height,
            rgba,
        }
    }
}

fn to_light(byte: u8, channel: usize, encoding: Encoding) -> f32 {
    let x = f32::from(byte) / 255.0;
    match encoding {
        Encoding::Srgb if channel < 3 => srgb_to_linear(x),
        _ => x,
    }
}

fn from_light(x: f32, channel: usize, encoding: Encoding) -> u8 {
    let x = match encoding {
        Encoding::Srgb if channel < 3 => linear_to_srgb(x),
        _ => x,
    };
    (x * 255.0).round() as u8
}

/// sRGB's curve.
pub fn srgb_to_linear(x: f32) -> f32 {
    match x <= 0.04045 {
        true => x / 12.92,
        false => ((x + 0.055) / 1.055).powf(2.4),
    }
}

/// The way back.
pub fn linear_to_srgb(x: f32) -> f32 {
    match x <= 0.0031308 {
        true => x * 12.92,
        false => 1.055 * x.powf(1.0 / 2.4) - 0.055,
    }
}
