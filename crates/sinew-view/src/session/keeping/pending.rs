//! Commands that wait for an answer of the user.

use crate::document::FileId;
use crate::state::Then;
use std::collections::BTreeSet;

/// Commands that wait for an answer or for a file to be written.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// Files whose unsaved edits the user gives up.
    pub given_up: BTreeSet<FileId>,
    /// Command that waits until a file is saved.
    pub then: Option<(FileId, Then)>,
    /// True if the window closes as soon as all files are written.
    pub is_quitting: bool,
}
