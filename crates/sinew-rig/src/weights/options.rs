//! Options for binding.

/// Method that finds weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BindMethod {
    /// Visible curves, smoothed by diffusion. Cloth and loose parts are separate. Usually best.
    #[default]
    Auto,
    /// Equation (2) of Xu et al.: the nearest curve, with a blend within half a bone of each joint.
    Bezier,
    /// Equation (1) of Xu et al.: a blend between the middles of neighbouring bones.
    BezierWide,
    /// Diffusion from the bones through the solid of the mesh.
    Heat,
    /// Only the nearest bone.
    Rigid,
}

/// Options for binding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BindOptions {
    /// Method that finds weights. Default [`BindMethod::Auto`].
    pub method: BindMethod,
    /// Max number of influences per vertex, at least 1. Default 4.
    pub influences: usize,
    /// True to keep existing weights except near joints. Default false.
    pub correct: bool,
    /// Blend radius of equation (2), in model units, for joints without a radius in
    /// [`Bones::radii`](crate::weights::Bones::radii). Default: half of the shorter bone.
    pub radius: Option<f32>,
}

impl BindOptions {
    /// Creates the default options.
    pub const fn new() -> Self {
        Self {
            method: BindMethod::Auto,
            influences: 4,
            correct: false,
            radius: None,
        }
    }

    /// Sets [`BindOptions::method`].
    #[must_use]
    pub const fn method(mut self, method: BindMethod) -> Self {
        self.method = method;
        self
    }

    /// Sets [`BindOptions::influences`].
    #[must_use]
    pub const fn influences(mut self, influences: usize) -> Self {
        self.influences = influences;
        self
    }

    /// Sets [`BindOptions::correct`].
    #[must_use]
    pub const fn correct(mut self, correct: bool) -> Self {
        self.correct = correct;
        self
    }

    /// Sets [`BindOptions::radius`].
    #[must_use]
    pub const fn radius(mut self, radius: Option<f32>) -> Self {
        self.radius = radius;
        self
    }
}

impl Default for BindOptions {
    fn default() -> Self {
        Self::new()
    }
}
