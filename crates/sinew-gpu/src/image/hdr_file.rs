//! Radiance `.hdr` files with a shared exponent (Ward, "Real Pixels", Graphics Gems II, 1991).

use super::environment_map::EnvironmentMap;
use thiserror::Error;

const MAX_PIXELS: u64 = 1 << 27;

/// Reason why a `.hdr` file was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HdrError {
    /// The signature is missing.
    #[error("it is not a .hdr file: it does not begin with #?RADIANCE or #?RGBE")]
    NotHdr,
    /// The header cannot be read.
    #[error("its header is invalid: {0}")]
    Header(String),
    /// The picture has too many pixels.
    #[error(
        "it has {width} × {height} pixels, more than the maximum of {}",
        MAX_PIXELS
    )]
    Size {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
    },
    /// The pixel data ends too early, or a run crosses the end of a row.
    #[error("its pixels are damaged or incomplete from row {row}")]
    Pixels {
        /// Row with the error, from the top.
        row: u32,
    },
}

impl EnvironmentMap {
    /// Reads a `.hdr` file whose columns are longitudes and whose rows are latitudes.
    ///
    /// # Errors
    /// [`HdrError`] if the bytes are invalid.
    pub fn from_hdr(bytes: &[u8]) -> Result<Self, HdrError> {
        let (width, height, mut rest) = header(bytes)?;
        let mut rgb = Vec::new();
        let mut row_bytes = vec![[0; 4]; width as usize];
        for row in 0..height {
            rest = read_row(rest, &mut row_bytes).ok_or(HdrError::Pixels { row })?;
            rgb.extend(row_bytes.iter().map(|&pixel| light(pixel)));
        }
        Ok(Self { width, height, rgb })
    }
}

fn header(bytes: &[u8]) -> Result<(u32, u32, &[u8]), HdrError> {
    if !(bytes.starts_with(b"#?RADIANCE") || bytes.starts_with(b"#?RGBE")) {
        return Err(HdrError::NotHdr);
    }
    let mut rest = bytes;
    let mut is_over = false;
    for _ in 0..1000 {
        let end = rest.iter().take(4096).position(|&b| b == b'\n');
        let end = end.ok_or_else(|| HdrError::Header("its end is missing".to_owned()))?;
        let line = String::from_utf8_lossy(&rest[..end]);
        let line = line.trim();
        rest = &rest[end + 1..];
        if is_over {
            let words: Vec<_> = line.split_whitespace().collect();
            let [down, height, right, width] = words[..] else {
                return Err(HdrError::Header(line.to_owned()));
            };
            let sides = (width.parse(), height.parse());
            let (("-Y", "+X"), (Ok(width), Ok(height))) = ((down, right), sides) else {
                return Err(HdrError::Header(line.to_owned()));
            };
            let pixels = u64::from(width) * u64::from(height);
            if !(1..=MAX_PIXELS).contains(&pixels) || width >= 1 << 20 {
                return Err(HdrError::Size { width, height });
            }
            return Ok((width, height, rest));
        }
        if let Some(format) = line.strip_prefix("FORMAT=")
            && format != "32-bit_rle_rgbe"
        {
            return Err(HdrError::Header(line.to_owned()));
        }
        is_over = line.is_empty();
    }
    Err(HdrError::Header("its end is missing".to_owned()))
}

fn read_row<'a>(bytes: &'a [u8], row: &mut [[u8; 4]]) -> Option<&'a [u8]> {
    let is_run = matches!(bytes, [2, 2, high, low, ..]
        if usize::from(*high) << 8 | usize::from(*low) == row.len());
    if !is_run {
        let (pixels, rest) = bytes.split_at_checked(4 * row.len())?;
        for (pixel, bytes) in row.iter_mut().zip(pixels.as_chunks::<4>().0) {
            *pixel = *bytes;
        }
        return Some(rest);
    }
    let mut rest = &bytes[4..];
    for channel in 0..4 {
        let mut at = 0;
        while at < row.len() {
            let (&count, after) = rest.split_first()?;
            let (run, is_same) = match count {
                0 => return None,
                1..=128 => (usize::from(count), false),
                _ => (usize::from(count - 128), true),
            };
            let (values, after) = after.split_at_checked(if is_same { 1 } else { run })?;
            let pixels = row.get_mut(at..at + run)?;
            for (k, pixel) in pixels.iter_mut().enumerate() {
                pixel[channel] = values[if is_same { 0 } else { k }];
            }
            (at, rest) = (at + run, after);
        }
    }
    Some(rest)
}

fn light([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    match exponent {
        0 => [0.0; 3],
        _ => {
            let scale = 2.0_f32.powi(i32::from(exponent) - 136);
            [r, g, b].map(|c| f32::from(c) * scale)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
        let header = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n");
        [header.as_bytes(), pixels].concat()
    }

    #[test]
    fn plain_pixels_and_runs_are_read() {
        let plain = file(&[128, 64, 0, 129, 0, 0, 0, 0], 2, 1);
        let map = EnvironmentMap::from_hdr(&plain).unwrap();
        assert_eq!(map.rgb, [[1.0, 0.5, 0.0], [0.0; 3]]);
        // Eight pixels: red as a run, green one by one, blue and the exponent as runs.
        let mut runs = vec![2, 2, 0, 8, 136, 128, 8];
        runs.extend([0, 1, 2, 3, 4, 5, 6, 7]);
        runs.extend([136, 0, 136, 129]);
        let map = EnvironmentMap::from_hdr(&file(&runs, 8, 1)).unwrap();
        assert_eq!(map.rgb[7], [1.0, 7.0 / 128.0, 0.0]);
    }

    #[test]
    fn what_is_broken_is_refused() {
        assert_eq!(EnvironmentMap::from_hdr(b"PNG"), Err(HdrError::NotHdr));
        for end in 0..40 {
            let whole = file(&[2, 2, 0, 8, 136, 128, 136, 0, 136, 0, 136, 129], 8, 1);
            let cut = &whole[..whole.len().saturating_sub(end + 1)];
            assert!(EnvironmentMap::from_hdr(cut).is_err(), "{end}");
        }
        let huge = file(&[], u32::MAX, u32::MAX);
        assert!(matches!(
            EnvironmentMap::from_hdr(&huge),
            Err(HdrError::Size { .. })
        ));
        let over = file(&[2, 2, 0, 8, 255, 1, 0, 0], 8, 1);
        assert_eq!(
            EnvironmentMap::from_hdr(&over),
            Err(HdrError::Pixels { row: 0 })
        );
        let upside_down = b"#?RGBE\n\n+Y 1 +X 1\n\0\0\0\0";
        assert!(matches!(
            EnvironmentMap::from_hdr(upside_down),
            Err(HdrError::Header(_))
        ));
    }
}
