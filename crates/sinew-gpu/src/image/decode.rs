//! Decodes PNG, JPEG, WebP and KTX2 to pixels.

use super::basis::decode_ktx2;
use super::picture::check_size;
use super::pixels::Pixels;
use super::png_file::png_decoder;
use sinew::steps::pause;
use std::io::Cursor;

/// Decodes a picture, in [steps](sinew::steps). Its first bytes determine the format. The error is a text for the user.
pub(crate) async fn decode_in_steps(bytes: &[u8]) -> Result<Pixels, String> {
    pause().await;
    match bytes {
        [] => Err("its file was not read".to_owned()),
        [0x89, b'P', b'N', b'G', ..] => decode_png(bytes).await,
        [0xff, 0xd8, ..] => decode_jpeg(bytes),
        [b'R', b'I', b'F', b'F', ..] => decode_webp(bytes).await,
        [0xab, b'K', b'T', b'X', ..] => decode_ktx2(bytes),
        _ => Err("it is neither PNG, JPEG, WebP nor KTX2".to_owned()),
    }
}

#[cfg(test)]
pub(crate) fn decode(bytes: &[u8]) -> Result<Pixels, String> {
    sinew::steps::finish(decode_in_steps(bytes))
}

async fn decode_png(bytes: &[u8]) -> Result<Pixels, String> {
    let mut decoder = png_decoder(bytes);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let (width, height) = reader.info().size();
    check_size(width, height)?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; size];
    if reader.info().interlaced {
        reader.next_frame(&mut data).map_err(|e| e.to_string())?;
    } else {
        let row = reader.output_line_size(width).ok_or("it is too large")?;
        for (y, row) in data.chunks_exact_mut(row).enumerate() {
            if (y + 1).is_multiple_of(Pixels::rows_per_step(width)) {
                pause().await;
            }
            let read = reader.read_row(row).map_err(|e| e.to_string())?;
            read.ok_or("it ends early")?;
        }
    }
    use png::ColorType;
    let rgba = match reader.output_color_type().0 {
        ColorType::Rgba => data,
        ColorType::Rgb => widened(&data, |&[r, g, b]| [r, g, b, 255]).await,
        ColorType::GrayscaleAlpha => widened(&data, |&[c, a]| [c, c, c, a]).await,
        ColorType::Grayscale => widened(&data, |&[c]| [c, c, c, 255]).await,
        ColorType::Indexed => return Err("its palette was not expanded".to_owned()),
    };
    Ok(Pixels {
        width,
        height,
        rgba,
    })
}

/// Pixels of another kind as red, green, blue and opacity, in [steps](sinew::steps).
async fn widened<const N: usize>(data: &[u8], rgba: impl Fn(&[u8; N]) -> [u8; 4]) -> Vec<u8> {
    const STEP: usize = 1 << 20;
    let (pixels, _) = data.as_chunks::<N>();
    let mut wide = Vec::with_capacity(4 * pixels.len());
    for some in pixels.chunks(STEP) {
        wide.extend(some.iter().flat_map(&rgba));
        pause().await;
    }
    wide
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

async fn decode_webp(bytes: &[u8]) -> Result<Pixels, String> {
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
            widened(&data, |&[r, g, b]| [r, g, b, 255]).await
        },
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    /// Pixel at a position: noise, so that the compressed picture is long.
    fn noise(x: u32, y: u32) -> [u8; 4] {
        let mut hash = (y * 4093 + x).wrapping_mul(0x9e37_79b9);
        hash ^= hash >> 15;
        hash.wrapping_mul(0x85eb_ca6b).to_le_bytes()
    }

    fn png(width: u32, height: u32, color: png::ColorType) -> Vec<u8> {
        let channels = color.samples();
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| noise(x, y)));
        let data: Vec<u8> = pixels.flat_map(|p| p.into_iter().take(channels)).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&data).expect("written");
        writer.finish().expect("written");
        bytes
    }

    #[test]
    fn every_pixel_of_small_and_large_png_files_is_read() {
        use png::ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
        for (width, height) in [(1, 1), (7, 5), (256, 256), (1030, 515)] {
            for color in [Grayscale, GrayscaleAlpha, Rgb, Rgba] {
                let read = decode(&png(width, height, color));
                let read = read.unwrap_or_else(|why| panic!("{width} x {height} {color:?}: {why}"));
                assert_eq!((read.width, read.height), (width, height));
                for (at, rgba) in read.rgba.chunks_exact(4).enumerate() {
                    let [r, g, b, a] = noise(at as u32 % width, at as u32 / width);
                    let wanted = match color {
                        Grayscale => [r, r, r, 255],
                        GrayscaleAlpha => [r, r, r, g],
                        Rgb => [r, g, b, 255],
                        _ => [r, g, b, a],
                    };
                    assert_eq!(rgba, wanted, "{width} x {height} {color:?}, pixel {at}");
                }
            }
        }
    }

    #[test]
    fn a_png_that_ends_early_is_refused() {
        let bytes = png(256, 256, png::ColorType::Rgb);
        for length in [40, 1000, bytes.len() / 2, bytes.len() - 200] {
            assert!(decode(&bytes[..length]).is_err(), "{length}");
        }
    }
}
