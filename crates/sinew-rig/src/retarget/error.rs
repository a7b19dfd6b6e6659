//! Reasons why a motion cannot be given to another skeleton.

use sinew::TrackError;
use sinew::ik::IkError;
use thiserror::Error;

/// The reason why a motion cannot be given to another skeleton.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// Names that tell nothing about a person's body.
    #[error(
        "the {which}'s joints (such as \"{example}\") have no names that are known for a person's hips and limbs; give a map"
    )]
    NoRoles {
        /// Source or target.
        which: &'static str,
        /// One of its joints.
        example: String,
    },
    /// A map that names a joint that is not there.
    #[error("the {which} has no joint \"{name}\", which the map names{near}")]
    NoSuchJoint {
        /// Source or target.
        which: &'static str,
        /// The name in the map.
        name: String,
        /// A name that it may have meant, as the message's end.
        near: String,
    },
    /// A map that moves one joint by two.
    #[error("the map moves \"{target}\" by both \"{first}\" and \"{second}\"; a joint follows one")]
    NamedTwice {
        /// The joint of the target.
        target: String,
        /// The joint that moves it.
        first: String,
        /// The other joint that moves it.
        second: String,
    },
    /// A map without pairs.
    #[error("the map pairs no joints")]
    EmptyMap,
    /// A pair whose index is out of the skeleton.
    #[error("the pairs name joint {joint} of the {which}, which has only {joints}")]
    BadPair {
        /// Source or target.
        which: &'static str,
        /// The index.
        joint: usize,
        /// The number of joints.
        joints: usize,
    },
    /// A role that is needed and that no pair has.
    #[error("no joint of the {which} is known for its {role}; pair it in the map")]
    MissingRole {
        /// Source or target.
        which: &'static str,
        /// The role that is missing.
        role: &'static str,
    },
    /// Too little of the motion's arms and legs found a joint.
    #[error(
        "only {found} of the motion's {limbs} joints of arms and legs have one on the character, and {} have none; give a map, or take what there is as partial", .missing.join(", ")
    )]
    FewLimbs {
        /// The number of joints that have one.
        found: usize,
        /// The number of joints of arms and legs.
        limbs: usize,
        /// The source's joints that have none.
        missing: Vec<String>,
    },
    /// A clip that moves nothing.
    #[error("the clip \"{clip}\" has no keys")]
    EmptyClip {
        /// Its name.
        clip: String,
    },
    /// A track that is not what its channel needs.
    #[error("a track of joint \"{joint}\" has {found} numbers per key where {wanted} are needed")]
    BadTrack {
        /// Its name.
        joint: String,
        /// The number of numbers per key.
        found: usize,
        /// The number that the channel needs.
        wanted: usize,
    },
    /// A scale or a time that is not a number to compute with.
    #[error("a {what} of {value} cannot be used; {wanted}")]
    BadOption {
        /// The option.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The values that it can have.
        wanted: &'static str,
    },
    /// Arms that cannot be brought to their goals.
    #[error("hands cannot be brought to their positions: {source}")]
    Hands {
        /// The fault, with the joint.
        source: IkError,
    },
    /// Keys that came out as no numbers, as when a joint is scaled to nothing.
    #[error("joint \"{joint}\" comes to nothing ({source}); is a joint above it scaled to 0?")]
    NotFinite {
        /// The joint of the target.
        joint: String,
        /// The fault.
        source: TrackError,
    },
}
