//! Headers of PNG, JPEG and WebP images.

use super::fault::{Fault, skip, take};

pub(super) fn examine_png(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<8>(&mut rest)?;
    let length = u32::from_be_bytes(*take(&mut rest)?);
    if take::<4>(&mut rest)? != b"IHDR" || length != 13 {
        return Err(Fault::Broken("the PNG does not begin with an IHDR chunk"));
    }
    let [width, height] = [
        u32::from_be_bytes(*take(&mut rest)?),
        u32::from_be_bytes(*take(&mut rest)?),
    ];
    if [width, height]
        .iter()
        .any(|&side| side == 0 || side > i32::MAX as u32)
    {
        return Err(Fault::Broken("the width or height is 0 or too large"));
    }
    let [depth, color, compression, filter, interlace] = *take(&mut rest)?;
    let depths: &[u8] = match color {
        0 => &[1, 2, 4, 8, 16],
        2 | 4 | 6 => &[8, 16],
        3 => &[1, 2, 4, 8],
        _ => &[],
    };
    if !depths.contains(&depth) || compression != 0 || filter != 0 || interlace > 1 {
        return Err(Fault::Broken("the PNG header has an undefined value"));
    }
    take::<4>(&mut rest)?;
    loop {
        let length = u32::from_be_bytes(*take(&mut rest)?) as usize;
        match take::<4>(&mut rest)? {
            b"IDAT" => return Ok(()),
            b"IHDR" | b"IEND" => {
                return Err(Fault::Broken("the pixels of the image are missing"));
            }
            _ => skip(&mut rest, length.saturating_add(4))?,
        }
    }
}

pub(super) fn examine_jpeg(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<2>(&mut rest)?;
    loop {
        let [mark] = *take(&mut rest)?;
        if mark != 0xff {
            return Err(Fault::Broken("a JPEG marker is missing"));
        }
        let mut kind = 0xff;
        while kind == 0xff {
            [kind] = *take(&mut rest)?;
        }
        if matches!(kind, 0x01 | 0xd0..=0xd7) {
            continue;
        }
        if matches!(kind, 0x00 | 0xd8 | 0xd9 | 0xda) {
            return Err(Fault::Broken("the JPEG has no size before its pixels"));
        }
        let length = usize::from(u16::from_be_bytes(*take(&mut rest)?));
        let Some(length) = length.checked_sub(2) else {
            return Err(Fault::Broken("a JPEG segment has a length below 2 bytes"));
        };
        // Start-of-frame markers. C4 and CC are tables, C8 is reserved.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let [_, h, i, w, x] = *take(&mut rest)?;
            let has_pixels = u16::from_be_bytes([h, i]) > 0 && u16::from_be_bytes([w, x]) > 0;
            return has_pixels
                .then_some(())
                .ok_or(Fault::Broken("the image has no pixels"));
        }
        skip(&mut rest, length)?;
    }
}

pub(super) fn examine_webp(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    take::<12>(&mut rest)?;
    let kind = take::<4>(&mut rest)?;
    take::<4>(&mut rest)?;
    let is_right = match kind {
        b"VP8 " => {
            take::<3>(&mut rest)?;
            let begins = take::<3>(&mut rest)? == &[0x9d, 0x01, 0x2a];
            take::<4>(&mut rest)?;
            begins
        }
        b"VP8L" => {
            let begins = take::<1>(&mut rest)? == &[0x2f];
            take::<4>(&mut rest)?;
            begins
        }
        b"VP8X" => {
            take::<10>(&mut rest)?;
            true
        }
        _ => false,
    };
    is_right
        .then_some(())
        .ok_or(Fault::Broken("the first chunk of the WebP is not valid"))
}
