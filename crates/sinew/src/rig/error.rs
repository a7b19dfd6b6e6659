//! Reasons why there is no rig, and why an actor refuses.

use crate::character::CharacterError;
use crate::graph::PlayError;
use crate::ik::IkError;
use crate::pose::PoseMismatch;
use sinew_skin::{Method, SkinError};
use thiserror::Error;

/// The reason why a character is no rig, or a rig has not what was asked for.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RigError {
    /// A character whose parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A method that is for comparison only.
    #[error("{0:?} skinning is for comparison; take Rigid, Linear or DualQuat, or `deform`")]
    Method(Method),
    /// A surface that cannot be skinned.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// The node that carries it.
        node: usize,
        /// The primitive of its mesh.
        primitive: usize,
        /// The reason.
        source: SkinError,
    },
    /// A skin that does not fit the skeleton.
    #[error("skin \"{name}\": {source}")]
    SkinJoints {
        /// Its name.
        name: String,
        /// The reason.
        source: SkinError,
    },
    /// No clip of that name.
    #[error("there is no clip \"{name}\"{hint}")]
    NoSuchClip {
        /// The name or index that was asked for.
        name: String,
        /// Near names, if there are any.
        hint: String,
    },
    /// A clip for another number of joints.
    #[error("clip \"{name}\" moves {found} joints, and the skeleton has {wanted}")]
    Clip {
        /// Its name.
        name: String,
        /// Joints that it needs.
        found: usize,
        /// Joints that there are.
        wanted: usize,
    },
}

/// The reason why an actor did not do what it was told; it is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ActorError {
    /// A player or pose of another rig.
    #[error("it plays another rig: {found} joints where this actor has {wanted}")]
    OtherRig {
        /// Its joints.
        found: usize,
        /// The actor's joints.
        wanted: usize,
    },
    /// A pose that was written with another number of joints.
    #[error(transparent)]
    Pose(#[from] PoseMismatch),
    /// No joint of that name.
    #[error("there is no joint \"{name}\"{hint}")]
    NoSuchJoint {
        /// The name or index that was asked for.
        name: String,
        /// Near names, if there are any.
        hint: String,
    },
    /// No part at that index.
    #[error("there is no part {part}: the rig has {parts}")]
    NoSuchPart {
        /// The name or index that was asked for.
        part: usize,
        /// The number of parts.
        parts: usize,
    },
    /// A graph that refuses to pose it.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A buffer or layout that does not fit.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// A goal that cannot be solved for.
    #[error(transparent)]
    Ik(#[from] IkError),
}
