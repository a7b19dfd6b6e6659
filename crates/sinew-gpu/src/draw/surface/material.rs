//! Materials in the form that passes bind.

use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::error::RenderError;
use crate::draw::stage_curves::MaterialCurves;
use crate::image::pixels::{Encoding, Pixels};
use bytemuck::{Pod, Zeroable};
use sinew::Material;
use sinew::character::{
    Alpha, Character, MAX_TEXCOORD_SETS, Texture, TextureFilter, TextureUse, TextureWrap,
    UV_IDENTITY, UvTransform, Volume,
};
use sinew::property::{ObjectKind, Property};
use std::collections::HashMap;
use wgpu::{AddressMode, BindGroup, BindGroupLayout, Buffer, BufferUsages};

const SLOTS: usize = 12;

const BASE: usize = 0;
const NORMAL: usize = 2;

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct MaterialUniform {
    pub base_color: [f32; 4],
    pub emissive: [f32; 3],
    pub metallic: f32,
    pub sheen_color: [f32; 3],
    pub sheen_roughness: f32,
    pub specular_color: [f32; 3],
    pub specular: f32,
    pub roughness: f32,
    pub normal_scale: f32,
    pub occlusion: f32,
    pub alpha_cutoff: f32,
    pub clearcoat: f32,
    pub clearcoat_roughness: f32,
    pub clearcoat_normal_scale: f32,
    pub transmission: f32,
    pub shininess: f32,
    pub highlight: f32,
    pub through: f32,
    pub ior: f32,
    pub attenuation: [f32; 3],
    pub thickness: f32,
    pub brushed: [f32; 2],
    pub dispersion: f32,
    pub shows_normals: f32,
    pub uv_maps: [[[f32; 4]; 2]; SLOTS],
}

fn rows(uv: &UvTransform) -> [[f32; 4]; 2] {
    uv.map(|[a, b, c]| [a, b, c, 0.0])
}

/// Textures of a material in the order of the shader, with their encoding.
fn slots(material: &Material) -> [(Option<TextureUse>, Encoding); SLOTS] {
    use Encoding::{Linear, Srgb};
    let (specular, coat, sheen) = (&material.specular, &material.clearcoat, &material.sheen);
    [
        (material.base_color_texture, Srgb),
        (material.metallic_roughness_texture, Linear),
        (material.normal_texture, Linear),
        (material.occlusion_texture, Linear),
        (material.emissive_texture, Srgb),
        (specular.texture, Linear),
        (specular.color_texture, Srgb),
        (coat.texture, Linear),
        (coat.roughness_texture, Linear),
        (coat.normal_texture, Linear),
        (sheen.color_texture, Srgb),
        (sheen.roughness_texture, Linear),
    ]
}

/// Indices of the first two sets of texture coordinates that a material uses.
pub(crate) fn drawn_texcoords(material: &Material) -> [usize; MAX_TEXCOORD_SETS] {
    let mut sets = material.texcoords();
    let first = sets.next().unwrap_or(0);
    [first, sets.next().unwrap_or(first)]
}

fn uv_map(used: Option<TextureUse>, sets: [usize; MAX_TEXCOORD_SETS]) -> [[f32; 4]; 2] {
    let mut rows = rows(&used.map_or(UV_IDENTITY, |used| used.transform));
    let is_second = used.is_some_and(|used| used.texcoord == sets[1] && sets[1] != sets[0]);
    rows[0][3] = f32::from(u8::from(is_second));
    rows
}

/// Max roughness at which a dielectric mirrors the sky.
const GLOSSY: f32 = 0.45;

/// Max thickness, to avoid overflow.
const MAX_THICKNESS: f32 = 1e6;

