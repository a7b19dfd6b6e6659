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
        /// Ids of the files, from left to right.
        files: Vec<FileId>,
    },
    /// Sets the method of the first pane.
    Method {
        /// Name of the method.
        method: String,
    },
    /// Shows the clip beside its packed version.
    ComparePacked,
    /// Shows one pane.
    CompareNone,
}
