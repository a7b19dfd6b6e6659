//! The textures that a picture of a size is drawn into.

use super::formats::{
    DEPTH_FORMAT, HDR_FORMAT, MAX_HALVINGS, OPEN_FORMAT, PICTURE_FORMAT, SAMPLES,
};
use crate::device::gpu::Gpu;
use crate::draw::error::RenderError;
use wgpu::{Texture, TextureFormat, TextureUsages, TextureView};

/// Max count of pixels of a picture: all targets together take about 100 bytes for each, and a software adapter
/// takes them from the machine's own memory.
const MAX_PIXELS: u64 = 1 << 26;

/// A texture of the caller's to draw into, as large as the [`View`](super::View) says.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The view that is drawn into; its usage must have `RENDER_ATTACHMENT`.
    pub view: &'a TextureView,
    /// The view's format: an sRGB one, which takes light as it is, or one of floats.
    pub format: TextureFormat,
}

#[derive(Debug)]
pub(crate) struct Targets {
    pub size: [u32; 2],
    pub samples: TextureView,
    pub depth: TextureView,
    /// The samples resolved.
    pub light: TextureView,
    /// The light of several pictures, laid over each other.
    pub sum: TextureView,
    /// The picture behind glass, in levels of growing blur.
    pub behind: TextureView,
    pub behind_levels: Vec<TextureView>,
    /// The depth of what hides other things, half as wide and high, and how open it is there.
    pub near_depth: TextureView,
    pub open_parts: TextureView,
    pub open: TextureView,
    /// The picture that the floor mirrors, half as wide and high.
    pub mirror: TextureView,
    pub mirror_depth: TextureView,
    /// Each half as wide and high as the one before.
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
            open_parts: view(half, OPEN_FORMAT, 1, read),
            open: view(half, OPEN_FORMAT, 1, read),
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

/// Refuses sizes that cannot be drawn.
pub(crate) fn check_size(gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
    let [width, height] = size;
    let most = gpu.device.limits().max_texture_dimension_2d;
    let pixels = u64::from(width) * u64::from(height);
    let fits = |side| (1..=most).contains(&side);
    if fits(width) && fits(height) && pixels <= MAX_PIXELS {
        return Ok(());
    }
    Err(RenderError::Size {
        width,
        height,
        most,
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
