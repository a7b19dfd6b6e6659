//! Reasons why a mesh or a character was not bound.

use sinew::skin::SkinError;
use sinew::{CharacterError, HierarchyError, InfluenceError};
use thiserror::Error;

/// The reason why a mesh was not bound.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// Nothing to bind to.
    #[error("the skeleton has no joint that may move vertices")]
    NoJoints,
    /// More joints than influences can name.
    #[error("the skeleton has {0} joints, and influences can name 65536")]
    TooManyJoints(usize),
    /// The lists of the bones differ in length.
    #[error(
        "bones have {heads} heads, and {other} parents, tails, flesh, radii or marks of what deforms"
    )]
    Mismatch {
        /// The number of heads.
        heads: usize,
        /// The length of another list.
        other: usize,
    },
    /// Parents that do not exist, or that lead back to where they began.
    #[error("the bones are not a tree: {0}")]
    Parents(#[from] HierarchyError),
    /// A blend radius that is none.
    #[error(
        "the blend radius {radius} is not above 0, or more than the model is large, {size}: leave it out for half of the shorter bone"
    )]
    Radius {
        /// The joint; none where it is the one for all.
        joint: Option<usize>,
        /// The radius that was asked for.
        radius: f32,
        /// The diagonal of the box around the mesh.
        size: f32,
    },
    /// More influences than can be counted.
    #[error(transparent)]
    Influences(#[from] InfluenceError),
}

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
    /// With [`BindOptions::correct`](crate::weights::BindOptions::correct): there are no weights.
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
