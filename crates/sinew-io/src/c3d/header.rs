use super::numbers::Machine;

/// Size of a block, in bytes. Sections are aligned to blocks.
pub(super) const BLOCK: usize = 512;

/// Second byte of every C3D file.
pub(super) const MAGIC: u8 = 0x50;

/// The first block as 16-bit words, counted from 1.
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
