//! Options of the search in a mesh.

use glam::Vec3;
use std::collections::BTreeMap;

/// Kind of body to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Like {
    /// A biped or a quadruped, whichever the mesh is.
    #[default]
    Auto,
    /// A body on two legs.
    Biped,
    /// A body on four legs.
    Quadruped,
}

/// Options of [`find_skeleton`](super::find_skeleton).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FindOptions {
    /// Kind of body. Default: whichever the mesh is.
    pub like: Like,
    /// Positions of some joints, by name, in the space of the mesh. These joints stand there, and
    /// the others are found to match. Default none.
    pub positions: BTreeMap<String, Vec3>,
}

impl FindOptions {
    /// Sets the kind of body.
    pub fn with_like(mut self, like: Like) -> Self {
        self.like = like;
        self
    }

    /// Sets the position of a joint.
    pub fn with_position(mut self, joint: impl Into<String>, position: Vec3) -> Self {
        self.positions.insert(joint.into(), position);
        self
    }
}
