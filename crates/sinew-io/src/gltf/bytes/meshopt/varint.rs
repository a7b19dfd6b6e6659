//! Integers of one to five bytes.

use super::error::MeshoptError;

/// A stream that is read from its start.
pub(super) struct Reader<'s>(pub &'s [u8]);

impl Reader<'_> {
    pub fn byte(&mut self) -> Result<u8, MeshoptError> {
        let (first, rest) = self.0.split_first().ok_or(MeshoptError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    pub fn unsigned(&mut self) -> Result<u32, MeshoptError> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        Ok(value)
    }

    /// Refuses what is left over.
    pub fn finish(&self) -> Result<(), MeshoptError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(MeshoptError::Long { bytes }),
        }
    }
}

/// A number whose lowest bit is its sign: 0, -1, 1, -2, …
pub(super) fn signed(zigzag: u32) -> u32 {
    (zigzag >> 1) ^ (zigzag & 1).wrapping_neg()
}

/// Writes an integer as [`Reader::unsigned`] reads it.
pub(super) fn write(mut value: u32, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A step with its sign in the lowest bit.
pub(super) fn zigzag(step: u32) -> u32 {
    (step << 1) ^ (step as i32 >> 31) as u32
}
