//! Detects truncated images by lengths and markers. Other damage is not detected.

use super::fault::{skip, take};
use super::formats::{JPEG, PNG, WEBP, mime_type_of};

/// False for a truncated PNG, JPEG or WebP image. True for all other formats.
pub(in crate::gltf) fn is_whole(bytes: &[u8]) -> bool {
    let end = match mime_type_of(bytes) {
        Some(PNG) => png_end(bytes),
        Some(JPEG) => jpeg_end(bytes),
        Some(WEBP) => webp_end(bytes),
        _ => Some(()),
    };
    end.is_some()
}

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

fn jpeg_end(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(2..)?;
    let mut has_pixels = false;
    loop {
        // Skips entropy-coded data, in which 0 follows each 0xff.
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

fn webp_end(bytes: &[u8]) -> Option<()> {
    let length = bytes.get(4..8)?.first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    bytes.get(8..length.checked_add(8)?).map(|_| ())
}
