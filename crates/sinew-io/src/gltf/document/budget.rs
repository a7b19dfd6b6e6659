//! The memory that one import may use, counted before it is allocated.

use super::error::GltfError;

/// Bytes that every import may use whatever the size of its file.
const FLOOR: u64 = 12 << 20;

/// Max bytes of memory that a byte of the file may become.
const PER_BYTE: u64 = 8;

/// The memory budget of an import: counts what it allocates, and refuses what would pass the limit.
///
/// A file of 200 bytes may declare two billion vertices; the limit follows from what the file is, not from what it
/// declares.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: u64,
}

impl Budget {
    /// A budget for a document of `json_bytes`, which are held in memory themselves.
    pub fn for_json(json_bytes: usize) -> Self {
        let mut budget = Self {
            limit: FLOOR,
            used: 0,
        };
        budget.grow_for(json_bytes);
        budget
    }

    /// Makes room for what `bytes` of a buffer may become, and counts the buffer itself.
    pub fn grow_for(&mut self, bytes: usize) {
        let bytes = bytes as u64;
        self.limit = self.limit.saturating_add(bytes.saturating_mul(PER_BYTE));
        self.used = self.used.saturating_add(bytes);
    }

    /// The most that may be in use at once, in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Counts `bytes` that are about to be allocated for `what`.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] when that would pass the limit; nothing is counted then.
    pub fn charge(
        &mut self,
        bytes: u64,
        what: &'static str,
        pointer: impl Into<String>,
    ) -> Result<(), GltfError> {
        let wanted = self.used.saturating_add(bytes);
        if wanted > self.limit {
            return Err(GltfError::MemoryLimit {
                what,
                pointer: pointer.into(),
                wanted: bytes,
                limit: self.limit,
            });
        }
        self.used = wanted;
        Ok(())
    }

    /// Gives back `bytes` that were charged and are free again.
    pub fn release(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }
}
