//! The weights that were found, as a picture.

use crate::{files, outputs};
use anyhow::{Context, Result};
use sinew::Character;
use sinew_gpu::{
    Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction, find_front, write_png,
};
use sinew_rig::weights::trial_clip;
use std::path::{Path, PathBuf};

/// The file that --picture names.
pub fn path(text: &str) -> Result<PathBuf, String> {
    match files::output(text, &["png"])? {
        path if files::is_standard(&path) => Err("a picture goes into a file".to_owned()),
        path => Ok(path),
    }
}

/// A side of each half.
const SIDE: u32 = 560;

/// At rest on the left, with every joint bent on the right, each joint's weight in a colour of its own.
pub fn write(path: &Path, character: &Character) -> Result<()> {
    let why = "cannot draw the weights for --picture";
    let picture = draw(character).context(why)?;
    let what = "weights as colours, at rest and bent";
    outputs::write(path, what, |out| write_png(out, &picture))
}

fn draw(character: &Character) -> Result<Picture> {
    let mut character = character.clone();
    character.clips = vec![trial_clip(&character)];
    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let front = find_front(&character, None, 0.0);
    let options = ShotOptions {
        size: [SIDE; 2],
        clip: Some(0),
        weight_colors: Some(WeightColors::Every),
        from: direction(front.azimuth_rad + 0.55, 0.18),
        layers: 4,
        ..ShotOptions::default()
    };
    let mut shot = Shot::new(&gpu, &character, options)?;
    let mut both = Picture::new(2 * SIDE, SIDE, [0; 4]);
    for (x, time_secs) in [(0, 0.0), (SIDE, 1.0)] {
        let picture = shot.take(&gpu, &mut renderer, &character, time_secs)?;
        both.paste(&picture, x, 0);
    }
    Ok(both)
}
