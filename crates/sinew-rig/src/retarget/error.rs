//! Errors of retargeting.

use sinew::TrackError;
use sinew::ik::IkError;
use thiserror::Error;

/// Reason why a motion cannot be retargeted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// No joint names are known for a person's body, and too few are equal on both sides.
    #[error(
        "the {which}'s joints (such as \"{example}\") do not have known names of hips and limbs, and under half of the names are equal; give a map of joints"
    )]
    NoRoles {
        /// Source or target.
        which: &'static str,
        /// Name of one of its joints.
        example: String,
    },
    /// The map names a joint that does not exist.
    #[error("the {which} has no joint \"{name}\", which the map names{near}")]
    NoSuchJoint {
        /// Source or target.
        which: &'static str,
        /// Name in the map.
        name: String,
        /// End of the message with similar or existing names.
        near: String,
    },
    /// The map moves one joint by two.
    #[error("the map moves \"{target}\" by both \"{first}\" and \"{second}\"; a joint follows one")]
    NamedTwice {
        /// Joint of the target.
        target: String,
        /// First joint that moves it.
        first: String,
        /// Second joint that moves it.
        second: String,
    },
    /// The map has no pairs.
    #[error("the map pairs no joints")]
    EmptyMap,
    /// The index of a pair is outside the skeleton.
    #[error("the pairs name joint {joint} of the {which}, which has only {joints}")]
    BadPair {
        /// Source or target.
        which: &'static str,
        /// Joint index of the pair.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// No pair has a required role.
    #[error("the {which} has no known joint for its {role}; pair one in the map")]
    MissingRole {
        /// Source or target.
        which: &'static str,
        /// Missing role.
        role: &'static str,
    },
    /// Too few of the motion's arm and leg joints have a counterpart.
    #[error(
        "only {found} of the {limbs} arm and leg joints of the motion have a counterpart on the character; {} have none; give a map of joints, or allow a partial transfer", .missing.join(", ")
    )]
    FewLimbs {
        /// Number of arm and leg joints with a counterpart.
        found: usize,
        /// Number of arm and leg joints.
        limbs: usize,
        /// Names of the source's joints without a counterpart.
        missing: Vec<String>,
    },
    /// The motion has legs, but whole legs of the character follow none of its joints.
    #[error(
        "{} of the character's {legs} legs follow no joint of the motion and would stand still (from {}); give a map, or take what there is as partial", .resting.len(), .resting.join(", ")
    )]
    LegsAtRest {
        /// Number of the target's legs.
        legs: usize,
        /// First joint of each leg that would stand still.
        resting: Vec<String>,
    },
    /// The clip has no keys.
    #[error("the clip \"{clip}\" has no keys")]
    EmptyClip {
        /// Name of the clip.
        clip: String,
    },
    /// A track has the wrong width for its channel.
    #[error("a track of joint \"{joint}\" has {found} numbers per key where {wanted} are needed")]
    BadTrack {
        /// Name of the joint.
        joint: String,
        /// Values per key of the track.
        found: usize,
        /// Values per key that the channel needs.
        wanted: usize,
    },
    /// A scale or time is not usable.
    #[error("the {what} {value} cannot be used; {wanted}")]
    BadOption {
        /// Name of the option.
        what: &'static str,
        /// Given value.
        value: f64,
        /// Valid values, for the message.
        wanted: &'static str,
    },
    /// Inverse kinematics of the hands failed.
    #[error("hands cannot reach their positions: {source}")]
    Hands {
        /// Cause, with the joint.
        source: IkError,
    },
    /// Resulting keys are not finite, as when a joint is scaled to 0.
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
