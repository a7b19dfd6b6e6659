use super::part::Part;
use super::picture::{Picture, check_size};
use png::{BitDepth, ColorType, Compression, EncodingError};
use std::io::{self, Write};

/// Writes a PNG. Opacity is omitted if all pixels are opaque.
pub fn write_png(out: &mut dyn Write, picture: &Picture) -> io::Result<()> {
    write_packed(out, picture, Compression::Balanced)
}

pub(super) fn write_png_fast(out: &mut dyn Write, picture: &Picture) -> io::Result<()> {
    write_packed(out, picture, Compression::Fast)
}

fn write_packed(out: &mut dyn Write, picture: &Picture, packed: Compression) -> io::Result<()> {
    let opaque = is_opaque(picture);
    let mut encoder = encoder(out, picture.width(), picture.height(), opaque);
    encoder.set_compression(packed);
    let mut writer = encoder.write_header().map_err(as_io)?;
    let data = bytes(picture, opaque, whole(picture));
    writer.write_image_data(&data).map_err(as_io)?;
    writer.finish().map_err(as_io)
}

fn as_io(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// Decoder that skips colour profiles and texts, which may unpack to a gigabyte.
pub(super) fn png_decoder(bytes: &[u8]) -> png::Decoder<io::Cursor<&[u8]>> {
    let limits = png::Limits { bytes: 1 << 30 };
    let mut decoder = png::Decoder::new_with_limits(io::Cursor::new(bytes), limits);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder
}

/// Reads a PNG.
///
/// # Errors
/// If the bytes are invalid, or the picture has no colours, no pixels or more than
/// [`MAX_PIXELS`](super::picture::MAX_PIXELS).
pub fn read_png(bytes: &[u8]) -> io::Result<Picture> {
    let mut decoder = png_decoder(bytes);
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info()?;
    let (width, height) = reader.info().size();
    check_size(width, height).map_err(io::Error::other)?;
    let size = reader.output_buffer_size();
    let size = size.ok_or_else(|| io::Error::other("the picture is too large"))?;
    let mut rgba = vec![0; size];
    let info = reader.next_frame(&mut rgba)?;
    let picture = match info.color_type {
        ColorType::Rgba => Picture::from_rgba(info.width, info.height, rgba),
        _ => None,
    };
    picture.ok_or_else(|| io::Error::other("the picture is not in colour"))
}

fn encoder<'w, W: Write>(out: W, width: u32, height: u32, opaque: bool) -> png::Encoder<'w, W> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(if opaque {
        ColorType::Rgb
    } else {
        ColorType::Rgba
    });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
}

fn is_opaque(picture: &Picture) -> bool {
    picture.rgba().chunks_exact(4).all(|p| p[3] == 255)
}

fn pixels(picture: &Picture) -> &[[u8; 4]] {
    picture.rgba().as_chunks().0
}

fn whole(picture: &Picture) -> Part {
    Part::whole(picture.width() as usize, picture.height() as usize)
}

fn bytes(picture: &Picture, opaque: bool, part: Part) -> Vec<u8> {
    let channels = if opaque { 3 } else { 4 };
    let row = 4 * picture.width() as usize;
    let rows = picture.rgba().chunks_exact(row);
    let rows = rows.skip(part.top).take(part.height);
    let columns = 4 * part.left..4 * (part.left + part.width);
    rows.flat_map(|r| r[columns.clone()].chunks_exact(4))
        .flat_map(|p| p[..channels].iter().copied())
        .collect()
}

/// Writer of animated PNG. Every frame after the first stores only the pixels that change.
#[expect(missing_debug_implementations)] // the encoder inside has none
pub struct ApngWriter<W: Write> {
    writer: png::Writer<W>,
    last: Option<Picture>,
    opaque: bool,
    size: [u32; 2],
    missing: u32,
}

impl<W: Write> ApngWriter<W> {
    /// Starts an endless animation with frames of `size` pixels. `fps` is in frames per second.
    /// `opaque` omits opacity.
    ///
    /// # Errors
    /// If `fps` is not above 0, if there are no frames or pixels, or if `out` cannot be written.
    pub fn new(out: W, size: [u32; 2], frames: u32, fps: f64, opaque: bool) -> io::Result<Self> {
        if !(fps.is_finite() && fps > 0.0) {
            let why = format!("{fps} is not a frame rate that the file can store");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let mut encoder = encoder(out, size[0], size[1], opaque);
        encoder.set_compression(Compression::Balanced);
        encoder.set_animated(frames, 0)?;
        let denominator = (fps * 100.0).round().clamp(1.0, 65535.0) as u16;
        encoder.set_frame_delay(100, denominator)?;
        Ok(Self {
            writer: encoder.write_header().map_err(as_io)?,
            last: None,
            opaque,
            size,
            missing: frames,
        })
    }

    /// Adds a frame of the same size.
    pub fn add(&mut self, picture: Picture) -> io::Result<()> {
        if [picture.width(), picture.height()] != self.size {
            return Err(io::Error::other("all frames must have the same size"));
        }
        let part = match &self.last {
            Some(before) => {
                let width = picture.width() as usize;
                Part::changed(pixels(before), pixels(&picture), width)
            }
            None => whole(&picture),
        };
        if self.last.is_some() {
            // The position is reset first, so that the frame is never outside the picture.
            self.writer.reset_frame_position()?;
            let [x, y, width, height] =
                [part.left, part.top, part.width, part.height].map(|n| n as u32);
            self.writer.set_frame_dimension(width, height)?;
            self.writer.set_frame_position(x, y)?;
        }
        let data = bytes(&picture, self.opaque, part);
        self.writer.write_image_data(&data).map_err(as_io)?;
        self.last = Some(picture);
        self.missing = self.missing.saturating_sub(1);
        Ok(())
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// If frames are missing, or the end cannot be written.
    pub fn finish(self) -> io::Result<()> {
        if self.missing > 0 {
            let why = format!("{} frames are missing", self.missing);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.writer.finish().map_err(as_io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_profile_is_not_unpacked() {
        let mut info = png::Info::with_size(1, 1);
        info.color_type = ColorType::Rgb;
        info.icc_profile = Some(vec![0; 4 << 20].into());
        let mut file = Vec::new();
        let encoder = png::Encoder::with_info(&mut file, info).unwrap();
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[1, 2, 3]).unwrap();
        writer.finish().unwrap();
        let whole = png::Decoder::new(io::Cursor::new(&file));
        let profile = whole.read_info().unwrap().info().icc_profile.clone();
        assert_eq!(profile.unwrap().len(), 4 << 20);
        let reader = png_decoder(&file).read_info().unwrap();
        assert!(reader.info().icc_profile.is_none());
        assert_eq!(read_png(&file).unwrap().rgba(), [1, 2, 3, 255]);
    }
}
