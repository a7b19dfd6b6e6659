//! Pictures of many kinds of bodies after binding: weights as colours, at rest and with every joint bent.

use super::sheet::{CAPTION, GAP, PAPER, write_caption};
use crate::bind::picture::rest_and_bent;
use anyhow::Result;
use sinew_gpu::{Gpu, Picture, Renderer, direction};
use sinew_rig::weights::{BindOptions, bind_character};
use sinew_samples::bodies;

const COLUMNS: u32 = 5;
/// Number of bodies in the picture. The last body is left out, because it is a person like the mannequin.
const SHOWN: u32 = 10;

/// Draws two rows of five bodies, each with the rest pose above the bent pose.
pub fn sheet(gpu: &Gpu, renderer: &mut Renderer, side: u32) -> Result<Picture> {
    let block = 2 * side + CAPTION;
    let across = COLUMNS * side + (COLUMNS + 1) * GAP;
    let mut sheet = Picture::new(across, SHOWN / COLUMNS * block + GAP, PAPER);
    for (cell, body) in (0..SHOWN).zip(bodies::all()) {
        let mut character = body.character();
        bind_character(&mut character, &BindOptions::default())?;
        let x = GAP + cell % COLUMNS * (side + GAP);
        let y = GAP + cell / COLUMNS * block;
        let halves = rest_and_bent(gpu, renderer, &character, direction(0.6, 0.28), side)?;
        for (row, half) in [0, side].into_iter().zip(halves) {
            sheet.paste(&half, x, y + row);
        }
        write_caption(&mut sheet, [x, y + 2 * side], side, body.name);
    }
    Ok(sheet)
}
