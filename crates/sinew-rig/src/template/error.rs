//! Reasons why an edit of a template was refused.

use sinew::SkeletonError;
use thiserror::Error;

/// The reason why an edit or a position was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A name that no joint has.
    #[error("there is no joint \"{name}\"; there are {known}{near}")]
    NoSuchJoint {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: String,
        /// A name that may have been meant, as the message's end.
        near: String,
    },
    /// A name that another joint has already.
    #[error("there is a joint \"{name}\" already; choose another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The root cannot be merged into its parent.
    #[error("joint \"{name}\" is the root and cannot be merged into its parent")]
    Root {
        /// Its name.
        name: String,
    },
    /// A bone split into no pieces, or more than anyone needs.
    #[error("a bone is split into 2 to 64 pieces, not {pieces}")]
    Pieces {
        /// The number that was asked for.
        pieces: usize,
    },
    /// A position that is not finite.
    #[error("the position of joint \"{name}\" is not finite")]
    NotFinite {
        /// The joint.
        name: String,
    },
    /// A box without height.
    #[error("a skeleton cannot be fitted into a box that is empty or not finite")]
    EmptyBox,
    /// The joints that would come out are not a skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}
