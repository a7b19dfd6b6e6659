use ufbx::ErrorType;

/// The reason why an FBX file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FbxError {
    /// `ufbx` refuses the file.
    #[error(
        "this FBX file cannot be read: {reason}; export it again from the program that made it"
    )]
    Refused {
        /// The message of `ufbx`.
        reason: String,
    },
    /// The file needs more memory than the limit for its size and its unpacked arrays.
    #[error(
        "reading this FBX file would need more than {limit} bytes of memory, the limit for its size and contents; split it, or export it with fewer keys and polygons"
    )]
    MemoryLimit {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A geometry cache that moves the vertices is missing.
    #[error(
        "the mesh `{mesh}` needs the geometry cache `{file}`, which is not in the document's folder; export the motion with joints or blend shapes"
    )]
    MissingCache {
        /// Name of the mesh.
        mesh: String,
        /// Name of the missing file.
        file: String,
    },
    /// The contents do not form a character.
    #[error("no character can be made from this FBX file: {reason}")]
    Character {
        /// Description of the fault.
        reason: String,
    },
}

impl FbxError {
    pub(super) fn of(error: &ufbx::Error, limit: usize) -> Self {
        match error.type_ {
            ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
                Self::MemoryLimit { limit }
            }
            // Other errors have no useful details.
            ErrorType::UnsupportedVersion => Self::Refused {
                reason: format!("{} {}", &*error.description, error.info()),
            },
            _ => Self::Refused {
                reason: error.description.to_string(),
            },
        }
    }
}
