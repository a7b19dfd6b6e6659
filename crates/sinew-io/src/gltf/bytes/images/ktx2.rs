//! The head of a KTX2 picture: whether it is one, and one of those that are drawn.

use super::fault::{Fault, skip, take};

/// Models of pixels, as the descriptor numbers them.
const ETC1S: u8 = 163;
const UASTC: u8 = 166;

struct Head {
    /// The pixels as Vulkan numbers them; 0 where the descriptor alone says what they are.
    format: u32,
    /// Depth, layers and faces.
    shape: [u32; 3],
    /// The scheme that all levels are packed by.
    packed: u32,
    model: u8,
}

fn head(bytes: &[u8]) -> Result<Head, Fault> {
    let mut rest = bytes;
    take::<12>(&mut rest)?;
    let words = take::<68>(&mut rest)?.as_chunks::<4>().0;
    let word = |at: usize| u32::from_le_bytes(words[at]);
    if word(2) == 0 {
        return Err(Fault::Broken("the picture has no pixels"));
    }
    let (at, length) = (word(9) as usize, word(10));
    // Its own length, the head of a block, then the model.
    let mut descriptor = bytes;
    skip(&mut descriptor, at)?;
    if length < 16 {
        return Err(Fault::Broken(
            "the picture does not say what its pixels are",
        ));
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
    // What is no picture has a word of its own.
    let head = head(bytes).ok()?;
    let [depth, layers, faces] = head.shape;
    if depth > 0 || layers > 1 || faces != 1 {
        Some("a KTX2 picture of several layers or faces is not decoded".to_owned())
    } else if head.format != 0 || ![ETC1S, UASTC].contains(&head.model) {
        Some("of KTX2 pictures only ETC1S and UASTC are decoded".to_owned())
    } else if head.packed > 2 {
        Some(format!(
            "KTX2 packed by scheme {} is not decoded",
            head.packed
        ))
    } else {
        None
    }
}