/// Max samples of a texture at grazing angles (anisotropy) on a GPU in hardware. Software renderers, which would take
/// four times as long, use 1.
const ANISOTROPY: u16 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Looks {
    /// One bit per texture, set if the material has the texture.
    pub textures: u32,
    pub masked: bool,
    pub blended: bool,
    pub two_sided: bool,
    pub unlit: bool,
    pub glossy: bool,
    pub coated: bool,
    pub is_cloth: bool,
    pub is_glass: bool,
    pub is_brushed: bool,
    pub flat_shaded: bool,
    /// True if the triangles are mirrored.
    pub mirrored: bool,
    /// True if the normals point inward.
    pub inverted: bool,
}

impl Looks {
    /// Values of the shader constants.
    pub fn constants(self) -> [(&'static str, f64); 12] {
        let on = |flag: bool| f64::from(u8::from(flag));
        [
            ("textures", f64::from(self.textures)),
            ("masked", on(self.masked)),
            ("flat_shaded", on(self.flat_shaded)),
            ("two_sided", on(self.two_sided)),
            ("unlit", on(self.unlit)),
            ("glossy", on(self.glossy)),
            ("coated", on(self.coated)),
            ("is_cloth", on(self.is_cloth)),
            ("is_glass", on(self.is_glass)),
            ("is_brushed", on(self.is_brushed)),
            ("blended", on(self.blended)),
            ("inverted", on(self.inverted)),
        ]
    }
}

#[derive(Debug)]
pub(crate) struct GpuMaterial {
    pub looks: Looks,
    pub bind_group: BindGroup,
    uniform: Buffer,
    values: MaterialUniform,
    texcoords: [usize; MAX_TEXCOORD_SETS],
}

impl GpuMaterial {
    /// Sets the fraction of the light on the back that shines through, as through a leaf.
    pub fn set_translucency(&mut self, gpu: &Gpu, part: f32) {
        self.values.through = part;
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.values));
    }

    /// Shows normals as colours. The material must be unlit.
    pub fn show_normals(&mut self, gpu: &Gpu) {
        self.values.shows_normals = 1.0;
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.values));
    }

    /// Shows a material with the same textures, with curves of the stage over it.
    pub fn show(&self, gpu: &Gpu, material: &Material, curves: &MaterialCurves) {
        let mut values = MaterialUniform {
            through: self.values.through,
            shows_normals: self.values.shows_normals,
            ..uniform_of(material, self.texcoords)
        };
        for map in &mut values.uv_maps {
            let own = map.map(|[a, b, c, _]| [a, b, c]);
            let moved = curves.uv_after(&own);
            for (row, moved) in map.iter_mut().zip(moved) {
                row[..3].copy_from_slice(&moved);
            }
        }
        let [r, g, b, opacity] = values.base_color;
        let [r, g, b] = curves.color.unwrap_or([r, g, b]);
        values.base_color = [r, g, b, curves.opacity.unwrap_or(opacity)];
        values.emissive = curves.emissive.unwrap_or(values.emissive);
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&values));
    }

    /// Sets the transforms of the base colour texture and the normal map.
    pub fn set_uv(&mut self, gpu: &Gpu, base: &UvTransform, normal: &UvTransform) {
        self.values.uv_maps[BASE] = rows(base);
        self.values.uv_maps[NORMAL] = rows(normal);
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&self.values));
    }
}

/// Absorption per world unit: minus the logarithm of the remaining light.
fn attenuation(volume: &Volume) -> [f32; 3] {
    let lost = |color: f32| -color.clamp(1e-4, 1.0).ln() / volume.attenuation_distance.max(1e-6);
    volume.attenuation_color.map(lost)
}

