//! Reasons why a character could not be written.

use sinew::HierarchyError;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a character could not be written as glTF. Places are JSON pointers into the document that
/// would have been written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A value that is infinite or not a number, which no file can hold.
    #[error("{place}: a value is infinite or not a number")]
    NotFinite {
        /// The JSON pointer to it.
        place: String,
    },
    /// Arrays that belong together have different lengths.
    #[error("{place}: there are {found} elements where {wanted} are needed")]
    Count {
        /// The JSON pointer to it.
        place: String,
        /// The number that the other arrays call for.
        wanted: usize,
        /// The number that there are.
        found: usize,
    },
    /// An index that refers to nothing.
    #[error("{place}: refers to {index}, but there are only {len}")]
    Reference {
        /// The JSON pointer to it.
        place: String,
        /// The index.
        index: usize,
        /// The number that there are to refer to.
        len: usize,
    },
    /// Nodes that are not a forest.
    #[error("the nodes are not a tree: {0}")]
    Nodes(HierarchyError),
    /// A key before the start of its clip, which glTF does not allow.
    #[error("{place}: a key stands before the clip's start, at {time_secs} s; shift the clip")]
    NegativeTime {
        /// The JSON pointer to it.
        place: String,
        /// The time of the key, in seconds.
        time_secs: f32,
    },
    /// More bytes than the container can count.
    #[error("{bytes} bytes are more than a GLB file can hold; write a .gltf file instead")]
    TooLarge {
        /// The number that there would be.
        bytes: usize,
    },
    /// A file name that says nothing about the format.
    #[error("{}: the name must end in .glb, .gltf or .vrm", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A name that promises an avatar, and a document that is none.
    #[error("{}: there is no avatar in it, so it is no .vrm file; end its name in .glb", path.display())]
    NoAvatar {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// The document could not be put into text.
    #[error("cannot write the document: {0}")]
    Json(#[from] serde_json::Error),
}

impl ExportError {
    pub(super) fn not_finite(place: impl Into<String>) -> Self {
        Self::NotFinite {
            place: place.into(),
        }
    }
}

/// Checks that `index` refers to something.
pub(super) fn check_reference(
    index: usize,
    len: usize,
    place: impl FnOnce() -> String,
) -> Result<(), ExportError> {
    if index < len {
        return Ok(());
    }
    let place = place();
    Err(ExportError::Reference { place, index, len })
}

/// Checks that an array is as long as the arrays beside it.
pub(super) fn check_count(
    found: usize,
    wanted: usize,
    place: impl FnOnce() -> String,
) -> Result<(), ExportError> {
    if found == wanted {
        return Ok(());
    }
    let place = place();
    Err(ExportError::Count {
        place,
        wanted,
        found,
    })
}
