//! Codec for elements of a fixed size. Each byte of an element has a stream of differences.

use super::error::MeshoptError;

const HEADER: [u8; 2] = [0xa0, 0xa1];
const GROUP: usize = 16;
/// Max size of a block, in elements and in bytes.
const BLOCK_ELEMENTS: usize = 256;
const BLOCK_BYTES: usize = 8192;
/// Min number of bytes at the end, by version, so that decoders may read ahead.
const TAIL: [usize; 2] = [32, 24];

type Four = [[u8; BLOCK_ELEMENTS]; 4];

/// Max bytes of a group: eight packed bytes, and one for each of the 16 values. No tail is shorter.
const WINDOW: usize = 24;

struct Blocks<'s> {
    stream: &'s [u8],
    at: usize,
    end: usize,
}

pub(super) fn decode(stream: &[u8], size: usize, out: &mut [u8]) -> Result<(), MeshoptError> {
    let &found = stream.first().ok_or(MeshoptError::Short)?;
    let Some(version) = HEADER.iter().position(|&header| header == found) else {
        let expected = "vertex";
        return Err(MeshoptError::Header { found, expected });
    };
    // The tail holds the first element, and in the newer version the kinds of differences.
    let used = size + version * (size / 4);
    let end = stream.len().checked_sub(used.max(TAIL[version]));
    let end = end.filter(|&end| end >= 1).ok_or(MeshoptError::Short)?;
    let (first, channels) = stream[stream.len() - used..].split_at(size);
    let mut blocks = Blocks { stream, at: 1, end };
    let mut last = [0; 256];
    last[..size].copy_from_slice(first);
    let elements = (BLOCK_BYTES / size / GROUP * GROUP).min(BLOCK_ELEMENTS);
    let mut four: Four = [[0; BLOCK_ELEMENTS]; 4];
    for block in out.chunks_mut(elements * size) {
        let count = block.len() / size;
        let controls = blocks.take(version * (size / 4))?;
        for (column, last) in last[..size].chunks_exact_mut(4).enumerate() {
            for (stream, bytes) in four.iter_mut().enumerate() {
                let control = controls.get(column).map(|c| (c >> (2 * stream)) & 3);
                blocks.read_stream(control, count, bytes)?;
            }
            let out = block[4 * column..].chunks_mut(size);
            let channel = channels.get(column).copied().unwrap_or(0);
            match channel & 3 {
                0 => sum_numbers::<8>(&four, last, out),
                1 => sum_numbers::<16>(&four, last, out),
                2 => join_words(&four, u32::from(channel >> 4), last, out),
                kind => return Err(MeshoptError::Channel { kind }),
            }
        }
    }
    match blocks.end - blocks.at {
        0 => Ok(()),
        bytes => Err(MeshoptError::Long { bytes }),
    }
}

impl<'s> Blocks<'s> {
    fn take(&mut self, bytes: usize) -> Result<&'s [u8], MeshoptError> {
        let from = self.at;
        self.at += bytes;
        if self.at <= self.end {
            Ok(&self.stream[from..self.at])
        } else {
            Err(MeshoptError::Short)
        }
    }

    /// Reads `count` bytes of a stream. `control` is the control byte of the newer version.
    fn read_stream(
        &mut self,
        control: Option<u8>,
        count: usize,
        out: &mut [u8; BLOCK_ELEMENTS],
    ) -> Result<(), MeshoptError> {
        let bits = match control {
            None => [0, 2, 4, 8],
            Some(0) => [0, 1, 2, 4],
            Some(1) => [1, 2, 4, 8],
            Some(2) => {
                out[..count].fill(0);
                return Ok(());
            }
            Some(_) => {
                out[..count].copy_from_slice(self.take(count)?);
                return Ok(());
            }
        };
        let groups = count.div_ceil(GROUP);
        let headers = self.take(groups.div_ceil(4))?;
        let (out, _) = out.as_chunks_mut::<GROUP>();
        for (group, out) in out[..groups].iter_mut().enumerate() {
            let kind = (headers[group / 4] >> (group % 4 * 2)) & 3;
            let window = self.stream[self.at..].first_chunk::<WINDOW>();
            let window = window.ok_or(MeshoptError::Short)?;
            let used = match bits[usize::from(kind)] {
                0 => {
                    out.fill(0);
                    0
                }
                1 => {
                    *out = std::array::from_fn(|i| (window[i / 8] >> (i % 8)) & 1);
                    2 + unescape(window, 2, 1, out)
                }
                2 => {
                    *out = std::array::from_fn(|i| (window[i / 4] >> (6 - i % 4 * 2)) & 3);
                    4 + unescape(window, 4, 3, out)
                }
                4 => {
                    *out = std::array::from_fn(|i| (window[i / 2] >> (4 - i % 2 * 4)) & 15);
                    8 + unescape(window, 8, 15, out)
                }
                _ => {
                    out.copy_from_slice(&window[..GROUP]);
                    GROUP
                }
            };
            self.take(used)?;
        }
        Ok(())
    }
}

