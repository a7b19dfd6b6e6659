//! Decodes KTX2 with ETC1S or UASTC (`KHR_texture_basisu`) to pixels, by the transcoder `basisu`.
//!
//! The transcoder trusts the lengths in a file. They are therefore checked first.

use super::picture::check_size;
use super::pixels::Pixels;
use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

const HEADER: usize = 80;
const KEYS: std::ops::Range<usize> = 56..64;

pub(super) fn decode_ktx2(bytes: &[u8]) -> Result<Pixels, String> {
    let (width, height) = check(bytes)?;
    // Clears the range of the key/value data, which does not affect pixels.
    let mut bytes = bytes.to_vec();
    bytes[KEYS].fill(0);
    let damaged = |why| format!("it is damaged ({why:?})");
    let texture = Transcoder::new(&bytes).map_err(damaged)?;
    if !matches!(
        texture.source_format(),
        SourceFormat::Etc1s | SourceFormat::UastcLdr
    ) {
        return Err("it is neither ETC1S nor UASTC".to_owned());
    }
    let rgba = texture
        .transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
        .map_err(damaged)?;
    Ok(Pixels {
        width,
        height,
        rgba,
    })
}

/// Checks that the file is complete, flat and of plausible size. Returns width and height.
fn check(bytes: &[u8]) -> Result<(u32, u32), String> {
    let ends = "it ends before its pixels";
    let word = |at: usize| -> Result<u64, String> {
        let word = bytes.get(at..at + 4).and_then(|word| word.first_chunk());
        Ok(u32::from_le_bytes(*word.ok_or(ends)?).into())
    };
    let long = |at: usize| -> Result<u64, String> { Ok(word(at)? | word(at + 4)? << 32) };
    let is_inside = |offset: u64, length: u64| {
        let end = offset.checked_add(length);
        end.is_some_and(|end| end <= bytes.len() as u64)
    };
    let (width, height) = (word(20)? as u32, word(24)? as u32);
    check_size(width, height)?;
    let [depth, layers, faces, levels] = [word(28)?, word(32)?, word(36)?, word(40)?];
    if depth > 0 || layers > 1 || faces != 1 {
        return Err("it is not a single two-dimensional image".to_owned());
    }
    if !(1..=16).contains(&levels) {
        return Err(format!("it has {levels} levels"));
    }
    let mut parts = vec![(word(48)?, word(52)?), (long(64)?, long(72)?)];
    for level in 0..levels as usize {
        let at = HEADER + 24 * level;
        parts.push((long(at)?, long(at + 8)?));
    }
    if !parts.iter().all(|part| is_inside(part.0, part.1)) {
        return Err("it ends too early".to_owned());
    }
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
    if long(HEADER + 16)? > 16 * blocks {
        return Err("it has more bytes than its pixels need".to_owned());
    }
    Ok((width, height))
}

#[cfg(test)]
mod tests {
    use crate::image::decode::decode;

    /// Four quarters, 16 × 12 pixels: red, green, blue, half-transparent white. Written by Basis
    /// Universal 2.1 (ktx2-encoder 0.6 for npm) and libwebp 1.6.
    const PICTURES: [(&str, &[u8], u8); 6] = [
        ("ETC1S", include_bytes!("samples/etc1s.ktx2"), 16),
        ("UASTC", include_bytes!("samples/uastc.ktx2"), 2),
        (
            "UASTC, Zstandard",
            include_bytes!("samples/uastc-zstd.ktx2"),
            2,
        ),
        ("WebP, lossless", include_bytes!("samples/lossless.webp"), 0),
        ("WebP", include_bytes!("samples/lossy.webp"), 8),
        ("WebP, opaque", include_bytes!("samples/opaque.webp"), 8),
    ];
    const QUARTERS: [[u8; 4]; 4] = [
        [230, 30, 20, 255],
        [20, 200, 40, 255],
        [30, 40, 220, 255],
        [240, 240, 240, 128],
    ];

    #[test]
    fn pictures_of_other_encoders_are_as_they_were() {
        for (name, bytes, tolerance) in PICTURES {
            let pixels = decode(bytes).unwrap();
            assert_eq!((pixels.width, pixels.height), (16, 12), "{name}");
            // Reads the middle of each quarter, because colour is stored per block of four pixels.
            for (quarter, mut expected) in QUARTERS.into_iter().enumerate() {
                let (x, y) = (4 + 8 * (quarter % 2), 3 + 6 * (quarter / 2));
                let found = &pixels.rgba[4 * (16 * y + x)..][..4];
                if name.ends_with("opaque") {
                    expected[3] = 255;
                }
                let off = found.iter().zip(expected).map(|(f, w)| f.abs_diff(w));
                let off = off.max().unwrap();
                assert!(off <= tolerance, "{name}: {found:?}, wanted {expected:?}");
            }
        }
    }

    #[test]
    fn damaged_pictures_are_decoded_or_refused() {
        let mut state = 7_u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let (mut decoded, mut refused) = (0, 0);
        for (_, whole, _) in PICTURES {
            for _ in 0..1000 {
                let mut bytes = whole.to_vec();
                for _ in 0..=random(4) {
                    let at = random(bytes.len());
                    bytes[at] = random(256) as u8;
                }
                if random(5) == 0 {
                    bytes.truncate(random(whole.len()));
                }
                match decode(&bytes) {
                    Ok(pixels) => {
                        let size = 4 * pixels.width as usize * pixels.height as usize;
                        assert_eq!(pixels.rgba.len(), size);
                        decoded += 1;
                    }
                    Err(why) => {
                        assert!(!why.is_empty());
                        refused += 1;
                    }
                }
            }
        }
        assert!(decoded > 500 && refused > 500, "{decoded}, {refused}");
    }

    #[test]
    fn what_is_no_flat_picture_or_says_more_than_it_holds_is_refused() {
        let [_, _, (_, zstd, _), ..] = PICTURES;
        let refusal = |at: usize, value: u32| {
            let mut bytes = zstd.to_vec();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            decode(&bytes).unwrap_err()
        };
        assert!(refusal(20, 1 << 27).contains("too large"));
        assert!(refusal(24, 0).contains("no pixels"));
        assert!(refusal(32, 2).contains("not a single two-dimensional image"));
        assert!(refusal(36, 6).contains("not a single two-dimensional image"));
        assert!(refusal(40, 17).contains("17 levels"));
        assert!(refusal(80, 5000).contains("ends too early"));
        assert!(refusal(96, 1 << 30).contains("more bytes than its pixels need"));
    }
}
