use super::picture::Picture;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use wgpu::BufferUsages;

/// Reads a texture of four bytes per pixel and the usage `COPY_SRC`. Waits for the GPU.
///
/// # Errors
/// [`GpuError`] if the device is out of memory or cannot read the texture.
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
    Ok(Picture::from_rgba(width, height, rgba).expect("four bytes per pixel"))
}
