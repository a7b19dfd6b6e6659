use crate::document::{Export, FileId, MadeFigure};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Change of open files or messages, or an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum FileCommand {
    /// Loads a file in the background, then shows it.
    Open {
        /// Path to the file.
        path: PathBuf,
    },
    /// Opens the bytes of a file that has no path.
    OpenBytes {
        /// Name to show. Its extension selects the format.
        name: String,
        /// Content of the file.
        bytes: Vec<u8>,
    },
    /// Opens a figure made by code.
    OpenMade {
        /// Kind of figure.
        figure: MadeFigure,
    },
    /// Loads a file again, as after a change on disk.
    Reload {
        /// Id of the file.
        file: FileId,
    },
    /// Cancels all loading.
    CancelOpening,
    /// Removes a message.
    DismissMessage {
        /// Index of the message.
        message: usize,
    },
    /// Closes a file. If it was the last, the mannequin replaces it.
    Close {
        /// Id of the file.
        file: FileId,
    },
    /// Shows a file in the first pane and in the panels. Keeps compared methods and files.
    Show {
        /// Id of the file.
        file: FileId,
    },
    /// Writes a file in the background.
    Export {
        /// Picture, animation, character or packed clip.
        what: Export,
        /// Path of the file to write.
        path: PathBuf,
    },
}
