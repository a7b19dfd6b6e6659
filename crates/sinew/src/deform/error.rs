//! Reasons why a character cannot be deformed.

use crate::character::CharacterError;
use crate::pose::PoseMismatch;
use sinew_skin::SkinError;
use thiserror::Error;

/// The reason why a character could not be deformed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DeformError {
    /// A character whose parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A skin that does not fit the skeleton.
    #[error(transparent)]
    Palette(#[from] SkinError),
    /// A pose of another skeleton.
    #[error(transparent)]
    Pose(#[from] PoseMismatch),
    /// A primitive that does not fit its skin.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// The node.
        node: usize,
        /// The primitive of its mesh.
        primitive: usize,
        /// The mistake.
        source: SkinError,
    },
    /// No such clip.
    #[error("there is no clip {clip}; the character has {len}")]
    NoSuchClip {
        /// The clip asked for.
        clip: usize,
        /// The number of clips.
        len: usize,
    },
    /// A result that is infinite or not a number, which nothing can be done with.
    #[error(
        "{place} is infinite or not a number at {time_secs} s: what moves it, or a joint above, is too large"
    )]
    NotFinite {
        /// The joint, node or vertex.
        place: String,
        /// When.
        time_secs: f64,
    },
    /// Meshes on more nodes than fit into memory that follows from the character's own size.
    #[error(
        "{vertices} moved vertices of {nodes} nodes take {wanted} bytes of memory, and this character \
         may take {limit}: put its meshes on fewer nodes, or move them one at a time"
    )]
    TooLarge {
        /// Of all nodes.
        vertices: u64,
        /// The number of nodes that carry a mesh.
        nodes: usize,
        /// In bytes.
        wanted: u64,
        /// In bytes: 256 MiB and eight times the character's own vertices.
        limit: u64,
    },
}
