//! Files that change on disk while they are open.

use super::open_file::{FileId, OpenFile};
use super::stamp::Stamp;
use std::collections::HashMap;
use std::fs;
use std::io;

/// Interval at which files are looked at.
const EVERY_SECS: f64 = 0.5;

/// A change of a file on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    Changed,
    Gone,
}

/// The watch over open files.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    since_secs: f64,
    seen: HashMap<FileId, Seen>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Its state when it was last looked at, if that was not the one that was read: it may still be written.
    other: Option<Stamp>,
    /// The state that was read again on account of it, successfully or not.
    tried: Option<Stamp>,
    is_gone: bool,
}

impl Watch {
    /// Looks at all files if it is time to. A change counts when it is the same twice, so that a file that is being
    /// written is left in peace; a change is told once.
    pub fn look(&mut self, elapsed_secs: f64, files: &[OpenFile]) -> Vec<(FileId, FileChange)> {
        self.since_secs += elapsed_secs;
        if self.since_secs < EVERY_SECS {
            return Vec::new();
        }
        self.since_secs = 0.0;
        self.seen.retain(|id, _| files.iter().any(|f| f.id == *id));
        let mut changes = Vec::new();
        for file in files {
            let (Some(path), Some(read)) = (&file.path, file.stamp) else {
                continue;
            };
            let seen = self.seen.entry(file.id).or_default();
            match fs::metadata(path) {
                Ok(metadata) => {
                    let now = Stamp::of(&metadata);
                    let was_gone = std::mem::take(&mut seen.is_gone);
                    let is_known = now == read || seen.tried == Some(now);
                    if is_known {
                        seen.other = None;
                    } else if seen.other == Some(now) && !was_gone {
                        seen.tried = seen.other.take();
                        changes.push((file.id, FileChange::Changed));
                    } else {
                        seen.other = Some(now);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if !seen.is_gone {
                        changes.push((file.id, FileChange::Gone));
                    }
                    seen.is_gone = true;
                }
                // The disk may come back.
                Err(_) => {}
            }
        }
        changes
    }
}
