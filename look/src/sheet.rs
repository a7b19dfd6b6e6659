//! Sheet of all cases: the pictures of three.js, ours, and the errors.

use crate::flip::Errors;
use sinew_gpu::{Picture, draw_text};

const COLUMNS: u32 = 3;
const GAP: u32 = 4;
const CAPTION: u32 = 18;
const PAPER: [u8; 4] = [24, 24, 28, 255];
const INK: [u8; 4] = [235, 235, 235, 255];

/// Colours of errors: stops of magma, a colour map of matplotlib.
const HEAT: [[f32; 3]; 5] = [
    [0.0, 0.0, 4.0],
    [81.0, 18.0, 124.0],
    [183.0, 55.0, 121.0],
    [252.0, 137.0, 97.0],
    [252.0, 253.0, 191.0],
];

/// Row of pictures on the sheet.
#[derive(Debug)]
pub struct Entry {
    /// Name and error of the case.
    pub caption: String,
    /// Picture by three.js.
    pub theirs: Picture,
    /// Picture by `sinew-gpu`.
    pub ours: Picture,
    /// Errors between the two.
    pub errors: Errors,
}

/// Draws the sheet.
pub fn sheet(entries: &[Entry]) -> Picture {
    let blocks: Vec<Picture> = entries.iter().map(block).collect();
    let [width, height] = blocks.first().map_or([1, 1], |b| [b.width(), b.height()]);
    let rows = (blocks.len() as u32).div_ceil(COLUMNS);
    let mut sheet = Picture::new(COLUMNS * (width + 4 * GAP), rows * (height + GAP), PAPER);
    for (index, block) in (0..).zip(&blocks) {
        let (column, row) = (index % COLUMNS, index / COLUMNS);
        sheet.paste(block, column * (width + 4 * GAP), row * (height + GAP));
    }
    sheet
}

fn block(entry: &Entry) -> Picture {
    let heat = heat(&entry.errors);
    let pictures = [entry.theirs.clone(), entry.ours.clone(), heat];
    let pictures = Picture::beside(&pictures, GAP, PAPER).expect("three small pictures");
    let mut block = Picture::new(pictures.width(), pictures.height() + CAPTION, PAPER);
    block.paste(&pictures, 0, CAPTION);
    draw_text(&mut block, [3.0, 4.0], 10.0, INK, &entry.caption);
    block
}

fn heat(errors: &Errors) -> Picture {
    let width = errors.width.max(1);
    let mut picture = Picture::new(width as u32, (errors.values.len() / width) as u32, PAPER);
    for (at, &error) in errors.values.iter().enumerate() {
        let place = error.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
        let low = (place as usize).min(HEAT.len() - 2);
        let mix =
            |c: usize| HEAT[low][c] + (HEAT[low + 1][c] - HEAT[low][c]) * (place - low as f32);
        let [r, g, b] = [0, 1, 2].map(|c| mix(c).round() as u8);
        picture.set_pixel((at % width) as u32, (at / width) as u32, [r, g, b, 255]);
    }
    picture
}
