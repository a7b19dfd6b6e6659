//! Environment on the GPU: a cube map with levels of increasing roughness, down to diffuse light.

use super::formats::HDR_FORMAT;
use super::pipelines::screen::{draw_over, over_screen};
use super::pipelines::shader::{pipeline_layout, shader};
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::image::environment_map::EnvironmentMap;
use bytemuck::{Pod, Zeroable};
use wgpu::{Extent3d, TextureFormat, TextureUsages, TextureView};

/// Number of levels of the cube map. The last level has roughness 1.
const LEVELS: u32 = 6;

const SIDE: u32 = 256;

/// Prefiltered light from all directions. A clone shares the textures.
#[derive(Clone, Debug)]
pub struct Environment {
    pub(crate) view: TextureView,
    pub(crate) sampler: wgpu::Sampler,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct PrefilterUniform {
    face: u32,
    roughness: f32,
    samples: u32,
    pixels: f32,
}

impl Environment {
    /// Uploads a map and filters it for the roughness of each level, which takes a software adapter about a second.
    ///
    /// # Errors
    /// [`GpuError::Environment`] if [`EnvironmentMap::is_whole`] is false.
    pub fn new(gpu: &Gpu, map: &EnvironmentMap) -> Result<Self, GpuError> {
        Self::filtered(gpu, map, |level| 64 << (level / 2))
    }

    /// As [`Environment::new`], with a tenth of the work, for pictures until there is time for more: rough surfaces reflect
    /// spots.
    ///
    /// # Errors
    /// As [`Environment::new`].
    pub fn sketch(gpu: &Gpu, map: &EnvironmentMap) -> Result<Self, GpuError> {
        Self::filtered(gpu, map, |_| 6)
    }

    fn filtered(
        gpu: &Gpu,
        map: &EnvironmentMap,
        samples: impl Fn(u32) -> u32,
    ) -> Result<Self, GpuError> {
        if !map.is_whole() {
            return Err(GpuError::Environment {
                width: map.width,
                height: map.height,
                found: map.rgb.len(),
            });
        }
        let mut coarse = map.clone();
        let max_side = gpu.device.limits().max_texture_dimension_2d.min(4096);
        while coarse.width.max(coarse.height) > max_side {
            coarse = coarse.halved();
        }
        let (environment, cube) = Self::empty(gpu);
        let layout = bind::layout(
            gpu,
            "prefilter",
            &[bind::UNIFORM, bind::TEXTURE, bind::SAMPLER],
        );
        let module = shader(
            gpu,
            "prefilter",
            &[
                include_str!("../../shaders/screen.wgsl"),
                include_str!("../../shaders/prefilter.wgsl"),
            ],
        );
        let pipeline = over_screen(
            gpu,
            &pipeline_layout(gpu, &[Some(&layout)]),
            &module,
            "blur",
            &[],
            HDR_FORMAT,
            None,
        );
        let pixels = coarse.width as f32 * coarse.height as f32;
        let longitudes = upload(gpu, coarse);
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("longitudes"),
            address_mode_u: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let mut encoder = gpu.encoder();
        for level in 0..LEVELS {
            for face in 0..6 {
                let uniform = PrefilterUniform {
                    face,
                    roughness: level as f32 / (LEVELS - 1) as f32,
                    samples: if level == 0 { 1 } else { samples(level) },
                    pixels,
                };
                let usage = wgpu::BufferUsages::UNIFORM;
                let uniform = gpu.buffer_with("prefilter", usage, bytemuck::bytes_of(&uniform))?;
                use wgpu::BindingResource::{Sampler, TextureView};
                let bound = [
                    uniform.as_entire_binding(),
                    TextureView(&longitudes),
                    Sampler(&sampler),
                ];
                let group = bind::group(gpu, &layout, &bound);
                let view = cube.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(wgpu::TextureViewDimension::D2),
                    base_mip_level: level,
                    mip_level_count: Some(1),
                    base_array_layer: face,
                    array_layer_count: Some(1),
                    ..Default::default()
                });
                let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
                draw_over(&mut encoder, &view, clear, &pipeline, &group, None);
            }
        }
        gpu.submit(encoder);
        gpu.check()?;
        Ok(environment)
    }

    pub(crate) fn black(gpu: &Gpu) -> Self {
        Self::empty(gpu).0
    }

    fn empty(gpu: &Gpu) -> (Self, wgpu::Texture) {
        let cube = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("environment"),
            size: Extent3d {
                width: SIDE,
                height: SIDE,
                depth_or_array_layers: 6,
            },
            mip_level_count: LEVELS,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: HDR_FORMAT,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = cube.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::Cube),
            ..Default::default()
        });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("environment"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let environment = Self { view, sampler };
        (environment, cube)
    }
}

fn upload(gpu: &Gpu, map: EnvironmentMap) -> TextureView {
    let size = |map: &EnvironmentMap| Extent3d {
        width: map.width,
        height: map.height,
        depth_or_array_layers: 1,
    };
    let mip_level_count = map.width.max(map.height).ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("longitudes"),
        size: size(&map),
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: TextureFormat::Rgb9e5Ufloat,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let mut level = map;
    for mip_level in 0..mip_level_count {
        if mip_level > 0 {
            level = level.halved();
        }
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            bytemuck::cast_slice(&level.shared_exponents()),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * level.width),
                rows_per_image: None,
            },
            size(&level),
        );
    }
    texture.create_view(&Default::default())
}
