//! Keys as they are set: channel and value, treatment of limits, reasons of a refusal.

use crate::clip::track::TrackError;
use glam::{Quat, Vec3};
use thiserror::Error;

/// One of the three things of a joint that keys are set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Its position.
    Translation,
    /// Its rotation.
    Rotation,
    /// Its scale.
    Scale,
}

/// The value of a joint's channel at a key frame, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// Its position.
    Translation(Vec3),
    /// Its rotation, of unit length.
    Rotation(Quat),
    /// Its scale.
    Scale(Vec3),
}

impl Key {
    pub(super) fn channel(&self) -> Channel {
        match self {
            Self::Translation(_) => Channel::Translation,
            Self::Rotation(_) => Channel::Rotation,
            Self::Scale(_) => Channel::Scale,
        }
    }
}

/// Treatment of a key beyond the joint's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OverLimit {
    /// Refuse it, and say by how much it is beyond.
    #[default]
    Refuse,
    /// Bring it within them.
    Clamp,
    /// Let it be.
    Allow,
}

/// The reason why a key cannot be set, moved or deleted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// No joint of that number.
    #[error("there is no joint {joint}: the skeleton has {joints}")]
    NoSuchJoint {
        /// The joint that was asked for.
        joint: usize,
        /// The number of joints.
        joints: usize,
    },
    /// Nothing is keyed there.
    #[error("joint {joint} has no keys of its {channel:?}")]
    NoTrack {
        /// The joint.
        joint: usize,
        /// The channel that was asked for.
        channel: Channel,
    },
    /// No key of that number.
    #[error("there is no key {key}: the track has {keys}")]
    NoSuchKey {
        /// The key that was asked for.
        key: usize,
        /// The number of keys.
        keys: usize,
    },
    /// Another key stands there already.
    #[error("key {key} stands at {time_secs} s already: delete it first")]
    Taken {
        /// The number of that key.
        key: usize,
        /// The time.
        time_secs: f32,
    },
    /// A time before the clip begins, or not finite.
    #[error("a key cannot stand at {time_secs} s")]
    BadTime {
        /// The time.
        time_secs: f32,
    },
    /// A value that is not finite, of another width, or a rotation that is not of unit length.
    #[error("the value is not finite, not of the track's width, or a rotation not of unit length")]
    BadValue,
    /// Beyond the joint's limits.
    #[error(
        "joint \"{joint}\" is {by:.4} beyond its limits (rad for turns, units of length for places)"
    )]
    OverLimit {
        /// The joint's name.
        joint: String,
        /// The excess.
        by: f32,
    },
    /// The clip's keys are relative to the model.
    #[error(
        "keys of this clip are relative to the model: key a clip whose keys are relative to parents"
    )]
    InModel,
    /// A track cannot be without keys.
    #[error(transparent)]
    Track(#[from] TrackError),
}
