//! What is told of a character whose meshes were bound, or were not.

use super::{BindError, BindWarning, KeptVolume, Unweighted};
use sinew::CharacterError;
use sinew::skin::SkinError;
use thiserror::Error;

/// The reason why a character's meshes were not bound.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindCharacterError {
    /// There is no skeleton.
    #[error("there is no skin to bind to")]
    NoSkin,
    /// Every mesh is skinned or hangs from a joint.
    #[error("there is no mesh to bind: every mesh has weights already or hangs from a joint")]
    NothingToBind,
    /// With [`BindOptions::correct`]: there are no weights.
    #[error("there are no weights to correct: no mesh has any")]
    NothingToCorrect,
    /// Two files that both move.
    #[error("the mesh's own nodes are animated, so it cannot take another skeleton")]
    Animated,
    /// The mesh is far larger than the skeleton.
    #[error(
        "the mesh is {mesh} across and the skeleton {skeleton}, so they are not in one unit; scale one of them"
    )]
    Size {
        /// The diagonal of the box around the mesh.
        mesh: f32,
        /// The diagonal of the box around the joints.
        skeleton: f32,
    },
    /// A character that contradicts itself.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A skin that is of no use.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The binding itself.
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// The report of a binding.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BindReport {
    /// The skin that the meshes were bound to.
    pub skin: usize,
    /// Meshes that now have weights.
    pub meshes: usize,
    /// Their vertices.
    pub vertices: usize,
    /// Joints of the skin that move at least one of them.
    pub joints_used: usize,
    /// Vertices by number of influences, from none.
    pub vertices_by_influences: Vec<usize>,
    /// Meshes that were left alone because they hang from a joint of the skin and follow it as they
    /// are.
    pub carried: usize,
    /// Joints of the skin, by their index in it, that were given nothing, and why.
    pub unweighted: Vec<(usize, Unweighted)>,
    /// Pieces that were taken for cloth and follow the skin beneath them.
    pub cloth: Vec<ClothPiece>,
    /// What is most likely not as it was wanted.
    pub warnings: Vec<BindWarning>,
    /// The joint that loses most of the flesh around it when it turns; `None` where no joint blends with
    /// another.
    pub volume: Option<KeptVolume>,
}

/// A piece of a mesh that was taken for cloth: open, and lying on the skin of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClothPiece {
    /// The mesh that it is of.
    pub mesh: usize,
    /// How many vertices it has.
    pub vertices: usize,
}
