//! Codec for indices in any order. An index is a difference from one of two recent indices.

use super::error::MeshoptError;
use super::varint::{Reader, signed, write, zigzag};

const HEADER: u8 = 0xd1;
/// Header of the older version. Its codes are the same.
const HEADER_0: u8 = 0xd0;
/// Number of zeros at the end, so that decoders may read ahead.
const TAIL: usize = 4;

pub(super) fn decode(stream: &[u8], size: usize, out: &mut [u8]) -> Result<(), MeshoptError> {
    let mut reader = Reader(stream);
    match reader.byte()? {
        HEADER | HEADER_0 => {}
        found => {
            let expected = "index";
            return Err(MeshoptError::Header { found, expected });
        }
    }
    let codes = reader.0.len().checked_sub(TAIL);
    reader.0 = &reader.0[..codes.ok_or(MeshoptError::Short)?];
    let mut last = [0_u32; 2];
    for out in out.chunks_exact_mut(size) {
        let code = reader.unsigned()?;
        let run = &mut last[(code & 1) as usize];
        *run = run.wrapping_add(signed(code >> 1));
        write_index(out, *run);
    }
    reader.finish()
}

/// Min difference from a recent index at which the other recent index is tried.
const FAR: u32 = 30;

pub(super) fn encode(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![HEADER];
    let (mut last, mut run) = ([0_u32; 2], 1);
    for &index in indices {
        if index.abs_diff(last[run]) >= FAR {
            run ^= 1;
        }
        let step = zigzag(index.wrapping_sub(last[run]));
        write(step << 1 | run as u32, &mut out);
        last[run] = index;
    }
    out.extend([0; TAIL]);
    out
}

pub(super) fn write_index(out: &mut [u8], index: u32) {
    let size = out.len();
    out.copy_from_slice(&index.to_le_bytes()[..size]);
}
