//! Textures that a picture is drawn into.

use super::formats::{
    DEPTH_FORMAT, HDR_FORMAT, MAX_HALVINGS, OCCLUSION_FORMAT, PICTURE_FORMAT, SAMPLES,
};
use crate::device::gpu::Gpu;
use crate::draw::error::RenderError;
use wgpu::{Texture, TextureFormat, TextureUsages, TextureView};

/// Max number of pixels. All targets together take about 100 bytes per pixel.
const MAX_PIXELS: u64 = 1 << 26;

/// Texture of the caller to draw into. Its size must be that of the [`View`](super::View).
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Texture view with the usage `RENDER_ATTACHMENT`.
    pub view: &'a TextureView,
    /// Format of the texture view: sRGB or float, which both take linear light.
    pub format: TextureFormat,
}

#[derive(Debug)]
pub(crate) struct Targets {
    pub size: [u32; 2],
    pub samples: TextureView,
    pub depth: TextureView,
    /// Light after the samples are resolved.
    pub light: TextureView,
    /// Sum of the light of several pictures.
    pub sum: TextureView,
    /// Picture behind glass, in levels of increasing blur.
    pub behind: TextureView,
    pub behind_levels: Vec<TextureView>,
    /// Depth of opaque surfaces at half size, for ambient occlusion.
    pub near_depth: TextureView,
    pub raw_occlusion: TextureView,
    pub occlusion: TextureView,
    /// Reflection in the floor, at half size.
    pub mirror: TextureView,
    pub mirror_depth: TextureView,
    /// Textures for bloom, each half the size of the previous one.
    pub halvings: Vec<TextureView>,
    pub picture: Texture,
}

impl Targets {
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, RenderError> {
        check_size(gpu, size)?;
        let view = |size: [u32; 2], format, samples, usage| {
            let texture = make(gpu, size, format, samples, usage, 1);
            texture.create_view(&Default::default())
        };
        let drawn = TextureUsages::RENDER_ATTACHMENT;
        let read = drawn | TextureUsages::TEXTURE_BINDING;
        let halved = |size: [u32; 2], times: u32| size.map(|s| (s >> times).max(1));
        let half = halved(size, 1);
        let halvings = (1..=MAX_HALVINGS as u32)
            .map(|times| halved(size, times))
            .take_while(|s| s[0] >= 8 && s[1] >= 8);
        let levels = size[0].max(size[1]).ilog2().min(8) + 1;
        let behind = make(gpu, size, HDR_FORMAT, 1, read, levels);
        let level = |level| {
            behind.create_view(&wgpu::TextureViewDescriptor {
                base_mip_level: level,
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        Ok(Self {
            size,
            sum: view(size, HDR_FORMAT, 1, read),
            behind: behind.create_view(&Default::default()),
            behind_levels: (0..levels).map(level).collect(),
            near_depth: view(half, DEPTH_FORMAT, 1, read),
            raw_occlusion: view(half, OCCLUSION_FORMAT, 1, read),
            occlusion: view(half, OCCLUSION_FORMAT, 1, read),
            samples: view(size, HDR_FORMAT, SAMPLES, drawn),
            depth: view(size, DEPTH_FORMAT, SAMPLES, drawn),
            light: view(size, HDR_FORMAT, 1, read),
            mirror: view(half, HDR_FORMAT, 1, read),
            mirror_depth: view(half, DEPTH_FORMAT, 1, drawn),
            halvings: halvings.map(|s| view(s, HDR_FORMAT, 1, read)).collect(),
            picture: make(
                gpu,
                size,
                PICTURE_FORMAT,
                1,
                drawn | TextureUsages::COPY_SRC,
                1,
            ),
        })
    }
}

pub(crate) fn check_size(gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
    let [width, height] = size;
    let max_side = gpu.device.limits().max_texture_dimension_2d;
    let pixels = u64::from(width) * u64::from(height);
    let fits = |side| (1..=max_side).contains(&side);
    if fits(width) && fits(height) && pixels <= MAX_PIXELS {
        return Ok(());
    }
    Err(RenderError::Size {
        width,
        height,
        max_side,
        max_pixels: MAX_PIXELS,
    })
}

fn make(
    gpu: &Gpu,
    [width, height]: [u32; 2],
    format: TextureFormat,
    sample_count: u32,
    usage: TextureUsages,
    mip_level_count: u32,
) -> Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
