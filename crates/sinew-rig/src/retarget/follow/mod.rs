//! Makes a target follow a source: motion of the source, rule of each joint, resulting keys.

pub(super) mod bake;
pub(super) mod hands;
pub(super) mod pose_transfer;
pub(super) mod rotation_rules;
pub(super) mod source_motion;
