//! A body as motion is carried over to it: poses in `f64`, the axes of its world, what it is at rest.

pub(super) mod model_pose;
pub(super) mod standing;
pub(super) mod world_axes;
