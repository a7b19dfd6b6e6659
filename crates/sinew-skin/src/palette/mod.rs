//! Palettes, computed from a skin and a pose: matrices, or rigid motions and stretches with signs.

mod block;
pub(crate) mod dual_quat;
mod joint;
mod lanes;
mod matrices;
mod signs;
mod split;

pub use dual_quat::DualQuatPalette;
pub use joint::DualQuatJoint;
pub use matrices::{Palette, Skin};

use sinew_math::transform::Affine;

/// Palette of either kind, which decides the skinning method.
#[derive(Clone, Copy, Debug)]
pub enum PaletteRef<'a> {
    /// The map `model_from_bind` of every joint: linear blend skinning, or rigid skinning with a
    /// plan from [`SkinPlan::rigid`](crate::SkinPlan::rigid).
    Linear(&'a [Affine]),
    /// Dual quaternion skinning with scale.
    DualQuat(&'a DualQuatPalette),
}

impl PaletteRef<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Linear(palette) => palette.len(),
            Self::DualQuat(palette) => palette.len(),
        }
    }
}
