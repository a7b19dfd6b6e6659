//! Images of materials: decoded, halved into mip levels, and handed to the GPU.

use crate::render::RenderError;
use crate::{Gpu, GpuError};
use sinew::character::Image;
use std::io::Cursor;
use wgpu::{Extent3d, TextureFormat, TextureUsages, TextureView};

/// The most pixels that an image may decode to: 512 MiB of them.
const MOST_PIXELS: u64 = 1 << 27;

/// Red, green, blue and opacity, eight bits each, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a pixel.
    pub rgba: Vec<u8>,
}

/// What the numbers of an image mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Colours on sRGB's curve.
    Srgb,
    /// Plain numbers, as in normal maps.
    Linear,
}

impl Pixels {
    /// Decodes PNG or JPEG.
    pub fn decode(image: &Image) -> Result<Self, RenderError> {
        let bytes = image.bytes.as_slice();
        let decoded = match bytes {
            [] => Err("its file was not found".to_owned()),
            [0x89, b'P', b'N', b'G', ..] => decode_png(bytes),
            [0xff, 0xd8, ..] => decode_jpeg(bytes),
            _ => Err("it is neither PNG nor JPEG".to_owned()),
        };
        decoded.map_err(|why| RenderError::Image {
            name: image.name.clone(),
            why,
        })
    }

    /// From a function of column and row, in 0 to 1.
    pub fn from_fn(width: u32, height: u32, color: impl Fn(u32, u32) -> [f32; 4]) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let byte = |c: f32| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
        Self {
            width,
            height,
            rgba: pixels.flat_map(|(x, y)| color(x, y).map(byte)).collect(),
        }
    }

    /// Half as wide and high, each pixel the mean of up to four. An odd last row or column is left out.
    fn halved(&self, encoding: Encoding) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let columns = [2 * x, (2 * x + 1).min(self.width - 1)];
                let rows = [2 * y, (2 * y + 1).min(self.height - 1)];
                for channel in 0..4 {
                    let mut sum = 0.0;
                    for row in rows {
                        for column in columns {
                            let at = 4 * (row as usize * self.width as usize + column as usize);
                            sum += to_light(self.rgba[at + channel], channel, encoding);
                        }
                    }
                    rgba.push(from_light(sum / 4.0, channel, encoding));
                }
            }
        }
        Self {
            width,
            height,
            rgba,
        }
    }

    /// A texture with all its mip levels. An image larger than the device takes is made smaller by
    /// leaving out its largest levels.
    pub(crate) fn upload(&self, gpu: &Gpu, encoding: Encoding) -> Result<TextureView, GpuError> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if pixels == 0 || self.rgba.len() as u64 != 4 * pixels {
            return Err(GpuError::Pixels {
                width: self.width,
                height: self.height,
                found: self.rgba.len(),
            });
        }
        let most = gpu.device.limits().max_texture_dimension_2d;
        let mut level = self.clone();
        while level.width.max(level.height) > most {
            level = level.halved(encoding);
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
                level = level.halved(encoding);
            }
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
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
        Ok(texture.create_view(&Default::default()))
    }
}

fn to_light(byte: u8, channel: usize, encoding: Encoding) -> f32 {
    let x = f32::from(byte) / 255.0;
    match encoding {
        Encoding::Srgb if channel < 3 => srgb_to_linear(x),
        _ => x,
    }
}

fn from_light(x: f32, channel: usize, encoding: Encoding) -> u8 {
    let x = match encoding {
        Encoding::Srgb if channel < 3 => linear_to_srgb(x),
        _ => x,
    };
    (x * 255.0).round() as u8
}

/// sRGB's curve.
pub fn srgb_to_linear(x: f32) -> f32 {
    match x <= 0.04045 {
        true => x / 12.92,
        false => ((x + 0.055) / 1.055).powf(2.4),
    }
}

/// The way back.
pub fn linear_to_srgb(x: f32) -> f32 {
    match x <= 0.0031308 {
        true => x * 12.92,
        false => 1.055 * x.powf(1.0 / 2.4) - 0.055,
    }
}

fn check_size(width: u32, height: u32) -> Result<(), String> {
    let pixels = u64::from(width) * u64::from(height);
    match pixels {
        0 => Err("it has no pixels".to_owned()),
        p if p > MOST_PIXELS => Err(format!("it is {width} × {height}: too large to decode")),
        _ => Ok(()),
    }
}

fn decode_png(bytes: &[u8]) -> Result<Pixels, String> {
    let limits = png::Limits { bytes: 1 << 30 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    check_size(width, height)?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data).map_err(|e| e.to_string())?;
    data.truncate(info.buffer_size());
    use png::ColorType;
    let rgba: Vec<u8> = match info.color_type {
        ColorType::Rgba => data,
        ColorType::Rgb => data
            .chunks_exact(3)
            .flat_map(|c| [c[0], c[1], c[2], 255])
            .collect(),
        ColorType::GrayscaleAlpha => data
            .chunks_exact(2)
            .flat_map(|c| [c[0], c[0], c[0], c[1]])
            .collect(),
        ColorType::Grayscale => data.iter().flat_map(|&c| [c, c, c, 255]).collect(),
        ColorType::Indexed => return Err("its palette was not expanded".to_owned()),
    };
    Ok(Pixels {
        width,
        height,
        rgba,
    })
}

fn decode_jpeg(bytes: &[u8]) -> Result<Pixels, String> {
    use zune_jpeg::zune_core::{colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(1 << 15)
        .set_max_height(1 << 15);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(|e| e.to_string())?;
    let info = decoder.info().ok_or("it has no header")?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height)?;
    let rgba = decoder.decode().map_err(|e| e.to_string())?;
    match rgba.len() == 4 * width as usize * height as usize {
        true => Ok(Pixels {
            width,
            height,
            rgba,
        }),
        false => Err("it ends too early".to_owned()),
    }
}
