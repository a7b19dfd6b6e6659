//! Checks that a picture that begins as it should also goes on to its end, by the lengths and markers of its
//! parts. Pixels are not decoded, so damage that changes no length is not seen.

use super::fault::{skip, take};
use super::formats::{JPEG, PNG, WEBP, mime_type_of};

/// True where all of a PNG, JPEG or WebP is there; other pictures count as whole.
pub(in crate::gltf) fn is_whole(bytes: &[u8]) -> bool {
    let end = match mime_type_of(bytes) {
        Some(PNG) => png_end(bytes),
        Some(JPEG) => jpeg_end(bytes),
        Some(WEBP) => webp_end(bytes),
        _ => Some(()),
    };
    end.is_some()
}

/// Goes by chunks, whose names are four letters, to the last.
fn png_end(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(8..)?;
    loop {
        let length = u32::from_be_bytes(*take(&mut rest).ok()?) as usize;
        let (chunk, after) = rest.split_at_checked(length.checked_add(4)?)?;
        rest = after;
        take::<4>(&mut rest).ok()?;
        match chunk.first_chunk::<4>()? {
            b"IEND" => return Some(()),
            name if name.iter().all(u8::is_ascii_alphabetic) => {}
            _ => return None,
        }
    }
}

/// Goes by markers, and between them over pixels, to the one that ends the picture.
fn jpeg_end(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(2..)?;
    let mut has_pixels = false;
    loop {
        // Pixels are whatever stands before a marker; 0 after 0xff is a pixel's own 0xff.
        let mark = rest.windows(2).position(|pair| {
            pair[0] == 0xff && !matches!(pair[1], 0x00 | 0x01 | 0xd0..=0xd7 | 0xff)
        })?;
        let kind = rest[mark + 1];
        rest = &rest[mark + 2..];
        match kind {
            0xd9 => return has_pixels.then_some(()),
            0xda => has_pixels = true,
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes(*take(&mut rest).ok()?));
        skip(&mut rest, length.checked_sub(2)?).ok()?;
    }
}

/// The length that the container says.
fn webp_end(bytes: &[u8]) -> Option<()> {
    let length = bytes.get(4..8)?.first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    bytes.get(8..length.checked_add(8)?).map(|_| ())
}
