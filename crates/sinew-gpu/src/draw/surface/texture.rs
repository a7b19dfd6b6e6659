//! Images of materials: decoding, mip levels and upload.

use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::error::RenderError;
use crate::image::decode::decode_in_steps;
use crate::image::pixels::{Encoding, Pixels};
use sinew::character::Image;
use sinew::steps::{finish, pause};
use std::borrow::Cow;
use wgpu::{Extent3d, TextureFormat, TextureUsages, TextureView};

impl Pixels {
    /// Decodes PNG, JPEG, WebP, or KTX2 with ETC1S or UASTC.
    pub fn decode(image: &Image) -> Result<Self, RenderError> {
        finish(Self::decode_in_steps(image))
    }

    /// As [`Pixels::decode`], in [steps](sinew::steps): some rows of a PNG each, and one for a picture of another format.
    pub(super) async fn decode_in_steps(image: &Image) -> Result<Self, RenderError> {
        let pixels = decode_in_steps(&image.bytes).await;
        pixels.map_err(|why| RenderError::Image {
            name: image.name.clone(),
            why,
        })
    }

    /// Uploads a texture with mip levels. Halves it until it fits the limit of the device.
    pub(crate) fn upload(&self, gpu: &Gpu, encoding: Encoding) -> Result<TextureView, GpuError> {
        finish(self.upload_in_steps(gpu, encoding))
    }

    /// As [`Pixels::upload`], in [steps](sinew::steps).
    pub(super) async fn upload_in_steps(
        &self,
        gpu: &Gpu,
        encoding: Encoding,
    ) -> Result<TextureView, GpuError> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if pixels == 0 || self.rgba.len() as u64 != 4 * pixels {
            return Err(GpuError::Pixels {
                width: self.width,
                height: self.height,
                found: self.rgba.len(),
            });
        }
        let max_side = gpu.device.limits().max_texture_dimension_2d;
        let mut level = Cow::Borrowed(self);
        while level.width.max(level.height) > max_side {
            level = Cow::Owned(level.halved(encoding).await);
        }
        let size = Extent3d {
            width: level.width,
            height: level.height,
            depth_or_array_layers: 1,
        };
        let mip_level_count = level.width.max(level.height).ilog2() + 1;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("texture"),
            size,
            mip_level_count,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: match encoding {
                Encoding::Srgb => TextureFormat::Rgba8UnormSrgb,
                Encoding::Linear => TextureFormat::Rgba8Unorm,
            },
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for mip_level in 0..mip_level_count {
            if mip_level > 0 {
                level = Cow::Owned(level.halved(encoding).await);
            }
            pause().await;
            write(gpu, &texture, mip_level, &level);
        }
        Ok(texture.create_view(&Default::default()))
    }
}

fn write(gpu: &Gpu, texture: &wgpu::Texture, mip_level: u32, level: &Pixels) {
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        },
        &level.rgba,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * level.width),
            rows_per_image: None,
        },
        Extent3d {
            width: level.width,
            height: level.height,
            depth_or_array_layers: 1,
        },
    );
}
