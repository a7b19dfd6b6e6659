//! Scalar reference that every faster path must agree with, and normals that no fast path computes.

pub(crate) mod dual_quat;
mod exact_normals;
mod linear;
mod mesh_normals;
mod quaternion;
mod weight_gradients;

pub use dual_quat::dual_quat;
pub use exact_normals::{exact_normals_dual_quat, exact_normals_linear};
pub use linear::{linear, rigid};
pub use mesh_normals::mesh_normals;
pub use quaternion::quaternion;
pub use weight_gradients::WeightGradients;
