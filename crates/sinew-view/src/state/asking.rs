use crate::document::FileId;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Question to the user. Until it is answered, nothing is written, closed or loaded again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The path to save a file to.
    SavePath {
        /// The file.
        file: FileId,
        /// Path to suggest.
        path: PathBuf,
        /// Command to run after saving.
        then: Option<Then>,
    },
    /// Permission to replace a file on disk.
    Replace {
        /// The file to save.
        file: FileId,
        /// Path of the file on disk.
        path: PathBuf,
        /// Reason to ask.
        why: String,
        /// Command to run after saving.
        then: Option<Then>,
    },
    /// Treatment of unsaved edits.
    Unsaved {
        /// The file with the edits.
        file: FileId,
        /// Command that would lose them.
        then: Then,
    },
}

impl Question {
    /// The file that the question is about.
    pub fn file(&self) -> FileId {
        match self {
            Self::SavePath { file, .. }
            | Self::Replace { file, .. }
            | Self::Unsaved { file, .. } => *file,
        }
    }

    /// Command to run after saving.
    pub(crate) fn then(&self) -> Option<Then> {
        match self {
            Self::SavePath { then, .. } | Self::Replace { then, .. } => *then,
            Self::Unsaved { then, .. } => Some(*then),
        }
    }
}

/// Command that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Closes the file.
    Close,
    /// Loads the file again.
    Reload,
    /// Closes the window.
    Quit,
}

/// Answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Saves the file, also over a file on disk.
    Save,
    /// Gives up the unsaved edits.
    Discard,
    /// Does nothing.
    Cancel,
}
