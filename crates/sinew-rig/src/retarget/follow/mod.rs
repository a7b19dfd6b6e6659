//! Makes a target follow a source: the motion of the source, the rule of each joint, and the resulting keys.

pub(super) mod bake;
pub(super) mod hands;
pub(super) mod pose_transfer;
pub(super) mod rotation_rules;
pub(super) mod source_motion;
