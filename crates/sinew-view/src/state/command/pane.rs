use crate::document::FileId;
use serde::{Deserialize, Serialize};

/// Change of the panes. The methods are `rigid`, `lbs`, `dqs` and `quat`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PaneCommand {
    /// Shows one pane per method for the shown file.
    CompareMethods {
        /// Names of the methods, from left to right.
        methods: Vec<String>,
    },
    /// Shows one pane per file.
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
    /// Shows a single pane.
    CompareNone,
}
