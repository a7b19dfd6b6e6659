//! Reasons why a solver refuses.

use crate::pose::PoseMismatch;
use thiserror::Error;

/// The reason why a solver left the pose as it was.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IkError {
    /// The pose is of another skeleton.
    #[error("the pose has {pose} joints and the skeleton {skeleton}")]
    OtherSkeleton {
        /// Joints of the pose.
        pose: usize,
        /// Joints of the skeleton.
        skeleton: usize,
    },
    /// An index that is no joint's.
    #[error("there is no joint {joint}: the skeleton has {joints}")]
    NoSuchJoint {
        /// The index that was asked for.
        joint: usize,
        /// The number of joints.
        joints: usize,
    },
    /// A chain that does not lead from its first joint outward to its last, or goes in a circle.
    #[error(
        "joint \"{joint}\" does not hang from \"{above}\": name the joints of a chain from the body outward"
    )]
    NotBelow {
        /// The joint that should be further out.
        joint: String,
        /// The one that should be nearer to the body.
        above: String,
    },
    /// A goal, pole, axis or weight that is not a finite number.
    #[error("joint \"{joint}\": its {what} is not finite")]
    NotFinite {
        /// The joint that it is for.
        joint: String,
        /// Name of the goal, pole, axis or weight.
        what: &'static str,
    },
    /// An axis without a direction.
    #[error("joint \"{joint}\": its {what} has no direction")]
    NoDirection {
        /// The joint that it is for.
        joint: String,
        /// Name of the goal, pole, axis or weight.
        what: &'static str,
    },
    /// Weights or shares below 0, or shares that sum to more than 1.
    #[error("joint \"{joint}\": its {what} must be from 0 to {most}")]
    OutOfRange {
        /// The joint that it is for.
        joint: String,
        /// Name of the goal, pole, axis or weight.
        what: &'static str,
        /// Its max.
        most: f32,
    },
    /// A joint within the chain stretches along one axis more than along another.
    #[error(
        "joint \"{joint}\" is scaled unevenly, so bones below it change their length as they turn"
    )]
    UnevenScale {
        /// The joint.
        joint: String,
    },
    /// The frame above the chain flattens space, so no turn of the chain can be told from another.
    #[error("joint \"{joint}\": the frame that it stands in is flat or not finite")]
    FlatParent {
        /// The first joint of the chain.
        joint: String,
    },
    /// Nothing to solve: no joints, no bones of any length, no goals.
    #[error("{what}")]
    Nothing {
        /// Name of what is missing.
        what: &'static str,
    },
}

impl From<PoseMismatch> for IkError {
    fn from(other: PoseMismatch) -> Self {
        Self::OtherSkeleton {
            pose: other.found,
            skeleton: other.wanted,
        }
    }
}
