use crate::pose::PoseMismatch;
use thiserror::Error;

/// Error of a solver. The pose is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IkError {
    /// Pose for another skeleton.
    #[error("the pose has {pose} joints, but the skeleton has {skeleton}")]
    OtherSkeleton {
        /// Number of joints of the pose.
        pose: usize,
        /// Number of joints of the skeleton.
        skeleton: usize,
    },
    /// Index of a joint out of range.
    #[error("there is no joint {joint}: the skeleton has {joints} joints")]
    NoSuchJoint {
        /// Index that was given.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// Chain that does not lead from its first joint outward to its last.
    #[error(
        "joint \"{joint}\" is not a descendant of \"{above}\": name the joints of a chain from the body outward"
    )]
    NotBelow {
        /// Name of the joint that should be further out.
        joint: String,
        /// Name of the joint that should be nearer to the body.
        above: String,
    },
    /// Goal, pole, axis or weight that is not finite.
    #[error("joint \"{joint}\": its {what} is not finite")]
    NotFinite {
        /// Name of the joint.
        joint: String,
        /// Name of the value, as in "goal".
        what: &'static str,
    },
    /// Axis of zero length.
    #[error("joint \"{joint}\": its {what} has no direction")]
    NoDirection {
        /// Name of the joint.
        joint: String,
        /// Name of the value, as in "up vector".
        what: &'static str,
    },
    /// Weight or share below 0 or above its max.
    #[error("joint \"{joint}\": its {what} must be from 0 to {max}")]
    OutOfRange {
        /// Name of the joint.
        joint: String,
        /// Name of the value, as in "weight".
        what: &'static str,
        /// Max value.
        max: f32,
    },
    /// Joint of the chain whose scale is not uniform.
    #[error(
        "joint \"{joint}\" is scaled unevenly, so bones below it change their length as they rotate"
    )]
    UnevenScale {
        /// Name of the joint.
        joint: String,
    },
    /// Parent frame that is flat or not finite, so that different rotations of the chain look the same.
    #[error("joint \"{joint}\": the transform above it is flat (a scale of 0) or not finite")]
    FlatParent {
        /// Name of the first joint of the chain.
        joint: String,
    },
    /// Job without anything to solve: no joints, only bones of zero length, or no goals.
    #[error("{what}")]
    Nothing {
        /// Description of the problem.
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
