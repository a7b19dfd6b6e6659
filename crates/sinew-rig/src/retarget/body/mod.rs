//! A body for retargeting: poses in `f64`, world axes and rest pose.

pub(crate) mod frames;
pub(crate) mod model_pose;
pub(crate) mod standing;
pub(super) mod world_axes;
