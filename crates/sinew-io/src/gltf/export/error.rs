use sinew::HierarchyError;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a character cannot be written as glTF. Locations are JSON pointers.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A value is infinite or NaN.
    #[error("{location}: a value is infinite or not a number")]
    NotFinite {
        /// JSON pointer of the value.
        location: String,
    },
    /// Arrays that belong together have different lengths.
    #[error("{location}: there are {found} elements instead of {expected}")]
    Count {
        /// JSON pointer of the array.
        location: String,
        /// Length of the other arrays.
        expected: usize,
        /// Length of this array.
        found: usize,
    },
    /// An index is out of range.
    #[error("{location}: index {index} is out of range; there are {len}")]
    Reference {
        /// JSON pointer of the index.
        location: String,
        /// The invalid index.
        index: usize,
        /// Number of objects that exist.
        len: usize,
    },
    /// The parents of the nodes form a loop or do not exist.
    #[error("the nodes do not form a tree: {0}")]
    Nodes(HierarchyError),
    /// A key is before time 0, which glTF does not allow.
    #[error("{location}: a key is before the start of the clip, at {time_secs} s; shift the clip")]
    NegativeTime {
        /// JSON pointer of the track.
        location: String,
        /// Time of the key, in seconds.
        time_secs: f32,
    },
    /// The file exceeds the 4 GiB limit of GLB.
    #[error("{bytes} bytes are too many for a GLB file; write a .gltf file instead")]
    TooLarge {
        /// Size that the file would have, in bytes.
        bytes: usize,
    },
    /// The extension of the file name is not `.glb`, `.gltf` or `.vrm`.
    #[error("{}: the name must end in .glb, .gltf or .vrm", path.display())]
    UnknownFormat {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file name ends in `.vrm`, but the document has no avatar.
    #[error("{}: there is no avatar to write into a .vrm file; choose a name that ends in .glb", path.display())]
    NoAvatar {
        /// Path of the file.
        path: PathBuf,
    },
    /// The text is not the page of the viewer.
    #[error("this is not the page of the viewer; `make web` builds it as web/dist/viewer.html")]
    NotAViewer,
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The document could not be serialised.
    #[error("cannot write the document: {0}")]
    Json(#[from] serde_json::Error),
}

impl ExportError {
    pub(super) fn not_finite(location: impl Into<String>) -> Self {
        Self::NotFinite {
            location: location.into(),
        }
    }
}

pub(super) fn check_reference(
    index: usize,
    len: usize,
    location: impl FnOnce() -> String,
) -> Result<(), ExportError> {
    if index < len {
        return Ok(());
    }
    let location = location();
    Err(ExportError::Reference {
        location,
        index,
        len,
    })
}

pub(super) fn check_count(
    found: usize,
    expected: usize,
    location: impl FnOnce() -> String,
) -> Result<(), ExportError> {
    if found == expected {
        return Ok(());
    }
    let location = location();
    Err(ExportError::Count {
        location,
        expected,
        found,
    })
}
