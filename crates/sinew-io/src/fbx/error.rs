//! Reasons why an FBX file was refused.

use ufbx::ErrorType;

/// The reason why an FBX file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FbxError {
    /// The reader does not take it; its words.
    #[error(
        "this FBX file cannot be read: {reason}; export it again from the program that made it"
    )]
    Refused {
        /// The message of `ufbx`.
        reason: String,
    },
    /// It would become much larger in memory than a file of its size may.
    #[error(
        "reading this FBX file would take more than {limit} bytes of memory, which a file of its size may not"
    )]
    MemoryLimit {
        /// The most that may be taken.
        limit: usize,
    },
    /// Its vertices move by a file that is not there.
    #[error(
        "the mesh `{mesh}` is moved by the geometry cache `{file}`, which is not beside the document; export the motion with joints or blend shapes"
    )]
    MissingCache {
        /// The mesh.
        mesh: String,
        /// The file that it refers to.
        file: String,
    },
    /// Its contents make no character.
    #[error("this FBX file makes no character: {reason}")]
    Character {
        /// The reason.
        reason: String,
    },
}

impl FbxError {
    /// The error that `ufbx` reports, given the max memory that it was allowed.
    pub(super) fn of(error: &ufbx::Error, limit: usize) -> Self {
        match error.type_ {
            ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
                Self::MemoryLimit { limit }
            }
            // The only one whose details say more than its name, and they are a number.
            ErrorType::UnsupportedVersion => Self::Refused {
                reason: format!("{} {}", &*error.description, error.info()),
            },
            _ => Self::Refused {
                reason: error.description.to_string(),
            },
        }
    }
}
