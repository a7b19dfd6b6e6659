//! Finished pictures in CPU memory.

/// Max number of pixels of a decoded or combined picture, which then takes 512 MiB.
pub const MAX_PIXELS: u64 = 1 << 27;

pub(super) fn check_size(width: u32, height: u32) -> Result<(), String> {
    let pixels = u64::from(width) * u64::from(height);
    match pixels {
        0 => Err("it has no pixels".to_owned()),
        p if p > MAX_PIXELS => Err(format!(
            "it is too large to decode: {width} × {height} pixels"
        )),
        _ => Ok(()),
    }
}

/// Picture of red, green, blue and opacity in sRGB, 8 bits each, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Picture {
    /// Picture of one colour.
    ///
    /// # Panics
    /// If there is not enough memory for the pixels.
    pub fn new(width: u32, height: u32, color: [u8; 4]) -> Self {
        let pixels = width as usize * height as usize;
        Self {
            width,
            height,
            rgba: color.repeat(pixels),
        }
    }

    /// Picture from four bytes per pixel. `None` if the number of bytes is wrong.
    pub fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Option<Self> {
        let bytes = (width as usize)
            .checked_mul(height as usize)?
            .checked_mul(4)?;
        (rgba.len() == bytes).then_some(Self {
            width,
            height,
            rgba,
        })
    }

    /// Pixels per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Bytes of all pixels, four per pixel, rows from the top.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Colour of a pixel, transparent black outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        if x >= self.width || y >= self.height {
            return [0; 4];
        }
        let at = self.at(x, y);
        std::array::from_fn(|c| self.rgba[at + c])
    }

    /// Sets a pixel. Has no effect outside the picture.
    pub fn set_pixel(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if x < self.width && y < self.height {
            let at = self.at(x, y);
            self.rgba[at..at + 4].copy_from_slice(&color);
        }
    }

    fn at(&self, x: u32, y: u32) -> usize {
        4 * (y as usize * self.width as usize + x as usize)
    }

    /// Copies another picture, with its upper left corner at (x, y). Crops parts outside.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        if x >= self.width {
            return;
        }
        let columns = other.width.min(self.width - x) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (from, to) = (other.at(0, row), self.at(x, y + row));
            self.rgba[to..to + 4 * columns].copy_from_slice(&other.rgba[from..from + 4 * columns]);
        }
    }

    /// Joins pictures from left to right, with `gap` pixels of `color` between them. `None` above
    /// [`MAX_PIXELS`].
    pub fn beside(pictures: &[Self], gap: u32, color: [u8; 4]) -> Option<Self> {
        let gaps = u64::from(gap).saturating_mul(pictures.len().saturating_sub(1) as u64);
        let width = pictures.iter().map(|p| u64::from(p.width)).sum::<u64>();
        let width = u32::try_from(width.saturating_add(gaps)).ok()?;
        let height = pictures.iter().map(|p| p.height).max().unwrap_or(0);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return None;
        }
        let mut whole = Self::new(width, height, color);
        let mut x = 0;
        for picture in pictures {
            whole.paste(picture, x, 0);
            x = x.saturating_add(picture.width).saturating_add(gap);
        }
        Some(whole)
    }

    /// Blends the picture over a background colour.
    pub fn fill_behind(&mut self, color: [u8; 3]) {
        for pixel in self.rgba.chunks_exact_mut(4) {
            let (part, whole) = (u32::from(pixel[3]), 255);
            for (channel, behind) in pixel.iter_mut().zip(color) {
                let sum = u32::from(*channel) * part + u32::from(behind) * (whole - part);
                *channel = ((sum + whole / 2) / whole) as u8;
            }
            pixel[3] = 255;
        }
    }

    /// Max difference of a channel, and mean over all channels. `None` if the sizes differ.
    pub fn difference(&self, other: &Self) -> Option<(u8, f64)> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let apart = self
            .rgba
            .iter()
            .zip(&other.rgba)
            .map(|(a, b)| a.abs_diff(*b));
        let max = apart.clone().max().unwrap_or(0);
        let sum: f64 = apart.map(f64::from).sum();
        Some((max, sum / self.rgba.len().max(1) as f64))
    }
}
