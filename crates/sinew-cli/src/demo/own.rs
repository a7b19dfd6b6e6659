//! The pictures of the demo with a mesh of the user, from bare to walking.

use super::names::{PAGE, RIGGED, STEPS, WALKING};
use super::page;
use crate::progress::Bar;
use crate::render::output::Output;
use crate::{bind, files, outputs};
use anyhow::Result;
use sinew::Character;
use sinew_gpu::{Framed, Gpu, Renderer, Shot, ShotOptions, direction, find_front};
use std::path::Path;

/// Side of the animation in pixels, and its frames per second.
const SIDE: u32 = 360;
const FPS: f64 = 12.0;

/// Rigs the mesh, and writes its pictures and their page.
pub fn run(mesh: &Path, folder: &Path, small: bool) -> Result<()> {
    let file = |name: &str| folder.join(name);
    let (rigged, steps) = (file(RIGGED), file(STEPS));
    bind::run(&bind::Arguments::of_mesh(mesh, &rigged, &steps)?)?;
    let character = files::load(&rigged)?.character;
    let walks = !character.clips.is_empty();
    if walks {
        let side = if small { SIDE / 4 } else { SIDE };
        draw_walk(&character, &file(WALKING), side)?;
    }
    page::write_own(&file(PAGE), walks)?;
    outputs::print(&format!(
        "\npictures   open {} in a browser to see them all\nwindow     sinew {}\n",
        file(PAGE).display(),
        rigged.display()
    ))
}

fn draw_walk(character: &Character, path: &Path, side: u32) -> Result<()> {
    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let clip = character.clips.len() - 1;
    let duration = f64::from(character.clips[clip].duration_secs);
    let front = find_front(character, None, 0.0);
    let options = ShotOptions::default()
        .size([side; 2])
        .clip(Some(clip))
        .framed(Framed::Motion)
        .from(direction(front.azimuth_rad + 0.7, 0.15))
        .layers(1);
    let mut shot = Shot::new(&gpu, character, options)?;
    let frames = ((duration * FPS).round() as usize).max(1);
    let output = Output::file(path.to_owned());
    let mut writer = output.writer([side; 2], frames, FPS, true)?;
    let bar = Bar::frames(frames as u64);
    for frame in 0..frames {
        let secs = duration * frame as f64 / frames as f64;
        writer.add(shot.take(&gpu, &mut renderer, character, secs)?)?;
        bar.set((frame + 1) as f64);
    }
    bar.clear();
    writer.finish()
}
