//! A target that follows a source: what the source does, how each joint follows, and the keys of the result.

pub(super) mod bake;
pub(super) mod hands;
pub(super) mod pose_transfer;
pub(super) mod rotation_rules;
pub(super) mod source_motion;
