//! Materials as passes bind them.

use super::error::RenderError;
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::image::pixels::{Encoding, Pixels};
use bytemuck::{Pod, Zeroable};
use sinew::Material;
use sinew::character::{Alpha, Character, TextureUse, TextureWrap, UV_IDENTITY, UvTransform};
use std::collections::HashMap;
use wgpu::{AddressMode, BindGroup, BindGroupLayout, Buffer, BufferUsages};

/// Twin of `Material` in material.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct MaterialUniform {
    pub base_color: [f32; 4],
    pub emissive: [f32; 3],
    pub metallic: f32,
    pub base_rows: [[f32; 4]; 2],
    pub normal_rows: [[f32; 4]; 2],
    pub roughness: f32,
    pub shininess: f32,
    pub highlight: f32,
    pub through: f32,
    pub normal_scale: f32,
    pub alpha_cutoff: f32,
    pub unused: [f32; 2],
}

fn rows(uv: &UvTransform) -> [[f32; 4]; 2] {
    uv.map(|[a, b, c]| [a, b, c, 0.0])
}

fn uv_rows(texture: Option<TextureUse>) -> [[f32; 4]; 2] {
    rows(&texture.map_or(UV_IDENTITY, |texture| texture.transform))
}

/// How much light shines through a surface with two sides, which is taken for a leaf or a cloth.
const THROUGH: f32 = 0.35;

/// Rougher surfaces that are not of metal do not mirror the sky.
const GLOSSY: f32 = 0.45;

/// What distinguishes the pipelines that surfaces are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Looks {
    pub textured: bool,
    pub normal_mapped: bool,
    pub masked: bool,
    pub blended: bool,
    pub two_sided: bool,
    pub unlit: bool,
    pub glossy: bool,
    pub flat_shaded: bool,
}

/// A material on the GPU.
#[derive(Debug)]
pub(crate) struct GpuMaterial {
    pub looks: Looks,
    pub bind_group: BindGroup,
    uniform: Buffer,
    values: MaterialUniform,
}

impl GpuMaterial {
    /// Moves its textures, the base colour's and the normal map's.
    pub fn set_uv(&mut self, gpu: &Gpu, base: &UvTransform, normal: &UvTransform) {
        self.values.base_rows = rows(base);
        self.values.normal_rows = rows(normal);
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.values));
    }
}

/// What `None` stands for: neither metal nor mirror, in light grey, so that its shape is seen.
pub(crate) fn plain() -> Material {
    Material {
        base_color: [0.7, 0.7, 0.7, 1.0],
        metallic: 0.0,
        roughness: 0.6,
        double_sided: true,
        ..Material::default()
    }
}

pub(crate) fn layout(gpu: &Gpu) -> BindGroupLayout {
    use bind::{SAMPLER, TEXTURE, UNIFORM};
    let kinds = [UNIFORM, TEXTURE, SAMPLER, TEXTURE, SAMPLER];
    bind::layout(gpu, "material", &kinds)
}

/// All materials of a character, and [`plain`] after them.
pub(crate) fn upload_all(
    gpu: &Gpu,
    character: &Character,
) -> Result<(Vec<GpuMaterial>, Vec<RenderError>), GpuError> {
    let mut uploads = Uploads::new(gpu)?;
    let mut materials = Vec::new();
    for material in &character.materials {
        let image = |used: Option<TextureUse>| {
            let texture = character.textures.get(used?.texture)?;
            Some((texture.image?, texture.wrap))
        };
        let mut texture = |used, encoding| match image(used) {
            Some((image, wrap)) => uploads.image(character, image, wrap, encoding),
            None => Ok(None),
        };
        let base = texture(material.base_color_texture, Encoding::Srgb)?;
        let normal = texture(material.normal_texture, Encoding::Linear)?;
        materials.push(uploads.material(material, base, normal)?);
    }
    materials.push(uploads.material(&plain(), None, None)?);
    Ok((materials, uploads.failed))
}

/// An image on the GPU and how it is read.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    view: wgpu::TextureView,
    wrap: [TextureWrap; 2],
}

/// Makes materials, each image once.
pub(crate) struct Uploads<'g> {
    gpu: &'g Gpu,
    layout: BindGroupLayout,
    white: wgpu::TextureView,
    images: HashMap<(usize, bool), Option<wgpu::TextureView>>,
    samplers: HashMap<[u8; 2], wgpu::Sampler>,
    failed: Vec<RenderError>,
}

