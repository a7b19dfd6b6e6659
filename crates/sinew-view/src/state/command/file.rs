//! Commands of files.

use crate::document::{Export, FileId, MadeFigure};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A change of the files that are open, of the messages about them, or a file to write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum FileCommand {
    /// Opens a file, on the side; it is shown when it is read.
    Open {
        /// Path to the file.
        path: PathBuf,
    },
    /// Opens the bytes of a file that has no path.
    OpenBytes {
        /// Name to show, and to tell the format by.
        name: String,
        /// All of the file.
        bytes: Vec<u8>,
    },
    /// Opens a figure made by code.
    OpenMade {
        /// The figure.
        figure: MadeFigure,
    },
    /// Reads a file again, as when it changes on disk.
    Reload {
        /// The file.
        file: FileId,
    },
    /// Gives up reading files.
    CancelOpening,
    /// Takes a message away.
    DismissMessage {
        /// Its index among the messages.
        message: usize,
    },
    /// Closes a file. The last one gives way to the mannequin.
    Close {
        /// The file.
        file: FileId,
    },
    /// Shows a file in the first pane, and in the panels.
    Show {
        /// The file.
        file: FileId,
    },
    /// Writes something to a file, on the side.
    Export {
        /// Picture, animation, character or packed clip.
        what: Export,
        /// Path of the file to write.
        path: PathBuf,
    },
}
