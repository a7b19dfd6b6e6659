//! Animations of machines made by code: a robot arm, a car, a figure of ten parts, and a solar system.

use crate::progress::Bar;
use crate::render::output::Output;
use anyhow::Result;
use sinew::Character;
use sinew_gpu::{Framed, Gpu, Picture, Renderer, Shot, ShotOptions, direction, label};
use std::path::Path;

const GAP: u32 = 4;

/// Draws two rows of two machines.
pub fn draw(gpu: &Gpu, renderer: &mut Renderer, path: &Path, tile: u32, fps: f64) -> Result<()> {
    const SECS: f64 = 5.0;
    let exhibits: [(&str, Character, [f32; 2]); 4] = [
        (
            "robot arm",
            sinew_samples::robot_arm_character(),
            [0.6, 0.3],
        ),
        ("car", sinew_samples::car_character(), [0.9, 0.5]),
        ("humanoid", sinew_samples::humanoid_character(), [0.7, 0.1]),
        (
            "solar system",
            sinew_samples::solar_system_character(),
            [0.4, 0.6],
        ),
    ];
    let mut shots = Vec::new();
    for (_, character, [azimuth, elevation]) in &exhibits {
        let options = ShotOptions::default()
            .size([tile; 2])
            .clip(Some(0))
            .framed(Framed::Motion)
            .from(direction(*azimuth, *elevation))
            .layers(1);
        shots.push(Shot::new(gpu, character, options)?);
    }
    let frames = (SECS * fps).round() as usize;
    let side = 2 * tile + GAP;
    let output = Output::file(path.to_owned());
    let mut writer = output.writer([side; 2], frames, fps, true)?;
    let bar = Bar::frames(frames as u64);
    for frame in 0..frames {
        let mut sheet = Picture::new(side, side, [255; 4]);
        let tiles = shots.iter_mut().zip(&exhibits).enumerate();
        for (cell, (shot, (name, character, _))) in tiles {
            let clip = f64::from(character.clips[0].duration_secs);
            // Short clips repeat, so that each plays at about its original speed.
            let times = (SECS / clip).round().max(1.0);
            let time = (clip * times * frame as f64 / frames as f64) % clip;
            let mut picture = shot.take(gpu, renderer, character, time)?;
            label(&mut picture, name, shot.ink());
            let (column, row) = (cell as u32 % 2, cell as u32 / 2);
            sheet.paste(&picture, column * (tile + GAP), row * (tile + GAP));
        }
        writer.add(sheet)?;
        bar.set((frame + 1) as f64);
    }
    bar.clear();
    writer.finish()
}
