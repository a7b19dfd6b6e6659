//! Panes side by side, with one camera and one time.

use crate::document::FileId;
use sinew::Method;

/// The most panes.
pub const MAX_PANES: usize = 4;

/// One picture of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// The file that it shows.
    pub file: FileId,
    /// How joints share a vertex there.
    pub method: Method,
    /// Whether the packed clip plays there in place of the clip.
    pub is_packed: bool,
}
