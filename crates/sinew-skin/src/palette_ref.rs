//! A palette of either kind.

use crate::dual_quat_palette::DualQuatPalette;
use sinew_math::transform::Affine;

/// What moves the vertices, and so by which method.
#[derive(Clone, Copy, Debug)]
pub enum PaletteRef<'a> {
    /// `model_from_bind` of every joint: linear blend skinning, and rigid skinning with the plan of
    /// [`SkinPlan::rigid`].
    Linear(&'a [Affine]),
    /// Dual quaternion skinning with scale.
    DualQuat(&'a DualQuatPalette),
}

impl PaletteRef<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Linear(palette) => palette.len(),
            Self::DualQuat(palette) => palette.as_slice().len(),
        }
    }
}
