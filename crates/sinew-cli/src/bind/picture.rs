//! Pictures of weights.

use crate::{files, outputs};
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::Character;
use sinew_gpu::{
    Framed, Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction, find_front,
    write_png,
};
use sinew_rig::weights::trial_clip;
use std::path::{Path, PathBuf};

/// Parses the value of --picture.
pub fn path(text: &str) -> Result<PathBuf, String> {
    match files::output(text, &["png"])? {
        path if files::is_standard(&path) => Err("the picture must go to a file".to_owned()),
        path => Ok(path),
    }
}

const SIDE: u32 = 560;

/// Writes a picture of the weights as colours: at rest on the left, every joint bent on the right.
pub fn write(path: &Path, character: &Character) -> Result<()> {
    let why = "cannot draw the weights for --picture";
    let picture = draw(character).context(why)?;
    let what = "weights as colours, at rest and bent";
    outputs::write(path, what, |out| write_png(out, &picture))
}

fn draw(character: &Character) -> Result<Picture> {
    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let front = find_front(character, None, 0.0);
    let from = direction(front.azimuth_rad + 0.55, 0.18);
    let mut both = Picture::new(2 * SIDE, SIDE, [0; 4]);
    let halves = rest_and_bent(&gpu, &mut renderer, character, from, SIDE)?;
    for (x, half) in [0, SIDE].into_iter().zip(halves) {
        both.paste(&half, x, 0);
    }
    Ok(both)
}

/// Draws weights as colours in two pictures: at rest, and with every joint bent.
pub fn rest_and_bent(
    gpu: &Gpu,
    renderer: &mut Renderer,
    character: &Character,
    from: Vec3,
    side: u32,
) -> Result<[Picture; 2]> {
    let mut character = character.clone();
    character.clips = vec![trial_clip(&character)];
    character.layers.clear();
    let mut take = |time_secs: f64| {
        let options = ShotOptions::default()
            .size([side; 2])
            .clip(Some(0))
            .framed(Framed::Moment(time_secs))
            .weight_colors(Some(WeightColors::Every))
            .from(from)
            .layers(4);
        let mut shot = Shot::new(gpu, &character, options)?;
        shot.take(gpu, renderer, &character, time_secs)
    };
    Ok([take(0.0)?, take(1.0)?])
}
