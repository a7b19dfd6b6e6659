use crate::document::{Export, FileId, MadeFigure};
use crate::state::asking::Answer;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Change of open files or messages, or a file to write.
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
    /// Saves the shown file to the path that it was saved to last. Asks for a path the first time.
    Save,
    /// Saves the shown file to a path. The file then has this path.
    SaveAs {
        /// Path of the file to write. `None` asks for it.
        #[serde(default)]
        path: Option<PathBuf>,
        /// True to replace a file that is there. Default false, which asks.
        #[serde(default)]
        replace: bool,
    },
    /// Answers the question that the window asks.
    Answer {
        /// The answer.
        answer: Answer,
    },
    /// Writes a copy in the background.
    Export {
        /// Picture, animation, character or packed clip.
        what: Export,
        /// Path of the file to write.
        path: PathBuf,
    },
}
