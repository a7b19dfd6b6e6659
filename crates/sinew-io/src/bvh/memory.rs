//! The memory that one import may use, counted before it is taken.

use super::error::{BvhError, TextPosition};

/// Bytes that every import may use whatever the size of its file.
const MEMORY_FLOOR: usize = 12 << 20;

/// Max bytes of memory that a byte of the file may become.
const MEMORY_PER_BYTE: usize = 16;

/// Counts what a file makes us hold. `JOINT a{}` is nine bytes.
pub(super) struct Memory {
    used: usize,
    limit: usize,
}

impl Memory {
    pub(super) fn for_file(bytes: usize) -> Self {
        Self {
            used: 0,
            limit: MEMORY_FLOOR.saturating_add(bytes.saturating_mul(MEMORY_PER_BYTE)),
        }
    }

    pub(super) fn charge(
        &mut self,
        bytes: usize,
        what: &'static str,
        place: TextPosition,
    ) -> Result<(), BvhError> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.limit {
            return Ok(());
        }
        Err(BvhError::MemoryLimit {
            place,
            what,
            limit: self.limit,
        })
    }
}
