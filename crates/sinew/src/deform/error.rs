use crate::character::CharacterError;
use crate::clip::ClipMismatch;
use crate::pose::PoseMismatch;
use sinew_skin::SkinError;
use thiserror::Error;

/// Error of [`deform`](super::deform()).
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DeformError {
    /// Character with inconsistent parts.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Skin that does not fit the skeleton.
    #[error(transparent)]
    Palette(#[from] SkinError),
    /// Pose of another skeleton.
    #[error(transparent)]
    Pose(#[from] PoseMismatch),
    /// Primitive whose influences or vertices do not fit its skin.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// Index of the node.
        node: usize,
        /// Index of the primitive in its mesh.
        primitive: usize,
        /// Cause of the error.
        source: SkinError,
    },
    /// Clip of another skeleton.
    #[error(transparent)]
    Clip(#[from] ClipMismatch),
    /// Clip index out of range.
    #[error("there is no clip {clip}; the character has {len}")]
    NoSuchClip {
        /// Index that was requested.
        clip: usize,
        /// Number of clips.
        len: usize,
    },
    /// Result that is infinite or not a number.
    #[error(
        "{location} is infinite or not a number at {time_secs} s: a transform or key of it, or of a joint above it, is too large"
    )]
    NotFinite {
        /// Name of the joint, node or vertex.
        location: String,
        /// Time in seconds.
        time_secs: f64,
    },
    /// Meshes on so many nodes that the result needs far more memory than the character.
    #[error(
        "{vertices} deformed vertices of {nodes} nodes need {requested} bytes of memory, but the limit for this \
         character is {limit} bytes: put its meshes on fewer nodes, or deform them one at a time"
    )]
    TooLarge {
        /// Number of moved vertices of all nodes.
        vertices: u64,
        /// Number of nodes with a mesh.
        nodes: usize,
        /// Required memory in bytes.
        requested: u64,
        /// Limit in bytes: 256 MiB plus eight times the memory of the vertices of the character.
        limit: u64,
    },
}
