//! The first block of a C3D file.

use super::numbers::Machine;

/// Sections of the file begin at multiples of this.
pub(super) const BLOCK: usize = 512;

/// The second byte of every C3D file.
pub(super) const MAGIC: u8 = 0x50;

/// True where the first bytes are those of a C3D file: two bytes, of which one may be any, so other formats
/// are to be asked first.
pub(crate) fn looks_like_c3d(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && bytes[0] >= 2 && bytes[1] == MAGIC
}

/// The first block, by its words of two bytes, which the format counts from one.
pub struct Header<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) machine: Machine,
}

impl Header<'_> {
    pub fn word(&self, nth: usize) -> u16 {
        self.machine
            .word([self.bytes[2 * nth - 2], self.bytes[2 * nth - 1]])
    }

    pub fn float(&self, nth: usize) -> f64 {
        let bytes = [0, 1, 2, 3].map(|i| self.bytes[2 * nth - 2 + i]);
        self.machine.float(bytes)
    }
}
