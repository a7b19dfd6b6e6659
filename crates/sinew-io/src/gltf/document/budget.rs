//! Memory budget of an import, checked before each allocation.

use super::error::GltfError;
use crate::beside::MAX_MEMORY;

/// Memory limit for small files, in bytes.
const FLOOR: u64 = 12 << 20;

/// Max bytes of memory per byte of the file.
const PER_BYTE: u64 = 8;

/// Counts the memory of an import and enforces a limit, which follows from the size of the file. A
/// file of 200 bytes may declare two billion vertices.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: u64,
}

impl Budget {
    /// Creates a budget for a document. Its `json_bytes` bytes count as used.
    pub fn for_json(json_bytes: usize) -> Self {
        let mut budget = Self {
            limit: FLOOR,
            used: 0,
        };
        budget.grow_for(json_bytes);
        budget
    }

    /// Raises the limit for a buffer of `bytes` bytes, and counts the buffer as used.
    pub fn grow_for(&mut self, bytes: usize) {
        let bytes = bytes as u64;
        let more = bytes.saturating_mul(PER_BYTE);
        self.limit = self.limit.saturating_add(more).min(MAX_MEMORY);
        self.used = self.used.saturating_add(bytes);
    }

    /// Max number of bytes in use at once.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Counts `bytes` bytes for `what` before they are allocated.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if the limit is exceeded. In this case nothing is counted.
    pub fn charge(
        &mut self,
        bytes: u64,
        what: &'static str,
        pointer: impl Into<String>,
    ) -> Result<(), GltfError> {
        let requested = self.used.saturating_add(bytes);
        if requested > self.limit {
            return Err(GltfError::MemoryLimit {
                what,
                pointer: pointer.into(),
                requested: bytes,
                limit: self.limit,
            });
        }
        self.used = requested;
        Ok(())
    }

    /// Returns freed bytes to the budget.
    pub fn release(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }
}
