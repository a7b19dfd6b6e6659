use serde::{Deserialize, Serialize};
use sinew_edit::Edit;

/// A step back or forth in the edits of the shown file, or a part of a drag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum HistoryCommand {
    /// Takes the last edit back.
    Undo,
    /// Does the edit again that was undone last.
    Redo,
    /// Runs an edit that replaces the one before it in the same drag. The whole drag is one step.
    Drag {
        /// The edit, relative to the document before the drag.
        edit: Edit,
    },
    /// Runs an edit as a part of the step before it: undo takes both back.
    Join {
        /// The edit.
        edit: Edit,
    },
    /// Ends a drag.
    Release,
    /// Ends a drag and takes it back. It leaves no step.
    Cancel,
}

impl HistoryCommand {
    /// Edit of a drag.
    pub fn drag(edit: impl Into<Edit>) -> Self {
        let edit = edit.into();
        Self::Drag { edit }
    }
}
