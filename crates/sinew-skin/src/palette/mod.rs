//! Palettes, which a pose makes of a skin and skinning reads: matrices, or rigid motions and stretches with their signs fixed.

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

/// A palette of either kind, which decides on the method.
#[derive(Clone, Copy, Debug)]
pub enum PaletteRef<'a> {
    /// `model_from_bind` of every joint: linear blend skinning, and rigid skinning with the plan of
    /// [`SkinPlan::rigid`](crate::SkinPlan::rigid).
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
