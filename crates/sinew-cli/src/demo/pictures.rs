//! The pictures of the demo: a contact sheet, and the figure in the grove, still and in motion.

use crate::progress::Bar;
use crate::render::output::Output;
use crate::render::writer::write;
use anyhow::Result;
use glam::Vec3;
use serde::Serialize;
use sinew::{Character, Method};
use sinew_gpu::{
    Camera, Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction, draw_text,
    text_width,
};
use sinew_samples::GroveShow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What was drawn, and how fast.
#[derive(Serialize)]
pub struct Pictures {
    pub adapter: String,
    pub sheet: PathBuf,
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

const GAP: u32 = 16;
const CAPTION: u32 = 40;
const PAPER: [u8; 4] = [244, 245, 247, 255];
const INK: [u8; 4] = [48, 54, 62, 255];

pub fn draw(gpu: &Gpu, folder: &Path, person: &Character, sizes: &Sizes) -> Result<Pictures> {
    let mut renderer = Renderer::new(gpu)?;
    let sheet = folder.join("sheet.png");
    let picture = contact_sheet(gpu, &mut renderer, person, sizes.tile)?;
    write(&sheet, &picture)?;

    let mut show = GroveShow::new(gpu, person.clone())?;
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
    grove_in_motion(gpu, &mut renderer, person, &moving, sizes)?;
    let exhibits = folder.join("exhibits.png");
    super::exhibits::draw(gpu, &mut renderer, &exhibits, sizes.exhibit, sizes.fps)?;
    Ok(Pictures {
        adapter: gpu.name(),
        sheet,
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

/// Two rows of three.
fn contact_sheet(
    gpu: &Gpu,
    renderer: &mut Renderer,
    person: &Character,
    tile: u32,
) -> Result<Picture> {
    let plain = ShotOptions {
        size: [tile; 2],
        layers: 4,
        ..ShotOptions::default()
    };
    let (walk, twist) = (person.find_clip("walk"), person.find_clip("shoulder twist"));
    let walking = |options: ShotOptions| ShotOptions {
        clip: walk,
        ..options
    };
    let twisted = |method| ShotOptions {
        clip: twist,
        methods: vec![method],
        from: direction(0.2, 0.1),
        ..plain.clone()
    };
    // A quarter of the way round the arm has turned farthest.
    let twist_secs = twist.map_or(0.0, |c| f64::from(person.clips[c].duration_secs) / 4.0);
    let wires = ShotOptions {
        wireframe: true,
        ..plain.clone()
    };
    let weights = walking(ShotOptions {
        weight_colors: Some(WeightColors::Every),
        ..plain.clone()
    });
    let skeleton = walking(ShotOptions {
        skeleton: true,
        grid: true,
        ..plain.clone()
    });
    let (linear, dual) = (twisted(Method::Linear), twisted(Method::DualQuat));
    let tiles = [
        ("bind pose", 0.0, wires),
        ("walk", 0.0, walking(plain.clone())),
        ("twisted shoulder, linear blend", twist_secs, linear),
        ("weights", 0.0, weights),
        ("skeleton", 0.0, skeleton),
        ("twisted shoulder, dual quaternion", twist_secs, dual),
    ];
    let across = 3 * tile + 4 * GAP;
    let down = 2 * (tile + CAPTION) + GAP;
    let mut sheet = Picture::new(across, down, PAPER);
    for (place, (caption, time, options)) in (0..).zip(tiles) {
        let (from, close) = (options.from, options.clip == twist);
        let mut shot = Shot::new(gpu, person, options)?;
        if close {
            let target = Vec3::new(0.26, 1.42, 0.0);
            shot.set_camera(Camera {
                eye: target + from * 1.1,
                target,
                near: 0.05,
                ..shot.camera()
            });
        }
        let picture = shot.take(gpu, renderer, person, time)?;
        let x = GAP + place % 3 * (tile + GAP);
        let y = GAP + place / 3 * (tile + CAPTION);
        sheet.paste(&picture, x, y);
        let height = 13.0;
        let middle = x as f32 + (tile as f32 - text_width(height, caption)) / 2.0;
        let below = (y + tile) as f32 + (CAPTION as f32 - GAP as f32 - height) / 2.0 + 4.0;
        draw_text(&mut sheet, [middle, below], height, INK, caption);
    }
    Ok(sheet)
}
