//! GIF files, still or animated. All frames share one palette of 255 colours, to avoid flicker.

use super::palette::{Histogram, Palette, threshold};
use super::part::Part;
use super::picture::Picture;
use super::png_file::{read_png, write_png_fast};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::io::{self, Write};

/// Writer of GIF files. It keeps all frames until the end, because the palette depends on them.
#[derive(Debug)]
pub struct GifWriter<W: Write> {
    out: W,
    size: [u16; 2],
    fps: f64,
    histogram: Histogram,
    /// Frames as PNG, to save memory.
    frames: Vec<Vec<u8>>,
    opaque: bool,
}

/// Index of the transparent colour, through which the previous frame shows.
const CLEAR: u8 = 255;

impl<W: Write> GifWriter<W> {
    /// Starts an endless animation with frames of `size` pixels, at `fps` frames per second.
    pub fn new(out: W, size: [u32; 2], fps: f64) -> io::Result<Self> {
        let side = |side: u32| u16::try_from(side).ok().filter(|&side| side > 0);
        let [Some(width), Some(height)] = size.map(side) else {
            return Err(io::Error::other(
                "a side of a GIF must have 1 to 65535 pixels",
            ));
        };
        Ok(Self {
            out,
            size: [width, height],
            fps,
            histogram: Histogram::new(),
            frames: Vec::new(),
            opaque: true,
        })
    }

    /// Adds a frame of the same size.
    pub fn add(&mut self, picture: &Picture) -> io::Result<()> {
        if [picture.width(), picture.height()] != self.size.map(u32::from) {
            return Err(io::Error::other("all frames must have the same size"));
        }
        self.histogram.add(picture.rgba());
        self.opaque &= picture.rgba().chunks_exact(4).all(|p| p[3] == 255);
        let mut bytes = Vec::new();
        write_png_fast(&mut bytes, picture)?;
        self.frames.push(bytes);
        Ok(())
    }

    /// Writes the file.
    pub fn finish(self) -> io::Result<()> {
        let mut palette = Palette::new(&self.histogram, 255);
        let mut table = palette.colors.concat();
        table.resize(3 * 256, 0);
        let [width, height] = self.size;
        let mut encoder = Encoder::new(self.out, width, height, &table).map_err(as_io)?;
        if self.frames.len() > 1 {
            encoder.set_repeat(Repeat::Infinite).map_err(as_io)?;
        }
        let mut before: Option<Vec<u8>> = None;
        for (k, bytes) in self.frames.iter().enumerate() {
            let now = indices(&read_png(bytes)?, &mut palette);
            // A transparent frame is stored whole and replaces the previous frame.
            let shown = before.as_deref().filter(|_| self.opaque);
            let mut frame = changed_frame(&now, shown, self.size);
            // Duration in hundredths of a second. Rounding errors do not accumulate.
            let until = |frame: usize| (frame as f64 * 100.0 / self.fps).round();
            frame.delay = (until(k + 1) - until(k)).clamp(1.0, 65535.0) as u16;
            if !self.opaque {
                frame.dispose = DisposalMethod::Background;
                frame.transparent = Some(CLEAR);
            }
            encoder.write_frame(&frame).map_err(as_io)?;
            before = Some(now);
        }
        encoder.into_inner().map_err(as_io)?.flush()
    }
}

fn changed_frame(now: &[u8], shown: Option<&[u8]>, size: [u16; 2]) -> Frame<'static> {
    let [width, height] = size.map(usize::from);
    let part = match shown {
        Some(shown) => Part::changed(shown, now, width),
        None => Part::whole(width, height),
    };
    let mut pixels = Vec::with_capacity(part.width * part.height);
    for y in part.top..part.top + part.height {
        for at in y * width + part.left..y * width + part.left + part.width {
            let stays = shown.is_some_and(|shown| shown[at] == now[at]);
            pixels.push(if stays { CLEAR } else { now[at] });
        }
    }
    Frame {
        left: part.left as u16,
        top: part.top as u16,
        width: part.width as u16,
        height: part.height as u16,
        transparent: shown.map(|_| CLEAR),
        buffer: pixels.into(),
        ..Frame::default()
    }
}

