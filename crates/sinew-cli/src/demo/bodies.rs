//! Bodies of many kinds, bound: their weights as colours, at rest and with every joint bent.

use super::sheet::{CAPTION, GAP, PAPER, write_caption};
use anyhow::Result;
use sinew_gpu::{Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction};
use sinew_rig::weights::{BindOptions, bind_character, trial_clip};
use sinew_samples::bodies;

const COLUMNS: u32 = 5;
/// The person comes last, and the mannequin is one.
const SHOWN: u32 = 10;

/// Two rows of five, each at rest above and bent below.
pub fn sheet(gpu: &Gpu, renderer: &mut Renderer, side: u32) -> Result<Picture> {
    let block = 2 * side + CAPTION;
    let across = COLUMNS * side + (COLUMNS + 1) * GAP;
    let mut sheet = Picture::new(across, SHOWN / COLUMNS * block + GAP, PAPER);
    for (place, body) in (0..SHOWN).zip(bodies::all()) {
        let mut character = body.character();
        bind_character(&mut character, &BindOptions::default())?;
        character.clips.push(trial_clip(&character));
        let options = ShotOptions {
            size: [side; 2],
            clip: Some(0),
            weight_colors: Some(WeightColors::Every),
            from: direction(0.6, 0.28),
            layers: 4,
            ..ShotOptions::default()
        };
        let mut shot = Shot::new(gpu, &character, options)?;
        let x = GAP + place % COLUMNS * (side + GAP);
        let y = GAP + place / COLUMNS * block;
        for (row, time_secs) in [(0, 0.0), (side, 1.0)] {
            let picture = shot.take(gpu, renderer, &character, time_secs)?;
            sheet.paste(&picture, x, y + row);
        }
        write_caption(&mut sheet, [x, y + 2 * side], side, body.name);
    }
    Ok(sheet)
}
