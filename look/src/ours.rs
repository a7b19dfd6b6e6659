//! Draws a case with `sinew-gpu`.

use crate::case::{BACKGROUND, Case, SIZE, Tone};
use crate::environment;
use anyhow::Result;
use sinew::{Affine, Method};
use sinew_gpu::{
    Background, Environment, EnvironmentMap, Gpu, GpuCharacter, Lighting, Picture, Renderer,
    Shading, Stage, ToneMap, View, file_lamps, linear_to_srgb, srgb_to_linear,
};
use sinew_io::import_bytes;

/// GPU resources that all cases share.
#[derive(Debug)]
pub struct Ours {
    gpu: Gpu,
    renderer: Renderer,
    environment: Environment,
}

impl Ours {
    /// Opens the GPU and creates the pipelines.
    pub fn new() -> Result<Self> {
        let gpu = Gpu::new()?;
        let renderer = Renderer::new(&gpu)?;
        let map = EnvironmentMap {
            width: environment::WIDTH,
            height: environment::HEIGHT,
            rgb: environment::map(),
        };
        let environment = Environment::new(&gpu, &map)?;
        Ok(Self {
            gpu,
            renderer,
            environment,
        })
    }

    /// Draws a case.
    pub fn picture(&mut self, case: &Case) -> Result<Picture> {
        let character = import_bytes(&case.glb)?.character;
        let figure = GpuCharacter::new(&self.gpu, &character, Method::Linear)?;
        let pose = character.skeleton.rest_model();
        let stage = Stage {
            characters: vec![&figure],
            environment: case.environment.then_some(&self.environment),
            ..Stage::default()
        };
        let view = View {
            size: [SIZE; 2],
            camera: case.camera,
            lighting: Lighting {
                lamps: file_lamps(&character, &pose, &Affine::IDENTITY),
                ..Lighting::none()
            },
            shading: Shading::Physical,
            tone: match case.tone {
                Tone::None => ToneMap::None,
                Tone::Neutral => ToneMap::Neutral,
            },
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

/// Blends a picture over the background in linear light.
fn before_background(picture: &Picture, tone: Tone) -> Picture {
    let background = match tone {
        Tone::None => BACKGROUND,
        // The neutral tone map subtracts 0.04 from mid greys.
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
