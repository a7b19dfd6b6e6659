use std::fs::Metadata;
use std::time::SystemTime;

/// Modification time and length of a file on disk. If the stamp differs, the file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub changed: Option<SystemTime>,
    pub bytes: u64,
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            changed: metadata.modified().ok(),
            bytes: metadata.len(),
        }
    }
}
