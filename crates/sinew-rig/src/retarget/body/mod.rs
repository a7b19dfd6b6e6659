//! A body for retargeting: poses in `f64`, world axes and rest pose.

pub(super) mod model_pose;
pub(super) mod standing;
pub(super) mod world_axes;
