use crate::character::CharacterError;
use crate::clip::ClipMismatch;
use crate::graph::PlayError;
use crate::ik::IkError;
use crate::pose::PoseMismatch;
use sinew_skin::{Method, SkinError};
use thiserror::Error;

/// Error while a [`Rig`](super::Rig) is made or used.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RigError {
    /// Character with inconsistent parts.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Skinning method that is for comparison only.
    #[error(
        "a rig cannot use {0:?} skinning, which is for comparison only; choose Rigid, Linear or DualQuat, or call `deform`"
    )]
    Method(Method),
    /// Primitive that cannot be skinned.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// Index of the node.
        node: usize,
        /// Index of the primitive in its mesh.
        primitive: usize,
        /// Cause of the error.
        source: SkinError,
    },
    /// Skin that does not fit the skeleton.
    #[error("skin \"{name}\": {source}")]
    SkinJoints {
        /// Name of the skin.
        name: String,
        /// Cause of the error.
        source: SkinError,
    },
    /// Unknown clip.
    #[error("there is no clip \"{name}\"{hint}")]
    NoSuchClip {
        /// Name or index that was requested.
        name: String,
        /// Similar names. May be empty.
        hint: String,
    },
    /// Clip of another skeleton.
    #[error("clip \"{name}\" moves {found} joints, but the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        name: String,
        /// Number of joints that the clip needs.
        found: usize,
        /// Number of joints of the skeleton.
        expected: usize,
    },
    /// Packed clips of another skeleton.
    #[error(
        "the packed clips are for another skeleton: joint {joint} is {} in the file and {} in the character; pack the clips of this character",
        quoted(.found), quoted(.expected)
    )]
    Packed {
        /// Index of the first joint that differs.
        joint: usize,
        /// Name of the joint in the file, if it exists there.
        found: Option<String>,
        /// Name of the joint in the character, if it exists there.
        expected: Option<String>,
    },
}

fn quoted(name: &Option<String>) -> String {
    name.as_ref()
        .map_or_else(|| "missing".to_owned(), |name| format!("\"{name}\""))
}

/// Error of an actor or a crowd. The actor or crowd is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ActorError {
    /// Player or graph of another rig.
    #[error(
        "the player or graph belongs to another rig, with {found} joints; this actor has {expected}"
    )]
    OtherRig {
        /// Number of joints of the other rig.
        found: usize,
        /// Number of joints of the actor.
        expected: usize,
    },
    /// Clip of another skeleton, if a [`Playable`](crate::Playable) no longer fits its rig.
    #[error(transparent)]
    Clip(#[from] ClipMismatch),
    /// Pose with the wrong number of joints.
    #[error(transparent)]
    Pose(#[from] PoseMismatch),
    /// Unknown joint.
    #[error("there is no joint \"{name}\"{hint}")]
    NoSuchJoint {
        /// Name that was requested.
        name: String,
        /// Similar names. May be empty.
        hint: String,
    },
    /// Part index out of range.
    #[error("there is no part {part}: the rig has {parts}")]
    NoSuchPart {
        /// Index that was requested.
        part: usize,
        /// Number of parts.
        parts: usize,
    },
    /// Error of a graph player.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Buffer or layout that does not fit.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// Error of inverse kinematics.
    #[error(transparent)]
    Ik(#[from] IkError),
}
