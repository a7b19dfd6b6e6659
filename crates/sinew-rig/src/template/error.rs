//! Errors in edits of a template.

use sinew::SkeletonError;
use thiserror::Error;

/// Reason why an edit or position is not valid.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// No joint has the given name.
    #[error("there is no joint \"{name}\"; the joints are {known}{near}")]
    NoSuchJoint {
        /// Requested name.
        name: String,
        /// Existing names, shortened to fit the message.
        known: String,
        /// End of the message: a similar name, or empty.
        near: String,
    },
    /// Another joint already has the new name.
    #[error("there is a joint \"{name}\" already; choose another name")]
    NameTaken {
        /// Name that is taken.
        name: String,
    },
    /// The root cannot be merged into its parent.
    #[error("joint \"{name}\" is the root and cannot be merged into its parent")]
    Root {
        /// Name of the root.
        name: String,
    },
    /// The number of pieces of a bone is not in 2..=64.
    #[error("a bone is split into 2 to 64 pieces, not {pieces}")]
    Pieces {
        /// Requested number of pieces.
        pieces: usize,
    },
    /// A position is not finite.
    #[error("the position of joint \"{name}\" is not finite")]
    NotFinite {
        /// Name of the joint.
        name: String,
    },
    /// The box is empty or not finite.
    #[error("a skeleton cannot be fitted into a box that is empty or not finite")]
    EmptyBox,
    /// The resulting joints are not a valid skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}
