use crate::document::{FileId, OpenFile};
use sinew::Method;

/// Max number of panes.
pub const MAX_PANES: usize = 4;

/// Pane: one of several pictures side by side with the same camera and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// Id of the file that the pane shows.
    pub file: FileId,
    /// Skinning method.
    pub method: Method,
    /// True if the packed clip plays instead of the original.
    pub is_packed: bool,
}

impl Pane {
    /// Pane with a file, skinned by its own method.
    pub(crate) fn of(file: &OpenFile) -> Self {
        Self {
            file: file.id,
            method: file.character.method(),
            is_packed: false,
        }
    }
}
