//! Textures that are drawn into and read back.

use sinew_gpu::Gpu;
use sinew_gpu::wgpu::{self, TextureFormat, TextureUsages};

/// A texture to draw into and to read back, of four bytes a pixel. `used` and `view_formats` are its further uses and
/// the other formats that it is seen in.
pub fn drawn_texture(
    gpu: &Gpu,
    label: &str,
    [width, height]: [u32; 2],
    used: TextureUsages,
    view_formats: &[TextureFormat],
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: TextureFormat::Rgba8Unorm,
        usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC | used,
        view_formats,
    })
}
