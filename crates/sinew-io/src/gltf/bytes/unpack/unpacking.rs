use std::sync::Arc;

use crate::beside::MAX_MEMORY;
use crate::gltf::bytes::buffers::Buffers;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::{Buffer, Document};
use crate::report::FileReport;

/// Max number of unpacked bytes: `FLOOR`, and this number per byte of the buffers. Constant columns
/// expand a thousandfold, real data tens of times.
const MAX_PER_BYTE: u64 = 32;
const FLOOR: u64 = 8 << 20;

pub(super) struct Unpacking<'d, 'b> {
    pub document: &'d mut Document,
    pub buffers: &'d mut Buffers<'b>,
    pub report: &'d mut FileReport,
    pub budget: &'d mut Budget,
    pub allowance: Allowance,
}

pub(super) struct Allowance(u64);

impl Allowance {
    /// Limit for the whole file, even if several streams share bytes.
    pub fn for_buffers(document: &Document, buffers: &Buffers<'_>) -> Self {
        let lengths = (0..document.buffers.len() as u32).filter_map(|index| buffers.get(index));
        let bytes: u64 = lengths.map(|bytes| bytes.len() as u64).sum();
        let limit = FLOOR.saturating_add(bytes.saturating_mul(MAX_PER_BYTE));
        Self(limit.min(MAX_MEMORY / 2))
    }

    /// Number of bytes that may still be unpacked.
    #[cfg(feature = "draco")]
    pub fn left(&self) -> u64 {
        self.0
    }

    /// Subtracts the unpacked size of a stream from the limit.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if the limit is exceeded.
    pub fn take(&mut self, bytes: u64, pointer: &str) -> Result<(), GltfError> {
        let limit = self.0;
        let left = limit.checked_sub(bytes);
        self.0 = left.ok_or_else(|| GltfError::MemoryLimit {
            what: "the decompressed data",
            pointer: pointer.to_owned(),
            requested: bytes,
            limit,
        })?;
        Ok(())
    }
}

impl Unpacking<'_, '_> {
    /// Adds a buffer and returns its index.
    pub fn add_buffer(&mut self, bytes: Vec<u8>) -> u32 {
        self.budget.grow_for(bytes.len());
        let buffer = Buffer {
            byte_length: bytes.len() as u64,
            ..Buffer::default()
        };
        self.document.buffers.push(buffer);
        self.buffers.push(Arc::new(bytes));
        self.document.buffers.len() as u32 - 1
    }

    /// True if an accessor has bytes or does not exist.
    pub fn has_bytes(&self, accessor: u32) -> bool {
        let accessor = self.document.accessors.get(accessor as usize);
        accessor.is_none_or(|accessor| accessor.buffer_view.is_some())
    }
}