/// Replaces escape values with bytes from `first` on. Returns the number of escape values.
#[inline(always)]
fn unescape(window: &[u8; WINDOW], first: usize, escape: u8, out: &mut [u8; GROUP]) -> usize {
    if !out.contains(&escape) {
        return 0;
    }
    // A power of two avoids bounds checks.
    let mut own = [0; 32];
    own[..WINDOW].copy_from_slice(window);
    let mut next = first;
    for byte in out {
        let is_escaped = *byte == escape;
        *byte = if is_escaped { own[next & 31] } else { *byte };
        next += usize::from(is_escaped);
    }
    next - first
}

fn words(four: &Four) -> impl Iterator<Item = u32> + '_ {
    (0..BLOCK_ELEMENTS)
        .map(|i| u32::from_le_bytes([four[0][i], four[1][i], four[2][i], four[3][i]]))
}

/// Decodes running sums of zigzag differences of `BITS` bits.
fn sum_numbers<'o, const BITS: u32>(
    four: &Four,
    last: &mut [u8],
    out: impl Iterator<Item = &'o mut [u8]>,
) {
    const { assert!(BITS == 8 || BITS == 16, "numbers of one byte or two") };
    // The masks select a number, its lowest bit, its highest bit, and all but its highest bit.
    let one = (1_u32 << BITS) - 1;
    let lowest = u32::MAX / one;
    let high = lowest << (BITS - 1);
    let low = !high;
    let mut sum = read_word(last);
    for (word, out) in words(four).zip(out) {
        // Decodes all numbers of a word in parallel: half of each number, inverted if it is odd.
        let sign = (word & lowest) * one;
        let step = ((word >> 1) & low) ^ sign;
        sum = ((sum & low) + (step & low)) ^ ((sum ^ step) & high);
        out[..4].copy_from_slice(&sum.to_le_bytes());
    }
    last.copy_from_slice(&sum.to_le_bytes());
}

/// Decodes running XORs of words that are rotated by `rotated_bits` bits.
fn join_words<'o>(
    four: &Four,
    rotated_bits: u32,
    last: &mut [u8],
    out: impl Iterator<Item = &'o mut [u8]>,
) {
    let mut value = read_word(last);
    for (word, out) in words(four).zip(out) {
        value ^= word.rotate_right(rotated_bits);
        out[..4].copy_from_slice(&value.to_le_bytes());
    }
    last.copy_from_slice(&value.to_le_bytes());
}

fn read_word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Encodes in the older version, which every reader supports.
pub(super) fn encode(elements: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![HEADER[0]];
    let mut first = elements.to_vec();
    first.resize(size, 0);
    let mut last = first.clone();
    let block_elements = (BLOCK_BYTES / size / GROUP * GROUP).min(BLOCK_ELEMENTS);
    let mut steps = Vec::with_capacity(BLOCK_ELEMENTS);
    for block in elements.chunks(block_elements * size) {
        for (byte, last) in last.iter_mut().enumerate() {
            steps.clear();
            for &value in block[byte..].iter().step_by(size) {
                let step = value.wrapping_sub(*last);
                steps.push((step << 1) ^ ((step as i8) >> 7) as u8);
                *last = value;
            }
            write_stream(&mut steps, &mut out);
        }
    }
    out.resize(out.len() + TAIL[0].saturating_sub(size), 0);
    out.extend(first);
    out
}

/// Writes a stream of a block. Each group has the fewest possible bits per value.
fn write_stream(steps: &mut Vec<u8>, out: &mut Vec<u8>) {
    steps.resize(steps.len().next_multiple_of(GROUP), 0);
    let (groups, _) = steps.as_chunks::<GROUP>();
    let headers = out.len();
    out.resize(headers + groups.len().div_ceil(4), 0);
    for (index, group) in groups.iter().enumerate() {
        let escaped = |escape: u8| group.iter().filter(|&&byte| byte >= escape).count();
        let lengths = [
            if escaped(1) == 0 { 0 } else { usize::MAX },
            4 + escaped(3),
            8 + escaped(15),
            GROUP,
        ];
        let kind = (0..4).min_by_key(|&kind| lengths[kind]).unwrap_or(3);
        out[headers + index / 4] |= (kind as u8) << (index % 4 * 2);
        match kind {
            0 => {}
            1 => write_group::<2>(group, out),
            2 => write_group::<4>(group, out),
            _ => out.extend(group),
        }
    }
}

/// Writes values of `BITS` bits, with the first in the highest bits, and the bytes that do not fit.
fn write_group<const BITS: usize>(group: &[u8; GROUP], out: &mut Vec<u8>) {
    let escape = (1 << BITS) - 1;
    for packed in group.chunks_exact(8 / BITS) {
        let codes = packed.iter().map(|&byte| byte.min(escape));
        out.push(codes.fold(0, |sum, code| sum << BITS | code));
    }
    out.extend(group.iter().filter(|&&byte| byte >= escape));
}
