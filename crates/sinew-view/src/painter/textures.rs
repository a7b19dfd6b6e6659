use sinew_gpu::Gpu;
use sinew_gpu::wgpu::{self, TextureFormat, TextureUsages};

/// Creates a texture of four bytes per pixel to draw into and read back.
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
