//! Variable-length integers of one to five bytes.

use super::error::MeshoptError;

pub(super) struct Reader<'s>(pub &'s [u8]);

impl Reader<'_> {
    pub fn byte(&mut self) -> Result<u8, MeshoptError> {
        let (first, rest) = self.0.split_first().ok_or(MeshoptError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    /// Reads seven bits per byte, the lowest first. The eighth bit is set if another byte follows.
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

    /// Returns an error if bytes remain.
    pub fn finish(&self) -> Result<(), MeshoptError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(MeshoptError::Long { bytes }),
        }
    }
}

/// Decodes a zigzag integer: 0, -1, 1, -2, …
pub(super) fn signed(zigzag: u32) -> u32 {
    (zigzag >> 1) ^ (zigzag & 1).wrapping_neg()
}

pub(super) fn write(mut value: u32, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn zigzag(step: u32) -> u32 {
    (step << 1) ^ (step as i32 >> 31) as u32
}
