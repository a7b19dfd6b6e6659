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
    /// Joint that is not below the joint before it in the chain.
    #[error(
        "joint \"{joint}\" is not a descendant of \"{above}\": name the joints of a chain from the body outward"
    )]
    NotBelow {
        /// Name of the joint that should be farther out.
        joint: String,
        /// Name of the joint that should be nearer to the body.
        above: String,
    },
    /// Goal, pole, axis or weight that is not finite.
    #[error("joint \"{joint}\": its {what} is not finite")]
    NotFinite {
        /// Name of the joint.
        joint: String,
        /// Name of the value, for example "goal".
        what: &'static str,
    },
    /// Axis of zero length.
    #[error("joint \"{joint}\": its {what} has no direction")]
    NoDirection {
        /// Name of the joint.
        joint: String,
        /// Name of the value, for example "up vector".
        what: &'static str,
    },
    /// Weight or share below 0 or above its max.
    #[error("joint \"{joint}\": its {what} must be from 0 to {max}")]
    OutOfRange {
        /// Name of the joint.
        joint: String,
        /// Name of the value, for example "weight".
        what: &'static str,
        /// Max value.
        max: f32,
    },
    /// Joint of the chain with a non-uniform scale.
    #[error(
        "joint \"{joint}\" is scaled unevenly, so bones below it change their length as they rotate"
    )]
    UnevenScale {
        /// Name of the joint.
        joint: String,
    },
    /// Parent frame that is flat or not finite, so that no unique rotation exists.
    #[error("joint \"{joint}\": the transform above it is flat (a scale of 0) or not finite")]
    FlatParent {
        /// Name of the first joint of the chain.
        joint: String,
    },
    /// Job without joints, without goals, or with only bones of zero length.
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
            skeleton: other.expected,
        }
    }
}
