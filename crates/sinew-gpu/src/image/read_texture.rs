use super::picture::Picture;
use crate::device::error::GpuError;
use crate::device::gpu::{Gpu, Readback, arrived};
use wgpu::BufferUsages;

/// Reads a texture of four bytes per pixel and the usage `COPY_SRC`. Waits for the GPU.
///
/// # Errors
/// [`GpuError`] if the device is out of memory or cannot read the texture.
pub fn read_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Picture, GpuError> {
    let mut picture = read_texture_later(gpu, texture)?;
    gpu.wait()?;
    arrived(picture.take(gpu)?)
}

/// Starts to read a texture as [`read_texture`] does, without blocking.
///
/// # Errors
/// [`GpuError`] if the device is out of memory or cannot read the texture.
pub fn read_texture_later(gpu: &Gpu, texture: &wgpu::Texture) -> Result<PendingPicture, GpuError> {
    let (width, height) = (texture.width(), texture.height());
    let padded = (4 * width as usize).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
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
    Ok(PendingPicture {
        size: [width, height],
        padded,
        rows: gpu.read_later(&buffer, 0, bytes)?,
    })
}

/// Picture that is being read.
#[derive(Debug)]
pub struct PendingPicture {
    size: [u32; 2],
    /// Length of a row in bytes, with its padding.
    padded: usize,
    rows: Readback,
}

impl PendingPicture {
    /// Returns the picture once it has arrived, `None` before. Does not block.
    ///
    /// # Errors
    /// If the device was lost or the read failed.
    pub fn take(&mut self, gpu: &Gpu) -> Result<Option<Picture>, GpuError> {
        let Some(data) = self.rows.take(gpu)? else {
            return Ok(None);
        };
        let [width, height] = self.size;
        let rows = data.chunks_exact(self.padded);
        let rgba: Vec<&[u8]> = rows.map(|row| &row[..4 * width as usize]).collect();
        let picture = Picture::from_rgba(width, height, rgba.concat());
        Ok(Some(picture.expect("four bytes per pixel")))
    }
}
