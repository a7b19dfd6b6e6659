//! Decodes PNG, JPEG, WebP and KTX2 to pixels.

use super::basis::decode_ktx2;
use super::picture::check_size;
use super::pixels::Pixels;
use super::png_file::png_decoder;
use std::io::Cursor;

/// Decodes a picture. Its first bytes determine the format. The error is a text for the user.
pub(crate) fn decode(bytes: &[u8]) -> Result<Pixels, String> {
    match bytes {
        [] => Err("its file was not read".to_owned()),
        [0x89, b'P', b'N', b'G', ..] => decode_png(bytes),
        [0xff, 0xd8, ..] => decode_jpeg(bytes),
        [b'R', b'I', b'F', b'F', ..] => decode_webp(bytes),
        [0xab, b'K', b'T', b'X', ..] => decode_ktx2(bytes),
        _ => Err("it is neither PNG, JPEG, WebP nor KTX2".to_owned()),
    }
}

fn decode_png(bytes: &[u8]) -> Result<Pixels, String> {
    let mut decoder = png_decoder(bytes);
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
        ColorType::Rgb => opaque(&data),
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

fn opaque(rgb: &[u8]) -> Vec<u8> {
    let pixels = rgb.chunks_exact(3);
    pixels.flat_map(|c| [c[0], c[1], c[2], 255]).collect()
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
    if let Some(ColorSpace::CMYK | ColorSpace::YCCK) = decoder.input_colorspace() {
        return Err("its colours are CMYK; save it as RGB".to_owned());
    }
    let rgba = decoder.decode().map_err(|e| e.to_string())?;
    if rgba.len() != 4 * width as usize * height as usize {
        return Err("it ends too early".to_owned());
    }
    Ok(Pixels {
        width,
        height,
        rgba,
    })
}

fn decode_webp(bytes: &[u8]) -> Result<Pixels, String> {
    let mut decoder =
        image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let size = decoder.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; size];
    decoder.read_image(&mut data).map_err(|e| e.to_string())?;
    Ok(Pixels {
        width,
        height,
        rgba: if decoder.has_alpha() {
            data
        } else {
            opaque(&data)
        },
    })
}