fn uniform_of(material: &Material, sets: [usize; MAX_TEXCOORD_SETS]) -> MaterialUniform {
    let uses = slots(material);
    let roughness = material.roughness.clamp(0.08, 1.0);
    let shininess = (0.5 / roughness.powi(4) - 0.5).max(1.0);
    let bent = ((material.ior - 1.0) / (material.ior + 1.0)).powi(2);
    MaterialUniform {
        base_color: material.base_color,
        emissive: material.emissive.map(|c| c * material.emissive_strength),
        metallic: material.metallic,
        sheen_color: material.sheen.color,
        sheen_roughness: material.sheen.roughness,
        specular_color: material.specular.color.map(|c| c * bent),
        specular: material.specular.strength,
        roughness: material.roughness.clamp(0.0, 1.0),
        normal_scale: material.normal_scale,
        occlusion: material.occlusion_strength,
        alpha_cutoff: match material.alpha {
            Alpha::Mask(cutoff) => cutoff,
            _ => 0.0,
        },
        clearcoat: material.clearcoat.strength,
        clearcoat_roughness: material.clearcoat.roughness,
        clearcoat_normal_scale: material.clearcoat.normal_scale,
        transmission: material.transmission.strength,
        shininess,
        highlight: (shininess + 2.0) / 8.0,
        through: 0.0,
        ior: material.ior.max(1.0),
        attenuation: attenuation(&material.volume),
        thickness: material.volume.thickness.clamp(0.0, MAX_THICKNESS),
        brushed: {
            let (sin, cos) = material.anisotropy.rotation_rad.sin_cos();
            [cos, sin].map(|c| c * material.anisotropy.strength)
        },
        dispersion: material.dispersion,
        shows_normals: 0.0,
        uv_maps: std::array::from_fn(|slot| uv_map(uses[slot].0, sets)),
    }
}

/// Matt light grey, for primitives without a material.
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
    let mut kinds = vec![bind::UNIFORM];
    kinds.extend([bind::TEXTURE, bind::SAMPLER].repeat(SLOTS));
    bind::layout(gpu, "material", &kinds)
}

pub(crate) async fn upload_all(
    gpu: &Gpu,
    character: &Character,
) -> Result<(Vec<GpuMaterial>, Vec<RenderError>), GpuError> {
    let mut uploads = Uploads::new(gpu)?;
    let mut materials = Vec::new();
    let mut driven = vec![Vec::new(); character.materials.len()];
    for (index, property, _) in character.driven_properties() {
        if property.kind() == ObjectKind::Material {
            driven[index].push(property);
        }
    }
    for (material, driven) in character.materials.iter().zip(driven) {
        let mut sampled = std::array::from_fn(|_| None);
        for (slot, (used, encoding)) in slots(material).into_iter().enumerate() {
            let texture = used.and_then(|used| character.textures.get(used.texture));
            if let Some(texture) = texture {
                sampled[slot] = uploads.image(character, texture, encoding).await?;
            }
        }
        materials.push(uploads.with_textures(material, sampled, &driven)?);
    }
    materials.push(uploads.material(&plain(), None, None)?);
    Ok((materials, uploads.failed))
}

#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    view: wgpu::TextureView,
    texture: Texture,
}

