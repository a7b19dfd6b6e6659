//! Our side: a case drawn by `sinew-gpu`.

use crate::case::{BACKGROUND, Case, SIZE, Tone};
use anyhow::Result;
use sinew::Method;
use sinew_gpu::{
    Background, Gpu, GpuCharacter, Lighting, Picture, Renderer, Stage, View, linear_to_srgb,
    srgb_to_linear,
};
use sinew_io::import_bytes;

/// What all cases are drawn with.
#[derive(Debug)]
pub struct Ours {
    gpu: Gpu,
    renderer: Renderer,
}

impl Ours {
    /// The GPU, and pipelines.
    pub fn new() -> Result<Self> {
        let gpu = Gpu::new()?;
        let renderer = Renderer::new(&gpu)?;
        Ok(Self { gpu, renderer })
    }

    /// A case as we draw it.
    pub fn picture(&mut self, case: &Case) -> Result<Picture> {
        let character = import_bytes(&case.glb)?.character;
        let figure = GpuCharacter::new(&self.gpu, &character, Method::Linear)?;
        let stage = Stage {
            characters: vec![&figure],
            ..Stage::default()
        };
        let view = View {
            size: [SIZE; 2],
            camera: case.camera,
            lighting: Lighting::studio(),
            shadow: false,
            reflection: false,
            bloom: 0.0,
            background: Background::Clear,
            ..View::default()
        };
        let picture = self.renderer.render(&self.gpu, &stage, &view)?;
        Ok(before_background(&picture, case.tone))
    }
}

/// Puts the background behind a picture, mixed as light.
fn before_background(picture: &Picture, tone: Tone) -> Picture {
    let background = match tone {
        Tone::None => BACKGROUND,
        // What the neutral tone map makes of a grey that is neither dark nor bright.
        Tone::Neutral => BACKGROUND - 0.04,
    };
    let mut whole = picture.clone();
    for y in 0..picture.height() {
        for x in 0..picture.width() {
            let [r, g, b, part] = picture.pixel(x, y).map(|c| f32::from(c) / 255.0);
            let mix = |c: f32| srgb_to_linear(c) * part + background * (1.0 - part);
            let [r, g, b] = [r, g, b].map(|c| (linear_to_srgb(mix(c)) * 255.0).round() as u8);
            whole.set_pixel(x, y, [r, g, b, 255]);
        }
    }
    whole
}
