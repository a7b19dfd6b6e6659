//! Findings about a placed skeleton.

use std::fmt;

/// Doubt about a skeleton in a mesh, with figures.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// A joint is outside the mesh.
    JointOutside {
        /// Name of the joint.
        name: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JointOutside { name } => write!(f, "joint \"{name}\" is outside the mesh"),
        }
    }
}