pub(crate) struct Uploads<'g> {
    gpu: &'g Gpu,
    layout: BindGroupLayout,
    white: wgpu::TextureView,
    images: HashMap<(usize, bool), Option<wgpu::TextureView>>,
    samplers: HashMap<[u8; 4], wgpu::Sampler>,
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

    async fn image(
        &mut self,
        character: &Character,
        texture: &Texture,
        encoding: Encoding,
    ) -> Result<Option<Sampled>, GpuError> {
        let Some(image) = texture.image else {
            return Ok(None);
        };
        let key = (image, encoding == Encoding::Srgb);
        if !self.images.contains_key(&key) {
            let pixels = match character.images.get(image) {
                Some(image) => Some(Pixels::decode_in_steps(image).await),
                None => None,
            };
            let view = match pixels {
                Some(Ok(pixels)) => Some(pixels.upload_in_steps(self.gpu, encoding).await?),
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
        let texture = *texture;
        Ok(view.map(|view| Sampled { view, texture }))
    }

    /// Image made by code, which repeats.
    pub fn pixels(&self, pixels: &Pixels, encoding: Encoding) -> Result<Sampled, GpuError> {
        Ok(Sampled {
            view: pixels.upload(self.gpu, encoding)?,
            texture: Texture::default(),
        })
    }

    fn sampler(&mut self, texture: &Texture) -> wgpu::Sampler {
        let mode = |wrap| match wrap {
            TextureWrap::Repeat => AddressMode::Repeat,
            TextureWrap::Mirror => AddressMode::MirrorRepeat,
            TextureWrap::Clamp => AddressMode::ClampToEdge,
        };
        let filter = |filter| match filter {
            TextureFilter::Linear => wgpu::FilterMode::Linear,
            TextureFilter::Nearest => wgpu::FilterMode::Nearest,
        };
        let (wrap, magnified, minified) = (texture.wrap, texture.magnified, texture.minified);
        let is_smooth = magnified == TextureFilter::Linear && minified == TextureFilter::Linear;
        let make = || {
            self.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("material"),
                address_mode_u: mode(wrap[0]),
                address_mode_v: mode(wrap[1]),
                mag_filter: filter(magnified),
                min_filter: filter(minified),
                mipmap_filter: match minified {
                    TextureFilter::Linear => wgpu::MipmapFilterMode::Linear,
                    TextureFilter::Nearest => wgpu::MipmapFilterMode::Nearest,
                },
                anisotropy_clamp: if is_smooth && !self.gpu.is_software() {
                    ANISOTROPY
                } else {
                    1
                },
                ..Default::default()
            })
        };
        let key = [
            wrap[0] as u8,
            wrap[1] as u8,
            magnified as u8,
            minified as u8,
        ];
        self.samplers.entry(key).or_insert_with(make).clone()
    }

    /// Material with an optional base colour texture and normal map made by code.
    pub fn material(
        &mut self,
        material: &Material,
        base: Option<Sampled>,
        normal: Option<Sampled>,
    ) -> Result<GpuMaterial, GpuError> {
        let mut sampled = std::array::from_fn(|_| None);
        sampled[BASE] = base;
        sampled[NORMAL] = normal;
        self.with_textures(material, sampled, &[])
    }

    fn with_textures(
        &mut self,
        material: &Material,
        sampled: [Option<Sampled>; SLOTS],
        driven: &[Property],
    ) -> Result<GpuMaterial, GpuError> {
        let has = |property| driven.contains(&property);
        let bits = sampled.iter().enumerate();
        let bits = bits.map(|(slot, used)| u32::from(used.is_some()) << slot);
        let looks = Looks {
            textures: if material.unlit {
                u32::from(sampled[BASE].is_some()) << BASE
            } else {
                bits.sum()
            },
            masked: matches!(material.alpha, Alpha::Mask(_)),
            blended: material.alpha == Alpha::Blend,
            two_sided: material.double_sided,
            unlit: material.unlit,
            glossy: material.roughness < GLOSSY
                || material.metallic > 0.0
                || has(Property::Roughness)
                || has(Property::Metallic),
            coated: material.clearcoat.strength > 0.0 || has(Property::Clearcoat),
            is_cloth: material.sheen.color != [0.0; 3] || has(Property::SheenColor),
            is_glass: material.transmission.strength > 0.0 || has(Property::Transmission),
            is_brushed: material.anisotropy.strength > 0.0 || has(Property::Anisotropy),
            flat_shaded: false,
            mirrored: false,
            inverted: false,
        };
        let texcoords = drawn_texcoords(material);
        let values = uniform_of(material, texcoords);
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let uniform = self
            .gpu
            .buffer_with("material", usage, bytemuck::bytes_of(&values))?;
        let sampled = sampled.map(|used| match used {
            Some(used) => (used.view, self.sampler(&used.texture)),
            None => (self.white.clone(), self.sampler(&Texture::default())),
        });
        use wgpu::BindingResource::{Sampler, TextureView};
        let mut resources = vec![uniform.as_entire_binding()];
        for (view, sampler) in &sampled {
            resources.extend([TextureView(view), Sampler(sampler)]);
        }
        let bind_group = bind::group(self.gpu, &self.layout, &resources);
        Ok(GpuMaterial {
            looks,
            bind_group,
            uniform,
            values,
            texcoords,
        })
    }
}
