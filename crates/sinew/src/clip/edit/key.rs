use crate::clip::track::TrackError;
use glam::{Quat, Vec3};
use thiserror::Error;

/// Channel of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Channel {
    /// Position relative to the parent.
    Translation,
    /// Rotation relative to the parent.
    Rotation,
    /// Scale factors.
    Scale,
}

/// Value of a joint's channel at a key, relative to the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// Position.
    Translation(Vec3),
    /// Rotation, of unit length.
    Rotation(Quat),
    /// Scale factors.
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

/// Treatment of a key that is beyond the limits of its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum OverLimit {
    /// Returns an error that states the excess.
    #[default]
    Refuse,
    /// Clamps the key to the limits.
    Clamp,
    /// Keeps the key unchanged.
    Allow,
}

/// Error while a key is set, moved or deleted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Index of a joint out of range.
    #[error("there is no joint {joint}: the skeleton has {joints} joints")]
    NoSuchJoint {
        /// Index that was given.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// Channel without keys.
    #[error("joint {joint} has no track for {channel:?}")]
    NoTrack {
        /// Index of the joint.
        joint: usize,
        /// Channel that was given.
        channel: Channel,
    },
    /// Index of a key out of range.
    #[error("there is no key {key}: the track has {keys} keys")]
    NoSuchKey {
        /// Index that was given.
        key: usize,
        /// Number of keys.
        keys: usize,
    },
    /// Time that another key already has.
    #[error("there is already a key at {time_secs} s, key {key}; delete it first")]
    Taken {
        /// Index of the other key.
        key: usize,
        /// Time in seconds.
        time_secs: f32,
    },
    /// Time that is negative or not finite.
    #[error("{time_secs} s is not a time for a key: it must be finite and not negative")]
    BadTime {
        /// Time in seconds.
        time_secs: f32,
    },
    /// Value that is not finite, has the wrong width, or is a rotation without unit length.
    #[error(
        "the value of a key must be finite, have as many numbers as the track's keys and, for a rotation, unit length"
    )]
    BadValue,
    /// Value beyond the joint's limits.
    #[error(
        "joint \"{joint}\" is {by:.4} beyond its limits (in radians for rotations, in units of length for translations)"
    )]
    OverLimit {
        /// Name of the joint.
        joint: String,
        /// Excess over the limit, in radians or units of length.
        by: f32,
    },
    /// Clip with keys in model space.
    #[error(
        "this clip is in model space; only clips in local space (relative to parents) can be keyed"
    )]
    InModel,
    /// Error of the track, for example no keys.
    #[error(transparent)]
    Track(#[from] TrackError),
}
