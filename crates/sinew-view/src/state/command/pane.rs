//! Commands of panes side by side.

use crate::document::FileId;
use serde::{Deserialize, Serialize};

/// A change of the panes. Methods are `rigid`, `lbs`, `dqs`, `quat`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PaneCommand {
    /// Shows a pane for each of some methods of the shown file.
    CompareMethods {
        /// Names of the methods, from left to right.
        methods: Vec<String>,
    },
    /// Shows a pane for each of some files.
    CompareFiles {
        /// The files, from left to right.
        files: Vec<FileId>,
    },
    /// Skins the first pane by another method.
    Method {
        /// Name of the method.
        method: String,
    },
    /// Shows the clip beside the same clip, packed.
    ComparePacked,
    /// Shows one pane.
    CompareNone,
}
