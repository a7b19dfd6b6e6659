//! Memory budget of an import, checked before each allocation.

use super::error::{BvhError, TextLocation};
use crate::beside::MAX_MEMORY;

/// Memory limit for small files, in bytes.
const MEMORY_FLOOR: usize = 12 << 20;

const MEMORY_PER_BYTE: usize = 16;

/// Counts memory. A joint such as `JOINT a{}` takes nine bytes in the file and far more in memory.
pub(super) struct Memory {
    used: usize,
    limit: usize,
}

impl Memory {
    pub(super) fn for_file(bytes: usize) -> Self {
        Self {
            used: 0,
            limit: MEMORY_FLOOR
                .saturating_add(bytes.saturating_mul(MEMORY_PER_BYTE))
                .min(MAX_MEMORY as usize),
        }
    }

    pub(super) fn charge(
        &mut self,
        bytes: usize,
        what: &'static str,
        location: TextLocation,
    ) -> Result<(), BvhError> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.limit {
            return Ok(());
        }
        Err(BvhError::MemoryLimit {
            location,
            what,
            limit: self.limit,
        })
    }
}
