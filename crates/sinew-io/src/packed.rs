//! `.sinew` files as characters, for tools that edit and convert; players read them with
//! [`sinew::clip::packed::PackedFile`] and unpack nothing.

use sinew::clip::packed::{PackedError, PackedFile};
use sinew::{Character, TrackError};

use crate::report::{FileReport, Severity};

/// The reason why a `.sinew` file was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedImportError {
    /// Its bytes are not such a file.
    #[error(transparent)]
    Bytes(#[from] PackedError),
    /// Its frames cannot be told apart.
    #[error("clip {clip}: {source}")]
    Clip {
        /// The clip's number.
        clip: usize,
        /// The fault.
        source: TrackError,
    },
}

/// True where these bytes begin like a `.sinew` file.
pub(crate) fn looks_like_sinew(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SINW")
}

/// The skeleton and the clips, unpacked. Morph weights are left out: the file has no meshes.
///
/// A packed frame takes a bit or more a track, so what comes out can have a hundred times the file's size.
///
/// # Errors
/// [`PackedImportError`] says what is wrong and where.
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
            let message = "morph weights need a mesh, and the file has none";
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
