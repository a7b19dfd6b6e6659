//! Makes a target follow a source: motion of the source, rule of each joint, resulting keys.

pub(crate) mod bake;
pub(super) mod hands;
pub(super) mod pose_transfer;
pub(super) mod rotation_rules;
pub(crate) mod source_motion;
pub(super) mod steps;
