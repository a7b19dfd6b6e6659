//! Pictures as GIF, moving or not: 255 colours for all frames, so that none flickers.

use super::lzw::lzw;
use super::palette::{Histogram, Palette, threshold};
use super::part::Part;
use super::picture::Picture;
use super::png_file::{read_png, write_png_fast};
use std::io::{self, Write};

/// A writer of GIF. Colours are chosen when all frames are known, until when it keeps them.
#[derive(Debug)]
pub struct GifWriter<W: Write> {
    out: W,
    size: [u16; 2],
    fps: f64,
    histogram: Histogram,
    /// As PNG, which is a tenth as large.
    frames: Vec<Vec<u8>>,
    opaque: bool,
}

/// The index that shows what was there before.
const CLEAR: u8 = 255;

impl<W: Write> GifWriter<W> {
    /// For frames of a size, `fps` of them a second, played for ever.
    pub fn new(out: W, size: [u32; 2], fps: f64) -> io::Result<Self> {
        let side = |side: u32| u16::try_from(side).ok().filter(|&side| side > 0);
        let [Some(width), Some(height)] = size.map(side) else {
            return Err(io::Error::other("a GIF has 1 to 65535 pixels a side"));
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

    /// Adds a frame, which must be of the size named before.
    pub fn add(&mut self, picture: &Picture) -> io::Result<()> {
        if [picture.width(), picture.height()] != self.size.map(u32::from) {
            return Err(io::Error::other("frames differ in size"));
        }
        self.histogram.add(picture.rgba());
        self.opaque &= picture.rgba().chunks_exact(4).all(|p| p[3] == 255);
        let mut bytes = Vec::new();
        write_png_fast(&mut bytes, picture)?;
        self.frames.push(bytes);
        Ok(())
    }

    /// Writes the file, when all frames are there.
    pub fn finish(mut self) -> io::Result<()> {
        let mut palette = Palette::new(&self.histogram, 255);
        let [width, height] = self.size.map(u16::to_le_bytes);
        self.out.write_all(b"GIF89a")?;
        self.out.write_all(&[width, height].concat())?;
        // A table of 256 colours of eight bits for all frames; no colour behind, square pixels.
        self.out.write_all(&[0xf7, CLEAR, 0])?;
        let mut table = palette.colors.concat();
        table.resize(3 * 256, 0);
        self.out.write_all(&table)?;
        if self.frames.len() > 1 {
            self.out
                .write_all(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")?;
        }
        let mut before: Option<Vec<u8>> = None;
        let frames = std::mem::take(&mut self.frames);
        for (frame, bytes) in frames.iter().enumerate() {
            let now = indices(&read_png(bytes)?, &mut palette);
            // Hundredths of a second, whose rounding does not add up.
            let until = |frame: usize| (frame as f64 * 100.0 / self.fps).round();
            let delay = (until(frame + 1) - until(frame)).clamp(1.0, 65535.0) as u16;
            self.write_frame(&now, before.as_deref(), delay)?;
            before = Some(now);
        }
        self.out.write_all(b"\x3b")?;
        self.out.flush()
    }

    fn write_frame(&mut self, now: &[u8], before: Option<&[u8]>, delay: u16) -> io::Result<()> {
        let width = usize::from(self.size[0]);
        // What is clear cannot be drawn over: such frames are whole, and taken away before the next one.
        let before = before.filter(|_| self.opaque);
        let part = match before {
            Some(before) => Part::changed(before, now, width),
            None => Part::whole(width, usize::from(self.size[1])),
        };
        let disposal = if self.opaque { 1 } else { 2 };
        let has_clear = u8::from(!self.opaque || before.is_some());
        self.out
            .write_all(&[0x21, 0xf9, 4, disposal << 2 | has_clear])?;
        self.out.write_all(&delay.to_le_bytes())?;
        self.out.write_all(&[CLEAR, 0, 0x2c])?;
        for number in [part.left, part.top, part.width, part.height] {
            self.out.write_all(&(number as u16).to_le_bytes())?;
        }
        self.out.write_all(&[0, 8])?;
        let mut pixels = Vec::with_capacity(part.width * part.height);
        for y in part.top..part.top + part.height {
            for at in y * width + part.left..y * width + part.left + part.width {
                let stays = before.is_some_and(|before| before[at] == now[at]);
                pixels.push(if stays { CLEAR } else { now[at] });
            }
        }
        for block in lzw(&pixels).chunks(255) {
            self.out.write_all(&[block.len() as u8])?;
            self.out.write_all(block)?;
        }
        self.out.write_all(&[0])
    }
}

/// Each pixel's place in the palette.
fn indices(picture: &Picture, palette: &mut Palette) -> Vec<u8> {
    let width = picture.width().max(1);
    let places = (0..).map(|k: u32| (k % width, k / width));
    let pixels = picture.rgba().chunks_exact(4).zip(places);
    pixels
        .map(
            |(p, (x, y))| match (u16::from(p[3]) * 65 / 256) as u8 > threshold(x, y) {
                true => palette.pick([p[0], p[1], p[2]], x, y),
                false => CLEAR,
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::lzw::tests::unpack;

    /// A reader of its own, by the letter of the format.
    struct Reader<'a> {
        bytes: &'a [u8],
    }

    impl Reader<'_> {
        fn take(&mut self, count: usize) -> Vec<u8> {
            let (head, tail) = self.bytes.split_at(count);
            self.bytes = tail;
            head.to_vec()
        }

        fn number(&mut self) -> usize {
            let pair = self.take(2);
            usize::from(pair[0]) | usize::from(pair[1]) << 8
        }

        fn blocks(&mut self) -> Vec<u8> {
            let mut all = Vec::new();
            loop {
                match self.take(1)[0] {
                    0 => return all,
                    length => all.extend(self.take(usize::from(length))),
                }
            }
        }
    }

    /// All frames as they are shown, each with its delay.
    fn read(bytes: &[u8]) -> Vec<(Picture, usize)> {
        let mut reader = Reader { bytes };
        assert_eq!(reader.take(6), b"GIF89a");
        let (width, height) = (reader.number(), reader.number());
        assert_eq!(reader.take(3), [0xf7, 255, 0]);
        let table = reader.take(768);
        let mut shown = Picture::new(width as u32, height as u32, [0; 4]);
        let (mut frames, mut control) = (Vec::new(), vec![0; 4]);
        loop {
            match reader.take(1)[0] {
                0x21 => match reader.take(1)[0] {
                    0xf9 => control = reader.blocks(),
                    _ => drop(reader.blocks()),
                },
                0x2c => {
                    let [left, top, wide, high] = std::array::from_fn(|_| reader.number());
                    assert_eq!(reader.take(2), [0, 8]);
                    let pixels = unpack(&reader.blocks());
                    assert_eq!(pixels.len(), wide * high);
                    for (k, &index) in pixels.iter().enumerate() {
                        let at = 3 * usize::from(index);
                        if control[0] & 1 == 1 && index == control[3] {
                            continue;
                        }
                        let color = [table[at], table[at + 1], table[at + 2], 255];
                        shown.set_pixel((left + k % wide) as u32, (top + k / wide) as u32, color);
                    }
                    let delay = usize::from(control[1]) | usize::from(control[2]) << 8;
                    frames.push((shown.clone(), delay));
                    if control[0] >> 2 & 7 == 2 {
                        shown = Picture::new(width as u32, height as u32, [0; 4]);
                    }
                }
                0x3b => return frames,
                other => panic!("{other}"),
            }
        }
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
        // Twenty thirtieths of a second, in hundredths.
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
