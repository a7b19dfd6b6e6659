use super::open_file::{FileId, OpenFile};
use super::stamp::Stamp;
use std::collections::HashMap;
use std::fs;
use std::io;

const EVERY_SECS: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    Changed,
    Gone,
}

#[derive(Debug, Default)]
pub(crate) struct Watch {
    since_secs: f64,
    seen: HashMap<FileId, Seen>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// Stamp at the last check, if it differs from that of the loaded file.
    other: Option<Stamp>,
    /// Stamp at the last reload, which may have failed.
    tried: Option<Stamp>,
    is_gone: bool,
}

impl Watch {
    /// Checks all files if the interval has passed. Reports a change once, when two checks have
    /// seen the same stamp. Until then, the file may still be written.
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
                // The disk may be available again later.
                Err(_) => {}
            }
        }
        changes
    }
}
