//! Weights as a field in the solid: curves over joints, visibility, and diffusion.

pub(super) mod auto;
mod bezier;
pub(super) mod bone_curves;
mod heat;
mod limbs;
pub(super) mod nearest_curve;
mod spread;
mod visibility;

pub use bezier::{BezierCurve, NearestPoint};
