use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::surface::material::{GpuMaterial, Uploads};
use crate::image::pixels::{Encoding, Pixels};
use glam::Vec2;
use sinew::Material;
use sinew::character::UvTransform;

/// Appearance of a floor at y = 0.
#[derive(Debug)]
pub struct Floor {
    pub(super) material: GpuMaterial,
    /// Centre of the floor: x and z in world space.
    pub middle: Vec2,
    /// Distance from the centre to an edge, in world units.
    pub half_size: f32,
    /// Reflectance at normal incidence, in [0, 1]. It increases at grazing angles.
    pub mirror: f32,
    /// Shift of the reflection by the normal map, as a fraction of the picture size.
    pub distortion: f32,
    /// Blur of the reflection: distance between its samples, as a fraction of the picture size.
    pub blur: f32,
    /// Distance at which the floor begins to fade into the horizon, as a fraction of `half_size`.
    pub fade: f32,
    /// World units per repetition of the textures.
    pub tile: f32,
    /// Distance from the centre at which the ground without reflections begins, in world units.
    pub edge: f32,
    /// Linear colour of the ground beyond [`Self::edge`].
    pub outside: [f32; 3],
    /// Linear colour of the grid lines.
    pub grid_color: [f32; 3],
    /// True if the floor blends into the background. It then shows only shadows, unless it mirrors.
    pub is_backdrop: bool,
}

impl Floor {
    /// Floor with a material, and with textures made by code.
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

    /// Bright, slightly polished floor.
    pub fn studio(gpu: &Gpu) -> Result<Self, GpuError> {
        let material = Material {
            base_color: [0.36, 0.38, 0.41, 1.0],
            metallic: 0.0,
            roughness: 0.55,
            ..Material::default()
        };
        Self::new(gpu, &material, None, None)
    }

    /// Dark, slightly polished floor.
    pub fn dark(gpu: &Gpu) -> Result<Self, GpuError> {
        let material = Material {
            base_color: [0.03, 0.033, 0.038, 1.0],
            metallic: 0.0,
            roughness: 0.45,
            ..Material::default()
        };
        Self::new(gpu, &material, None, None)
    }

    /// Sets the transforms of the base colour texture and of the normal map.
    pub fn set_uv(&mut self, gpu: &Gpu, base: &UvTransform, normal: &UvTransform) {
        self.material.set_uv(gpu, base, normal);
    }
}
