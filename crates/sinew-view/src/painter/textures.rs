//! Textures that are drawn into, and their way back from the GPU.

use sinew_gpu::wgpu::{self, BufferUsages, TextureFormat, TextureUsages};
use sinew_gpu::{Gpu, GpuError, Picture};

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

/// A texture of four bytes a pixel as a picture. Waits for it.
///
/// # Errors
/// A refusal of the device.
pub fn read_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Picture, GpuError> {
    let (width, height) = (texture.width(), texture.height());
    let row = 4 * width as usize;
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
    let bytes = (padded * height as usize) as u64;
    let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    let buffer = gpu.buffer("picture", usage, bytes)?;
    let mut encoder = gpu.encoder();
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded as u32),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    gpu.submit(encoder);
    let data = gpu.read(&buffer, 0, bytes)?;
    let rows = data.chunks_exact(padded).map(|r| &r[..row]);
    let rgba = rows.collect::<Vec<_>>().concat();
    Ok(Picture::from_rgba(width, height, rgba)
        .unwrap_or_else(|| Picture::new(width, height, [0; 4])))
}
