//! The state of a file on disk, by which a change is noticed.

use std::fs::Metadata;
use std::time::SystemTime;

/// Time of the last change of a file, and its length: others, and it is another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    changed: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            changed: metadata.modified().ok(),
            bytes: metadata.len(),
        }
    }
}
