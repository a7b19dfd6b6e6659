//! Errors of binding.

use sinew::skin::SkinError;
use sinew::{CharacterError, HierarchyError, InfluenceError};
use thiserror::Error;

/// Reason why a mesh was not bound.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// No joint of the skeleton may move vertices.
    #[error("the skeleton has no joint that may move vertices")]
    NoJoints,
    /// The skeleton has more joints than influences can refer to.
    #[error("the skeleton has {0} joints, but the max is 65536")]
    TooManyJoints(usize),
    /// The lists of [`Bones`](crate::weights::Bones) differ in length.
    #[error(
        "bones have {heads} heads, but {other} parents, tails, flesh values, radii or deform flags"
    )]
    Mismatch {
        /// Number of heads.
        heads: usize,
        /// Length of another list.
        other: usize,
    },
    /// Parents do not exist or form a loop.
    #[error("the bones are not a tree: {0}")]
    Parents(#[from] HierarchyError),
    /// A blend radius is not above 0, or is larger than the mesh.
    #[error(
        "the blend radius {radius} must be above 0 and at most {size}, the size of the model; the default is half the length of the shorter bone"
    )]
    Radius {
        /// Index of the joint. `None` for the default radius of all joints.
        joint: Option<usize>,
        /// Requested radius.
        radius: f32,
        /// Diagonal of the box around the mesh.
        size: f32,
    },
    /// There are more influences than can be stored.
    #[error(transparent)]
    Influences(#[from] InfluenceError),
}

/// Reason why the meshes of a character were not bound.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BindCharacterError {
    /// The character has no skin.
    #[error("there is no skin to bind to")]
    NoSkin,
    /// Every mesh is already skinned or hangs from a joint.
    #[error("there is no mesh to bind: every mesh already has weights or is attached to a joint")]
    NothingToBind,
    /// [`BindOptions::correct`](crate::weights::BindOptions::correct) is set, but no mesh has weights.
    #[error("there are no weights to correct: no mesh has weights")]
    NothingToCorrect,
    /// The character has its own clips, so it cannot get another skeleton.
    #[error("the nodes of the mesh are animated, so it cannot be bound to another skeleton")]
    Animated,
    /// The mesh is far larger than the skeleton.
    #[error(
        "the mesh is {mesh} across and the skeleton {skeleton}: they are probably in different units; scale one of them"
    )]
    Size {
        /// Diagonal of the box around the mesh.
        mesh: f32,
        /// Diagonal of the box around the joints.
        skeleton: f32,
    },
    /// The parts of the character do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The skin is not valid.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The surface could not be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
}
