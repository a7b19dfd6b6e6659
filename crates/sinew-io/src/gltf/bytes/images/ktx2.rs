//! Header of a KTX2 image, and the variants that can be drawn.

use super::fault::{Fault, skip, take};

/// Colour models of the data format descriptor.
const ETC1S: u8 = 163;
const UASTC: u8 = 166;

struct Head {
    /// Vulkan format; 0 if only the descriptor states it.
    format: u32,
    shape: [u32; 3],
    packed: u32,
    model: u8,
}

fn head(bytes: &[u8]) -> Result<Head, Fault> {
    let mut rest = bytes;
    take::<12>(&mut rest)?;
    let words = take::<68>(&mut rest)?.as_chunks::<4>().0;
    let word = |at: usize| u32::from_le_bytes(words[at]);
    if word(2) == 0 {
        return Err(Fault::Broken("the image has no pixels"));
    }
    let (at, length) = (word(9) as usize, word(10));
    let mut descriptor = bytes;
    skip(&mut descriptor, at)?;
    if length < 16 {
        return Err(Fault::Broken("the pixel format of the image is missing"));
    }
    Ok(Head {
        format: word(0),
        shape: [word(4), word(5), word(6)],
        packed: word(8),
        model: take::<13>(&mut descriptor)?[12],
    })
}

pub(super) fn examine(bytes: &[u8]) -> Result<(), Fault> {
    head(bytes).map(|_| ())
}

pub(super) fn why_not_drawn(bytes: &[u8]) -> Option<String> {
    // Malformed images are reported by `examine`.
    let head = head(bytes).ok()?;
    let [depth, layers, faces] = head.shape;
    if depth > 0 || layers > 1 || faces != 1 {
        Some("KTX2 images with several layers or faces are not decoded".to_owned())
    } else if head.format != 0 || ![ETC1S, UASTC].contains(&head.model) {
        Some("only ETC1S and UASTC are decoded in KTX2 images".to_owned())
    } else if head.packed > 2 {
        Some(format!(
            "KTX2 compression scheme {} is not decoded",
            head.packed
        ))
    } else {
        None
    }
}
