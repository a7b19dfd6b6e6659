//! Pictures as JPEG: baseline, each channel at full size, so that thin lines keep their colour.

use super::picture::Picture;
use std::f32::consts::PI;
use std::io::{self, Write};

/// Writes a JPEG of a quality from 1 to 100; what is clear counts for nothing.
pub fn write_jpeg(out: &mut dyn Write, picture: &Picture, quality: u8) -> io::Result<()> {
    let side = |side: u32| u16::try_from(side).ok().filter(|&side| side > 0);
    let (Some(width), Some(height)) = (side(picture.width()), side(picture.height())) else {
        return Err(io::Error::other("a JPEG has 1 to 65535 pixels a side"));
    };
    let tables = [LUMINANCE, CHROMINANCE].map(|table| scaled(&table, quality));
    out.write_all(b"\xff\xd8")?;
    segment(out, 0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")?;
    for (number, table) in (0..).zip(&tables) {
        let in_order = ZIGZAG.map(|at| table[usize::from(at)]);
        segment(out, 0xdb, &[&[number][..], &in_order].concat())?;
    }
    let [h, w] = [height, width].map(u16::to_be_bytes);
    let channels = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1];
    segment(out, 0xc0, &[&[8][..], &h, &w, &[3], &channels].concat())?;
    let kinds = [
        (0x00, &DC[0]),
        (0x10, &AC[0]),
        (0x01, &DC[1]),
        (0x11, &AC[1]),
    ];
    for (number, codes) in kinds {
        segment(
            out,
            0xc4,
            &[&[number][..], &codes.counts, codes.values].concat(),
        )?;
    }
    segment(out, 0xda, &[3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])?;
    let mut bits = Bits::default();
    let cosines = cosines();
    let books = [0, 1].map(|kind: usize| (DC[kind].book(), AC[kind].book()));
    let mut last = [0; 3];
    for y in (0..picture.height()).step_by(8) {
        for x in (0..picture.width()).step_by(8) {
            let block = block(picture, x, y);
            for channel in 0..3 {
                let kind = usize::from(channel > 0);
                let numbers = quantised(&block[channel], &cosines, &tables[kind]);
                let (dc, ac) = &books[kind];
                bits.block(&numbers, &mut last[channel], dc, ac);
            }
        }
        out.write_all(&bits.bytes)?;
        bits.bytes.clear();
    }
    bits.push(0x7f, 7);
    out.write_all(&bits.bytes)?;
    out.write_all(b"\xff\xd9")
}

fn segment(out: &mut dyn Write, marker: u8, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&[0xff, marker])?;
    out.write_all(&(bytes.len() as u16 + 2).to_be_bytes())?;
    out.write_all(bytes)
}

/// Luminance and two differences of 64 pixels, about 0; beyond the edges the last ones again.
fn block(picture: &Picture, x: u32, y: u32) -> [[f32; 64]; 3] {
    let mut block = [[0.0; 64]; 3];
    for k in 0..64 {
        let at = |start: u32, k: u32, end: u32| (start + k).min(end - 1);
        let x = at(x, k as u32 % 8, picture.width());
        let y = at(y, k as u32 / 8, picture.height());
        let [r, g, b, _] = picture.pixel(x, y).map(f32::from);
        block[0][k] = 0.299 * r + 0.587 * g + 0.114 * b - 128.0;
        block[1][k] = -0.168_736 * r - 0.331_264 * g + 0.5 * b;
        block[2][k] = 0.5 * r - 0.418_688 * g - 0.081_312 * b;
    }
    block
}

/// Rows of the cosine transform of eight numbers.
fn cosines() -> [[f32; 8]; 8] {
    std::array::from_fn(|frequency| {
        let scale = if frequency == 0 {
            0.125_f32.sqrt()
        } else {
            0.5
        };
        std::array::from_fn(|k| scale * ((2 * k + 1) as f32 * frequency as f32 * PI / 16.0).cos())
    })
}

/// The cosine transform of a block, in steps of a table, in zigzag order.
fn quantised(block: &[f32; 64], cosines: &[[f32; 8]; 8], table: &[u8; 64]) -> [i32; 64] {
    let sum =
        |row: &[f32; 8], at: &dyn Fn(usize) -> f32| -> f32 { (0..8).map(|k| row[k] * at(k)).sum() };
    let rows: [f32; 64] =
        std::array::from_fn(|at| sum(&cosines[at % 8], &|k| block[at / 8 * 8 + k]));
    let both: [f32; 64] =
        std::array::from_fn(|at| sum(&cosines[at / 8], &|k| rows[8 * k + at % 8]));
    ZIGZAG.map(|at| {
        let at = usize::from(at);
        (both[at] / f32::from(table[at])).round() as i32
    })
}

fn scaled(table: &[u8; 64], quality: u8) -> [u8; 64] {
    let quality = u32::from(quality.clamp(1, 100));
    let percent = if quality < 50 {
        5000 / quality
    } else {
        200 - 2 * quality
    };
    table.map(|step| ((u32::from(step) * percent + 50) / 100).clamp(1, 255) as u8)
}

