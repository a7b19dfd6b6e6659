//! The options of a binding.

/// The method that finds weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BindMethod {
    /// The best of the others.
    #[default]
    Auto,
    /// Equation (2) of Xu et al.: the nearest curve, blending within half a bone of each joint.
    Bezier,
    /// Equation (1) of Xu et al.: blending from the middle of a bone to the middle of the next.
    BezierWide,
    /// Diffusion from the bones through the solid.
    Heat,
    /// The nearest bone alone.
    Rigid,
}

/// The options of a binding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindOptions {
    /// The method that finds weights.
    pub method: BindMethod,
    /// The max number of influences on a vertex, at least one.
    pub influences: usize,
    /// True to keep the weights that vertices have, and to find new ones only where joints blend.
    pub correct: bool,
    /// The blend radius of equation (2) about joints that [`Bones::radii`](crate::weights::Bones::radii) says nothing
    /// of; half of the shorter bone where this is open too.
    pub radius: Option<f32>,
}

impl Default for BindOptions {
    fn default() -> Self {
        Self {
            method: BindMethod::Auto,
            influences: 4,
            correct: false,
            radius: None,
        }
    }
}
