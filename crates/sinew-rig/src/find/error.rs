//! Reasons why no skeleton is found.

use thiserror::Error;

/// Reason why no skeleton is found in a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The mesh has no body, or none that can be told from other shapes.
    #[error("no body found: {reason}")]
    NoBody {
        /// Kind of the mesh, or the missing parts, with figures.
        reason: String,
    },
    /// A hint names a joint that the skeleton does not have.
    #[error("there is no joint \"{name}\"{near}; a hint needs the name of a joint of the template")]
    NoSuchJoint {
        /// Name in the hint.
        name: String,
        /// End of the message: a similar name, or empty.
        near: String,
    },
    /// The position of a hint is not finite.
    #[error("the position given for joint \"{name}\" is not finite")]
    NotFinite {
        /// Name in the hint.
        name: String,
    },
}
