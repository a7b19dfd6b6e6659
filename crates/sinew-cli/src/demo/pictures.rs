//! The pictures of the demo: a contact sheet, and the figure in the grove, still and in motion.

use super::bodies;
use super::sheet::contact_sheet;
use crate::progress::Bar;
use crate::render::output::Output;
use crate::render::writer::write;
use anyhow::Result;
use serde::Serialize;
use sinew::Character;
use sinew_gpu::{Gpu, Renderer};
use sinew_samples::GroveShow;
use sinew_samples::mannequin::sword_form_bindings;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What was drawn, and how fast.
#[derive(Serialize)]
pub struct Pictures {
    pub adapter: String,
    pub sheet: PathBuf,
    pub bodies: PathBuf,
    pub still: PathBuf,
    pub moving: PathBuf,
    /// Machines made by code, moving.
    pub exhibits: PathBuf,
    /// Frames a second of the grove with all passes, without reading them back.
    pub grove_fps: f64,
    /// Of that, pixels per row and rows.
    pub grove_size: [u32; 2],
}

/// How large pictures are.
pub struct Sizes {
    /// A side of a picture on the contact sheet.
    tile: u32,
    still: [u32; 2],
    moving: [u32; 2],
    /// A side of an exhibit.
    exhibit: u32,
    fps: f64,
}

impl Sizes {
    pub fn new(small: bool) -> Self {
        match small {
            false => Self {
                tile: 400,
                still: [1280, 720],
                moving: [480, 270],
                exhibit: 280,
                fps: 12.0,
            },
            true => Self {
                tile: 96,
                still: [192, 108],
                moving: [96, 54],
                exhibit: 64,
                fps: 2.0,
            },
        }
    }
}

/// Of the figure with weights by `bind` and the one with weights by hand.
pub fn draw(
    gpu: &Gpu,
    folder: &Path,
    [person, by_hand]: [&Character; 2],
    sizes: &Sizes,
) -> Result<Pictures> {
    let mut renderer = Renderer::new(gpu)?;
    let sheet = folder.join("sheet.png");
    let picture = contact_sheet(gpu, &mut renderer, [person, by_hand], sizes.tile)?;
    write(&sheet, &picture)?;

    let bodies = folder.join("bodies.png");
    let picture = bodies::sheet(gpu, &mut renderer, sizes.tile / 2)?;
    write(&bodies, &picture)?;

    let fencer = &Character {
        bindings: sword_form_bindings(),
        ..person.clone()
    };
    let mut show = GroveShow::new(gpu, fencer.clone())?;
    let still = folder.join("grove-still.png");
    show.advance(gpu, 1.65)?;
    let size = sizes.still;
    let picture = renderer.render(gpu, &show.stage(), &show.view(size))?;
    write(&still, &picture)?;
    let begin = Instant::now();
    const TIMED: u32 = 6;
    for _ in 0..TIMED {
        show.advance(gpu, 1.0 / 30.0)?;
        renderer.draw(gpu, &show.stage(), &show.view(size))?;
        gpu.wait()?;
    }
    let grove_fps = f64::from(TIMED) / begin.elapsed().as_secs_f64();
    let moving = folder.join("grove.png");
    grove_in_motion(gpu, &mut renderer, fencer, &moving, sizes)?;
    let exhibits = folder.join("exhibits.png");
    super::exhibits::draw(gpu, &mut renderer, &exhibits, sizes.exhibit, sizes.fps)?;
    Ok(Pictures {
        adapter: gpu.name(),
        sheet,
        bodies,
        still,
        moving,
        exhibits,
        grove_fps,
        grove_size: size,
    })
}

fn grove_in_motion(
    gpu: &Gpu,
    renderer: &mut Renderer,
    person: &Character,
    path: &Path,
    sizes: &Sizes,
) -> Result<()> {
    let (size, fps) = (sizes.moving, sizes.fps);
    let mut show = GroveShow::new(gpu, person.clone())?;
    let frames = (show.duration_secs() * fps).round() as u32;
    // Once round first, so that dust of the last steps is in the air of the first frames.
    show.advance(gpu, show.duration_secs())?;
    let output = Output::file(path.to_owned());
    let mut writer = output.writer(size, frames as usize, fps, true)?;
    let bar = Bar::frames(u64::from(frames));
    for frame in 0..frames {
        let picture = renderer.render(gpu, &show.stage(), &show.view(size))?;
        writer.add(picture)?;
        show.advance(gpu, 1.0 / fps)?;
        bar.set(f64::from(frame + 1));
    }
    bar.clear();
    writer.finish()
}
