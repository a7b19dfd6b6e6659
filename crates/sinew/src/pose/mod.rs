//! Local poses (relative to the parent joint), model poses, and forward kinematics.

pub(crate) mod forward;
mod joint_set;
pub(crate) mod lanes;
mod local;
mod mismatch;
mod model;

pub use joint_set::JointSet;
pub use local::{BLOCK, LocalPose, PoseBlock};
pub use mismatch::PoseMismatch;
pub use model::ModelPose;
