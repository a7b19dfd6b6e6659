//! A pose: every joint relative to its parent, and from that every joint relative to the model.
//!
//! Forward kinematics goes from the root outward, one product per joint. The bottom-up
//! order (rotate the hand, then the elbow, then the shoulder) gives the same matrices; see the
//! tests of this module for both.

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
