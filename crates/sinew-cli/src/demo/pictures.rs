//! Pictures of the demo: a contact sheet, and the figure in the grove, still and in motion.

use super::names::{BODIES, EXHIBITS, MOVING, PAGE, SHEET, STILL};
use super::sheet::contact_sheet;
use super::{bodies, page};
use crate::progress::Bar;
use crate::render::output::Output;
use crate::render::writer::write;
use anyhow::Result;
use serde::Serialize;
use sinew::Character;
use sinew_gpu::{Gpu, Renderer};
use sinew_samples::GroveShow;
use sinew_samples::mannequin::sword_form_bindings;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Files of the pictures, and the drawing speed.
#[derive(Serialize)]
pub struct Pictures {
    pub adapter: String,
    pub sheet: PathBuf,
    pub bodies: PathBuf,
    pub still: PathBuf,
    pub moving: PathBuf,
    /// Animation of machines made by code.
    pub exhibits: PathBuf,
    /// Page that shows all pictures.
    pub page: PathBuf,
    /// Frames per second of the grove with all passes, without reading back.
    pub grove_fps: f64,
    /// Width and height of the grove in pixels.
    pub grove_size: [u32; 2],
}

struct Sizes {
    tile: u32,
    still: [u32; 2],
    moving: [u32; 2],
    exhibit: u32,
    fps: f64,
    exhibit_fps: f64,
}

impl Sizes {
    fn new(small: bool) -> Self {
        if small {
            return Self {
                tile: 96,
                still: [192, 108],
                moving: [96, 54],
                exhibit: 64,
                fps: 2.0,
                exhibit_fps: 2.0,
            };
        }
        Self {
            tile: 400,
            still: [1280, 720],
            moving: [480, 270],
            exhibit: 200,
            fps: 10.0,
            exhibit_fps: 8.0,
        }
    }
}

/// Pictures in progress.
pub struct Drawing {
    gpu: Gpu,
    renderer: Renderer,
    folder: PathBuf,
    sizes: Sizes,
    show: GroveShow,
}

impl Drawing {
    /// Writes the first picture, a figure in the grove. It comes before other work, because the user waits for it.
    pub fn begin(gpu: Gpu, folder: &Path, person: &Character, small: bool) -> Result<Self> {
        let mut renderer = Renderer::new(&gpu)?;
        let sizes = Sizes::new(small);
        let fencer = Character {
            bindings: sword_form_bindings(),
            ..person.clone()
        };
        let mut show = GroveShow::new(&gpu, fencer)?;
        show.advance(&gpu, 1.65)?;
        let picture = renderer.render(&gpu, &show.stage(), &show.view(sizes.still))?;
        write(&folder.join(STILL), &picture)?;
        Ok(Self {
            gpu,
            renderer,
            folder: folder.to_owned(),
            sizes,
            show,
        })
    }

    /// Writes the other pictures and the page. `pair`: the figure with weights by `bind`, and with hand-made weights.
    pub fn rest(&mut self, pair: [&Character; 2]) -> Result<Pictures> {
        let (gpu, renderer) = (&self.gpu, &mut self.renderer);
        let sizes = &self.sizes;
        let file = |name: &str| self.folder.join(name);
        let grove_fps = frames_per_second(gpu, renderer, &mut self.show, sizes.still)?;
        write(
            &file(SHEET),
            &contact_sheet(gpu, renderer, pair, sizes.tile)?,
        )?;
        write(
            &file(BODIES),
            &bodies::sheet(gpu, renderer, sizes.tile / 2)?,
        )?;
        grove_in_motion(gpu, renderer, &mut self.show, &file(MOVING), sizes)?;
        super::exhibits::draw(
            gpu,
            renderer,
            &file(EXHIBITS),
            sizes.exhibit,
            sizes.exhibit_fps,
        )?;
        page::write(&file(PAGE))?;
        Ok(Pictures {
            adapter: gpu.name(),
            sheet: file(SHEET),
            bodies: file(BODIES),
            still: file(STILL),
            moving: file(MOVING),
            exhibits: file(EXHIBITS),
            page: file(PAGE),
            grove_fps,
            grove_size: sizes.still,
        })
    }
}

impl Pictures {
    pub fn describe(&self, out: &mut String) -> std::fmt::Result {
        let [width, height] = self.grove_size;
        writeln!(
            out,
            "\ngrove      {:.1} frames per second at {width} × {height} with all passes, by {}",
            self.grove_fps, self.adapter
        )
    }
}

fn frames_per_second(
    gpu: &Gpu,
    renderer: &mut Renderer,
    show: &mut GroveShow,
    size: [u32; 2],
) -> Result<f64> {
    const TIMED: u32 = 3;
    let begin = Instant::now();
    for _ in 0..TIMED {
        show.advance(gpu, 1.0 / 30.0)?;
        renderer.draw(gpu, &show.stage(), &show.view(size))?;
        gpu.wait()?;
    }
    Ok(f64::from(TIMED) / begin.elapsed().as_secs_f64())
}

fn grove_in_motion(
    gpu: &Gpu,
    renderer: &mut Renderer,
    show: &mut GroveShow,
    path: &Path,
    sizes: &Sizes,
) -> Result<()> {
    let (size, fps) = (sizes.moving, sizes.fps);
    let frames = (show.duration_secs() * fps).round() as u32;
    // Plays the loop once first, so that the first frames show dust of the last steps.
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