/// Code and length of each value.
type Book = [(u16, u8); 256];

/// Huffman codes as the format lists them: how many of each length, and the values in order.
struct Codes {
    counts: [u8; 16],
    values: &'static [u8],
}

impl Codes {
    fn book(&self) -> Book {
        let mut book = [(0, 0); 256];
        let (mut code, mut values) = (0, self.values.iter());
        for (length, &count) in (1..).zip(&self.counts) {
            for &value in values.by_ref().take(usize::from(count)) {
                book[usize::from(value)] = (code, length);
                code += 1;
            }
            code <<= 1;
        }
        book
    }
}

/// Bits from the highest on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u32, length: u8) {
        self.held = self.held << length | code;
        self.count += u32::from(length);
        while self.count >= 8 {
            self.count -= 8;
            let byte = (self.held >> self.count) as u8;
            self.bytes.push(byte);
            // So that it is no marker.
            if byte == 0xff {
                self.bytes.push(0);
            }
        }
        self.held &= (1 << self.count) - 1;
    }

    fn code(&mut self, book: &Book, value: u8) {
        let (code, length) = book[usize::from(value)];
        self.push(u32::from(code), length);
    }

    /// The bits of a number after their count; negative ones are one less.
    fn number(&mut self, number: i32, length: u8) {
        let bits = if number < 0 { number - 1 } else { number };
        self.push(bits as u32 & ((1 << length) - 1), length);
    }

    fn block(&mut self, numbers: &[i32; 64], last: &mut i32, dc: &Book, ac: &Book) {
        let step = numbers[0] - *last;
        *last = numbers[0];
        self.code(dc, length(step));
        self.number(step, length(step));
        let mut zeros = 0;
        for &number in &numbers[1..] {
            if number == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 {
                self.code(ac, 0xf0);
                zeros -= 16;
            }
            // Baseline numbers have ten bits at most.
            let number = number.clamp(-1023, 1023);
            self.code(ac, zeros << 4 | length(number));
            self.number(number, length(number));
            zeros = 0;
        }
        if zeros > 0 {
            self.code(ac, 0);
        }
    }
}

fn length(number: i32) -> u8 {
    (32 - number.unsigned_abs().leading_zeros()) as u8
}

const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

// The tables of the standard's annex K (ITU-T T.81, 1992).

const LUMINANCE: [u8; 64] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
    92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

const CHROMINANCE: [u8; 64] = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];

const DC: [Codes; 2] = [
    Codes {
        counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        values: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    },
    Codes {
        counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
        values: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    },
];

const AC: [Codes; 2] = [
    Codes {
        counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
        values: &[
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51,
            0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1,
            0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18,
            0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39,
            0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57,
            0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
            0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92,
            0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
            0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
            0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8,
            0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2,
            0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
        ],
    },
    Codes {
        counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
        values: &[
            0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07,
            0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09,
            0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25,
            0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38,
            0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56,
            0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74,
            0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
            0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5,
            0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
            0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
            0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2,
            0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::decode::decode;

    fn painted(width: u32, height: u32) -> Picture {
        let mut picture = Picture::new(width, height, [0, 0, 0, 255]);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let wave = |f: f32| (127.0 + 120.0 * (f * (x as f32 + 0.6 * y as f32)).sin()) as u8;
            let edge = if x > width / 2 { 255 } else { wave(0.2) };
            picture.set_pixel(x, y, [wave(0.05), edge, wave(0.11), 255]);
        }
        picture
    }

    #[test]
    fn another_program_reads_what_was_meant() {
        for (width, height) in [(1, 1), (8, 8), (67, 41), (200, 3)] {
            let picture = painted(width, height);
            let mut sizes = Vec::new();
            for (quality, most) in [(50, 7.0), (92, 2.0), (100, 0.8)] {
                let mut bytes = Vec::new();
                write_jpeg(&mut bytes, &picture, quality).unwrap();
                let back = decode(&bytes).unwrap();
                let back = Picture::from_rgba(back.width, back.height, back.rgba).unwrap();
                let (_, mean) = picture.difference(&back).unwrap();
                assert!(mean < most, "{width}×{height} at {quality}: {mean}");
                sizes.push(bytes.len());
            }
            assert!(sizes.is_sorted(), "{sizes:?}");
        }
    }

    #[test]
    fn noise_at_full_quality_is_read_too() {
        let mut state = 7_u32;
        let rgba = (0..4 * 64 * 64).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { 0 } else { 255 }
        });
        let picture = Picture::from_rgba(64, 64, rgba.collect()).unwrap();
        let mut bytes = Vec::new();
        write_jpeg(&mut bytes, &picture, 100).unwrap();
        let back = decode(&bytes).unwrap();
        let apart = picture
            .rgba()
            .chunks_exact(4)
            .zip(back.rgba.chunks_exact(4));
        let sum: u32 = apart
            .flat_map(|(a, b)| (0..3).map(|c| u32::from(a[c].abs_diff(b[c]))))
            .sum();
        assert!(sum < 2 * 3 * 64 * 64, "{sum}");
    }
}
