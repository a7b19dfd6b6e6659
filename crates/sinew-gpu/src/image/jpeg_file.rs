//! JPEG files: baseline, without chroma subsampling, so that thin lines keep their colour.

use super::picture::Picture;
use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};
use std::io::{self, BufWriter, Write};

/// Writes a JPEG with a quality in [1, 100]. The opacity is not stored.
pub fn write_jpeg(out: &mut dyn Write, picture: &Picture, quality: u8) -> io::Result<()> {
    let side = |side: u32| u16::try_from(side).ok().filter(|&side| side > 0);
    let (Some(width), Some(height)) = (side(picture.width()), side(picture.height())) else {
        return Err(io::Error::other(
            "a side of a JPEG must have 1 to 65535 pixels",
        ));
    };
    let mut out = BufWriter::new(out);
    let mut encoder = Encoder::new(&mut out, quality.clamp(1, 100));
    encoder.set_sampling_factor(SamplingFactor::R_4_4_4);
    let encoded = encoder.encode(picture.rgba(), width, height, ColorType::Rgba);
    encoded.map_err(|error| match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    })?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::decode::decode;

    fn painted(width: u32, height: u32) -> Picture {
        let mut picture = Picture::new(width, height, [0, 0, 0, 255]);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let wave = |f: f32| (127.0 + 120.0 * (f * (x as f32 + 0.6 * y as f32)).sin()) as u8;
            let edge = if x > width / 2 { 255 } else { wave(0.2) };
            picture.set_pixel(x, y, [wave(0.05), edge, wave(0.11), 255]);
        }
        picture
    }

    #[test]
    fn another_program_reads_what_was_meant() {
        for (width, height) in [(1, 1), (8, 8), (67, 41), (200, 3)] {
            let picture = painted(width, height);
            let mut sizes = Vec::new();
            for (quality, max_mean) in [(50, 7.0), (92, 2.0), (100, 0.8)] {
                let mut bytes = Vec::new();
                write_jpeg(&mut bytes, &picture, quality).unwrap();
                let back = decode(&bytes).unwrap();
                let back = Picture::from_rgba(back.width, back.height, back.rgba).unwrap();
                let (_, mean) = picture.difference(&back).unwrap();
                assert!(mean < max_mean, "{width}×{height} at {quality}: {mean}");
                sizes.push(bytes.len());
            }
            assert!(sizes.is_sorted(), "{sizes:?}");
        }
    }

    #[test]
    fn noise_at_full_quality_is_read_too() {
        let mut state = 7_u32;
        let rgba = (0..4 * 64 * 64).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { 0 } else { 255 }
        });
        let picture = Picture::from_rgba(64, 64, rgba.collect()).unwrap();
        let mut bytes = Vec::new();
        write_jpeg(&mut bytes, &picture, 100).unwrap();
        let back = decode(&bytes).unwrap();
        let apart = picture
            .rgba()
            .chunks_exact(4)
            .zip(back.rgba.chunks_exact(4));
        let sum: u32 = apart
            .flat_map(|(a, b)| (0..3).map(|c| u32::from(a[c].abs_diff(b[c]))))
            .sum();
        assert!(sum < 2 * 3 * 64 * 64, "{sum}");
    }
}
