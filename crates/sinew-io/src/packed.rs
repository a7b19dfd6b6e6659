//! Imports `.sinew` files as editable characters. For playback, use
//! [`sinew::clip::packed::PackedFile`], which reads the packed bytes directly.

use sinew::clip::packed::{PackedError, PackedFile};
use sinew::{Character, TrackError};

use crate::report::{FileReport, Severity};

/// The reason why a `.sinew` file cannot be imported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedImportError {
    /// The bytes are not a valid `.sinew` file.
    #[error(transparent)]
    Bytes(#[from] PackedError),
    /// The times of the frames of a clip do not ascend.
    #[error("clip {clip}: {source}")]
    Clip {
        /// Index of the clip.
        clip: usize,
        /// The fault of the track.
        source: TrackError,
    },
}

pub(crate) fn looks_like_sinew(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SINW")
}

/// Reads the skeleton and unpacks the clips. Omits morph weights, because the file has no meshes.
/// The result can be a hundred times larger than the file, because a packed frame may take one bit
/// per track.
///
/// # Errors
/// [`PackedImportError`] states the fault and the clip.
pub fn import_bytes(bytes: &[u8]) -> Result<(Character, FileReport), PackedImportError> {
    let file = PackedFile::from_bytes(bytes)?;
    let mut character = Character::from_skeleton(file.skeleton);
    let mut report = FileReport::default();
    for (index, packed) in file.clips.iter().enumerate() {
        let mut clip = packed.unpack().map_err(|source| PackedImportError::Clip {
            clip: index,
            source,
        })?;
        if !clip.morphs.is_empty() {
            let message = "tracks of morph weights were left out, because the file has no mesh";
            report.add(
                Severity::Ignored,
                "SINEW_MORPHS",
                format_args!("clip {index}"),
                message,
            );
            clip.morphs.clear();
        }
        character.clips.push(clip);
    }
    Ok((character, report))
}
