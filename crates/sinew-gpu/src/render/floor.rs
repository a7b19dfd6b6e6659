//! The floor that everything stands on, at y = 0.

use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::surface::material::{GpuMaterial, Uploads};
use crate::image::pixels::{Encoding, Pixels};
use glam::Vec2;
use sinew::Material;
use sinew::character::UvTransform;

/// A floor and how it looks.
#[derive(Debug)]
pub struct Floor {
    pub(super) material: GpuMaterial,
    /// Its middle: x and z.
    pub middle: Vec2,
    /// From the middle to an edge.
    pub half_size: f32,
    /// The part of light that it mirrors straight from above, 0 to 1; at grazing angles it is more.
    pub mirror: f32,
    /// The shift of its mirror image by its normal map, in parts of the picture.
    pub distortion: f32,
    /// The blur of its mirror image: the distance between its samples, in parts of the picture.
    pub blur: f32,
    /// The distance at which it begins to fade into the horizon, in parts of its half size.
    pub fade: f32,
    /// Units to a repeat of its textures.
    pub tile: f32,
    /// The distance from its middle at which it gives way to ground of another colour, which does not mirror.
    pub edge: f32,
    /// The linear red, green and blue of that ground.
    pub outside: [f32; 3],
    /// The linear red, green and blue of the lines of a grid on it.
    pub grid_color: [f32; 3],
    /// It runs into the background without a seam: only shadows are seen on it, unless it mirrors.
    pub is_backdrop: bool,
}

impl Floor {
    /// A floor of a material, with textures made by code.
    pub fn new(
        gpu: &Gpu,
        material: &Material,
        base: Option<&Pixels>,
        normal: Option<&Pixels>,
    ) -> Result<Self, GpuError> {
        let mut uploads = Uploads::new(gpu)?;
        let sampled = |pixels: Option<&Pixels>, encoding| match pixels {
            Some(pixels) => uploads.pixels(pixels, encoding).map(Some),
            None => Ok(None),
        };
        let base = sampled(base, Encoding::Srgb)?;
        let normal = sampled(normal, Encoding::Linear)?;
        Ok(Self {
            material: uploads.material(material, base, normal)?,
            middle: Vec2::ZERO,
            half_size: 20.0,
            mirror: 0.06,
            distortion: 0.0,
            blur: 0.004,
            fade: 0.1,
            tile: 1.0,
            edge: 1e9,
            outside: [0.0; 3],
            grid_color: [0.03, 0.035, 0.045],
            is_backdrop: false,
        })
    }

    /// A bright, faintly polished floor.
    pub fn studio(gpu: &Gpu) -> Result<Self, GpuError> {
        let material = Material {
            base_color: [0.36, 0.38, 0.41, 1.0],
            metallic: 0.0,
            roughness: 0.55,
            ..Material::default()
        };
        Self::new(gpu, &material, None, None)
    }

    /// A dark one.
    pub fn dark(gpu: &Gpu) -> Result<Self, GpuError> {
        let material = Material {
            base_color: [0.03, 0.033, 0.038, 1.0],
            metallic: 0.0,
            roughness: 0.45,
            ..Material::default()
        };
        Self::new(gpu, &material, None, None)
    }

    /// Moves its textures, the base colour's and the normal map's.
    pub fn set_uv(&mut self, gpu: &Gpu, base: &UvTransform, normal: &UvTransform) {
        self.material.set_uv(gpu, base, normal);
    }
}
