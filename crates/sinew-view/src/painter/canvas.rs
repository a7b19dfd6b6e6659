//! The texture that a pane is drawn into and a window shows.

use super::textures::drawn_texture;
use sinew_gpu::wgpu::{self, TextureFormat, TextureUsages, TextureView};
use sinew_gpu::{Gpu, GpuError, Picture, read_texture};

/// A texture in two views: one that light is drawn through, and one that is shown as it is.
#[derive(Debug)]
pub struct Canvas {
    size: [u32; 2],
    pixels_per_point: f32,
    texture: wgpu::Texture,
    drawn: TextureView,
    shown: TextureView,
}

impl Canvas {
    /// What light is drawn as.
    pub const DRAWN: TextureFormat = TextureFormat::Rgba8UnormSrgb;

    /// A canvas for a place so many points wide and high, with so many pixels to a point. Its sides are at least one
    /// pixel long, and no longer than the device has them.
    pub fn new(gpu: &Gpu, points: [f32; 2], pixels_per_point: f32) -> Self {
        let size = Self::size_for(gpu, points, pixels_per_point);
        let used = TextureUsages::TEXTURE_BINDING;
        let texture = drawn_texture(gpu, "pane", size, used, &[Self::DRAWN]);
        let view = |format| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                format: Some(format),
                ..Default::default()
            })
        };
        Self {
            size,
            pixels_per_point: size[1] as f32 / points[1].max(1.0),
            drawn: view(Self::DRAWN),
            shown: view(TextureFormat::Rgba8Unorm),
            texture,
        }
    }

    /// Its pixels per row, and its rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// How large it would be made.
    pub fn size_for(gpu: &Gpu, points: [f32; 2], pixels_per_point: f32) -> [u32; 2] {
        let most = gpu.device.limits().max_texture_dimension_2d;
        points.map(|side| ((side * pixels_per_point).round() as u32).clamp(1, most))
    }

    /// How many of its rows are shown on a point.
    pub fn pixels_per_point(&self) -> f32 {
        self.pixels_per_point
    }

    /// What is drawn into.
    pub fn drawn(&self) -> &TextureView {
        &self.drawn
    }

    /// What is shown.
    pub fn shown(&self) -> &TextureView {
        &self.shown
    }

    /// What is drawn on it. Waits for it.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, GpuError> {
        read_texture(gpu, &self.texture)
    }
}