impl<'g> Uploads<'g> {
    pub fn new(gpu: &'g Gpu) -> Result<Self, GpuError> {
        let white = Pixels::from_fn(1, 1, |_, _| [1.0; 4]);
        Ok(Self {
            gpu,
            layout: layout(gpu),
            white: white.upload(gpu, Encoding::Linear)?,
            images: HashMap::new(),
            samplers: HashMap::new(),
            failed: Vec::new(),
        })
    }

    /// An image of a character; one that cannot be decoded is noted and left out.
    fn image(
        &mut self,
        character: &Character,
        image: usize,
        wrap: [TextureWrap; 2],
        encoding: Encoding,
    ) -> Result<Option<Sampled>, GpuError> {
        let key = (image, encoding == Encoding::Srgb);
        if !self.images.contains_key(&key) {
            let pixels = character.images.get(image).map(Pixels::decode);
            let view = match pixels {
                Some(Ok(pixels)) => Some(pixels.upload(self.gpu, encoding)?),
                Some(Err(error)) => {
                    if !self.failed.contains(&error) {
                        self.failed.push(error);
                    }
                    None
                }
                None => None,
            };
            self.images.insert(key, view);
        }
        let view = self.images[&key].clone();
        Ok(view.map(|view| Sampled { view, wrap }))
    }

    /// An image made by code, that repeats.
    pub fn pixels(&self, pixels: &Pixels, encoding: Encoding) -> Result<Sampled, GpuError> {
        Ok(Sampled {
            view: pixels.upload(self.gpu, encoding)?,
            wrap: [TextureWrap::Repeat; 2],
        })
    }

    fn sampler(&mut self, wrap: [TextureWrap; 2]) -> wgpu::Sampler {
        let mode = |wrap| match wrap {
            TextureWrap::Repeat => AddressMode::Repeat,
            TextureWrap::Mirror => AddressMode::MirrorRepeat,
            TextureWrap::Clamp => AddressMode::ClampToEdge,
        };
        let make = || {
            self.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("material"),
                address_mode_u: mode(wrap[0]),
                address_mode_v: mode(wrap[1]),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            })
        };
        let key = wrap.map(|w| w as u8);
        self.samplers.entry(key).or_insert_with(make).clone()
    }

    pub fn material(
        &mut self,
        material: &Material,
        base: Option<Sampled>,
        normal: Option<Sampled>,
    ) -> Result<GpuMaterial, GpuError> {
        let looks = Looks {
            textured: base.is_some(),
            normal_mapped: normal.is_some() && !material.unlit,
            masked: matches!(material.alpha, Alpha::Mask(_)),
            blended: material.alpha == Alpha::Blend,
            two_sided: material.double_sided,
            unlit: material.unlit,
            glossy: material.roughness < GLOSSY || material.metallic > 0.0,
            flat_shaded: false,
        };
        let roughness = material.roughness.clamp(0.08, 1.0);
        let shininess = (0.5 / roughness.powi(4) - 0.5).max(1.0);
        let values = MaterialUniform {
            base_color: material.base_color,
            emissive: material.emissive,
            metallic: material.metallic,
            base_rows: uv_rows(material.base_color_texture),
            normal_rows: uv_rows(material.normal_texture),
            roughness,
            shininess,
            highlight: (shininess + 2.0) / 8.0,
            normal_scale: material.normal_scale,
            alpha_cutoff: match material.alpha {
                Alpha::Mask(cutoff) => cutoff,
                _ => 0.0,
            },
            through: match material.double_sided {
                true => THROUGH,
                false => 0.0,
            },
            unused: [0.0; 2],
        };
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let uniform = self
            .gpu
            .buffer_with("material", usage, bytemuck::bytes_of(&values))?;
        let repeat = [TextureWrap::Repeat; 2];
        let mut sampled = |texture: Option<Sampled>| match texture {
            Some(texture) => (texture.view, self.sampler(texture.wrap)),
            None => (self.white.clone(), self.sampler(repeat)),
        };
        let (base, normal) = (sampled(base), sampled(normal));
        use wgpu::BindingResource::{Sampler, TextureView};
        let resources = [
            uniform.as_entire_binding(),
            TextureView(&base.0),
            Sampler(&base.1),
            TextureView(&normal.0),
            Sampler(&normal.1),
        ];
        let bind_group = bind::group(self.gpu, &self.layout, &resources);
        Ok(GpuMaterial {
            looks,
            bind_group,
            uniform,
            values,
        })
    }
}
