//! Errors of retargeting.

use sinew::TrackError;
use sinew::clip::ClipMismatch;
use sinew::ik::IkError;
use thiserror::Error;

/// Reason why a motion cannot be retargeted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// The joint names of a skeleton are unknown, and too few names are equal in source and target.
    #[error(
        "the joints of the {which} (such as \"{example}\") do not have known names of hips and limbs, and under half of the names are the same in both skeletons; give a map of joints"
    )]
    NoRoles {
        /// Skeleton: "source" or "target".
        which: &'static str,
        /// Name of one joint of that skeleton.
        example: String,
    },
    /// The map names a joint that the skeleton lacks.
    #[error("the {which} has no joint \"{name}\", which the map names{near}")]
    NoSuchJoint {
        /// Skeleton: "source" or "target".
        which: &'static str,
        /// Name in the map.
        name: String,
        /// End of the message: similar names, or names that exist.
        near: String,
    },
    /// The map gives one target joint two source joints.
    #[error(
        "the map pairs \"{target}\" with both \"{first}\" and \"{second}\"; keep one of these pairs"
    )]
    NamedTwice {
        /// Joint of the target.
        target: String,
        /// First source joint.
        first: String,
        /// Second source joint.
        second: String,
    },
    /// The map has no pairs.
    #[error("the map pairs no joints")]
    EmptyMap,
    /// A pair has a joint index outside the skeleton.
    #[error("a pair refers to joint {joint} of the {which}, which has only {joints} joints")]
    BadPair {
        /// Skeleton: "source" or "target".
        which: &'static str,
        /// Joint index of the pair.
        joint: usize,
        /// Number of joints of the skeleton.
        joints: usize,
    },
    /// No pair has a required role.
    #[error("no joint of the {which} is known as {role}; add it to the map")]
    MissingRole {
        /// Skeleton: "source" or "target".
        which: &'static str,
        /// Missing role.
        role: &'static str,
    },
    /// Too few arm and leg joints of the source have a counterpart in the target.
    #[error(
        "only {found} of the {limbs} arm and leg joints of the motion have a counterpart on the character; {} have none; give a map of joints, or allow a partial transfer", .missing.join(", ")
    )]
    FewLimbs {
        /// Number of arm and leg joints of the source that have a counterpart.
        found: usize,
        /// Number of arm and leg joints of the source.
        limbs: usize,
        /// Names of the source joints without a counterpart.
        missing: Vec<String>,
    },
    /// The source has legs, but a whole leg of the target follows no joint.
    #[error(
        "{} of the character's {legs} legs follow no joint of the motion and would not move (first joints: {}); give a map of joints, or allow a partial transfer", .resting.len(), .resting.join(", ")
    )]
    LegsAtRest {
        /// Number of legs of the target.
        legs: usize,
        /// First joint of each leg that would not move.
        resting: Vec<String>,
    },
    /// The clip has no keys.
    #[error("the clip \"{clip}\" has no keys")]
    EmptyClip {
        /// Name of the clip.
        clip: String,
    },
    /// The clip moves joints that the source does not have.
    #[error("the clip does not fit the source: {0}")]
    Mismatch(#[from] ClipMismatch),
    /// A track has the wrong number of values per key for its channel.
    #[error("a track of joint \"{joint}\" has {found} numbers per key instead of {expected}")]
    BadTrack {
        /// Name of the joint.
        joint: String,
        /// Number of values per key in the track.
        found: usize,
        /// Number of values per key that the channel needs.
        expected: usize,
    },
    /// An option has a value that is not valid.
    #[error("the {what} {value} cannot be used; {expected}")]
    BadOption {
        /// Name of the option.
        what: &'static str,
        /// Given value.
        value: f64,
        /// Valid values, for the message.
        expected: &'static str,
    },
    /// Inverse kinematics failed for the hands.
    #[error("hands cannot reach their positions: {source}")]
    Hands {
        /// Cause, which names the joint.
        source: IkError,
    },
    /// The new keys are not finite, for example because a joint is scaled to 0.
    #[error(
        "the motion of joint \"{joint}\" is not finite ({source}); check whether a joint above it is scaled to 0"
    )]
    NotFinite {
        /// Joint of the target.
        joint: String,
        /// Cause.
        source: TrackError,
    },
}