fn as_io(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

fn indices(picture: &Picture, palette: &mut Palette) -> Vec<u8> {
    let width = picture.width().max(1);
    let positions = (0..).map(|k: u32| (k % width, k / width));
    let pixels = picture.rgba().chunks_exact(4).zip(positions);
    pixels
        .map(|(p, (x, y))| {
            if (u16::from(p[3]) * 65 / 256) as u8 > threshold(x, y) {
                palette.pick([p[0], p[1], p[2]], x, y)
            } else {
                CLEAR
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(Picture, usize)> {
        let mut options = gif::DecodeOptions::new();
        options.check_frame_consistency(true);
        options.check_lzw_end_code(true);
        let mut decoder = options.read_info(bytes).unwrap();
        let [width, height] = [decoder.width(), decoder.height()].map(u32::from);
        let table = decoder.global_palette().unwrap().to_vec();
        assert_eq!(table.len(), 768);
        let mut shown = Picture::new(width, height, [0; 4]);
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let [left, top, wide] = [frame.left, frame.top, frame.width].map(u32::from);
            for (k, &index) in (0..).zip(&*frame.buffer) {
                if frame.transparent == Some(index) {
                    continue;
                }
                let at = 3 * usize::from(index);
                let color = [table[at], table[at + 1], table[at + 2], 255];
                shown.set_pixel(left + k % wide, top + k / wide, color);
            }
            frames.push((shown.clone(), usize::from(frame.delay)));
            if frame.dispose == DisposalMethod::Background {
                shown = Picture::new(width, height, [0; 4]);
            }
        }
        assert_eq!(decoder.repeat() == Repeat::Infinite, frames.len() > 1);
        frames
    }

    fn written(frames: &[Picture], fps: f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let size = [frames[0].width(), frames[0].height()];
        let mut writer = GifWriter::new(&mut bytes, size, fps).unwrap();
        frames.iter().for_each(|f| writer.add(f).unwrap());
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn frames_of_few_colours_come_back_as_they_were() {
        let frame = |k: u32| {
            let mut picture = Picture::new(40, 30, [230, 228, 220, 255]);
            (0..60).for_each(|p| {
                picture.set_pixel(k + p % 6, 4 + p / 6, [20, 90, (k * 9) as u8, 255]);
            });
            picture
        };
        let frames: Vec<Picture> = (0..20).map(frame).collect();
        let back = read(&written(&frames, 30.0));
        assert_eq!(back.len(), 20);
        for (k, (picture, _)) in back.iter().enumerate() {
            assert_eq!(*picture, frames[k], "{k}");
        }
        // Twenty frames at 30 per second, in hundredths of a second.
        assert_eq!(back.iter().map(|f| f.1).sum::<usize>(), 67);
    }

    #[test]
    fn what_is_clear_stays_clear_and_does_not_leave_a_trail() {
        let frame = |x: u32| {
            let mut picture = Picture::new(16, 8, [0; 4]);
            picture.set_pixel(x, 3, [250, 10, 10, 255]);
            picture
        };
        let frames = [frame(2), frame(9)];
        let back = read(&written(&frames, 10.0));
        assert_eq!([&back[0].0, &back[1].0], [&frames[0], &frames[1]]);
    }

    #[test]
    fn many_colours_are_near_and_still_where_nothing_moves() {
        let sky = |x: u32, y: u32| [120 + (x / 2) as u8, 140 + y as u8, 200 - (x / 4) as u8, 255];
        let frame = |k: u32| {
            let mut picture = Picture::new(96, 64, [0; 4]);
            (0..96 * 64).for_each(|p| picture.set_pixel(p % 96, p / 96, sky(p % 96, p / 96)));
            picture.set_pixel(k, 1, [255, 0, 0, 255]);
            picture
        };
        let frames: Vec<Picture> = (0..4).map(frame).collect();
        let back = read(&written(&frames, 10.0));
        for (k, (picture, _)) in back.iter().enumerate() {
            let (_, mean) = picture.difference(&frames[k]).unwrap();
            assert!(mean < 1.6, "{k}: {mean}");
            assert_eq!(picture.pixel(50, 40), back[0].0.pixel(50, 40));
            let moved = (0..96 * 64)
                .filter(|p| picture.pixel(p % 96, p / 96) != back[0].0.pixel(p % 96, p / 96));
            assert!(moved.count() <= 2);
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        assert!(GifWriter::new(Vec::new(), [0, 4], 10.0).is_err());
        assert!(GifWriter::new(Vec::new(), [70_000, 4], 10.0).is_err());
        let mut writer = GifWriter::new(Vec::new(), [4, 4], 10.0).unwrap();
        assert!(writer.add(&Picture::new(5, 4, [0; 4])).is_err());
    }
}
