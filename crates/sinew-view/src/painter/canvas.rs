use super::textures::drawn_texture;
use sinew_gpu::wgpu::{self, TextureFormat, TextureUsages, TextureView};
use sinew_gpu::{Gpu, GpuError, PendingPicture, read_texture_later};

/// Texture of a pane, with two views: an sRGB view to draw into, and a raw view to display.
#[derive(Debug)]
pub struct Canvas {
    size: [u32; 2],
    pixels_per_point: f32,
    texture: wgpu::Texture,
    drawn: TextureView,
    shown: TextureView,
}

impl Canvas {
    /// Format of the view to draw into.
    pub const DRAWN: TextureFormat = TextureFormat::Rgba8UnormSrgb;

    /// Creates a canvas for an area of `points`. Clamps each side to the limits of the device.
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

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Size in pixels of a canvas for an area of `points`.
    pub fn size_for(gpu: &Gpu, points: [f32; 2], pixels_per_point: f32) -> [u32; 2] {
        let max = gpu.device.limits().max_texture_dimension_2d;
        points.map(|side| ((side * pixels_per_point).round() as u32).clamp(1, max))
    }

    /// Pixels per point of the screen.
    pub fn pixels_per_point(&self) -> f32 {
        self.pixels_per_point
    }

    /// View to draw into.
    pub fn drawn(&self) -> &TextureView {
        &self.drawn
    }

    /// View to display.
    pub fn shown(&self) -> &TextureView {
        &self.shown
    }

    /// Starts to read the pixels back.
    ///
    /// # Errors
    /// If the device fails.
    pub fn read_later(&self, gpu: &Gpu) -> Result<PendingPicture, GpuError> {
        read_texture_later(gpu, &self.texture)
    }
}
