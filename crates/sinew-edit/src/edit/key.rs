//! Edits of the keys of joints.

use super::values::{Keys, Reach};
use crate::name::Name;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew::clip::{Channel, Interpolation, OverLimit, TangentKind};

/// A change of the keys of joints, in a clip or in one of its layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum KeyEdit {
    /// Sets a key of a joint in one or more channels. Replaces keys at the same time.
    InsertKey {
        /// Clip that gets the key: a name or an index.
        clip: Name,
        /// Layer that gets the key. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Joint that gets the key: a name or an index.
        joint: Name,
        /// Time of the key, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Position relative to the parent, in the unit of the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        translation: Option<Vec3>,
        /// Rotation relative to the parent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rotation: Option<Quat>,
        /// Scale factors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scale: Option<Vec3>,
        /// Treatment of values beyond the joint's limits. Default: clamp.
        #[serde(default = "super::values::clamp")]
        limits: OverLimit,
    },
    /// Sets keys of the posed joints at a time, then ends the pose of these joints.
    KeyPose {
        /// Clip that gets the keys: a name or an index.
        clip: Name,
        /// Layer that gets the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Time of the keys, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Joints to key. Default: all posed joints.
        #[serde(default)]
        joints: Vec<Name>,
        /// True to set keys in all channels of all joints, as they are at this time. Default false.
        #[serde(default)]
        whole: bool,
    },
    /// Keys the result of [`PoseEdit::Reach`](super::PoseEdit::Reach) over a range of a clip, then ends the pose of the keyed joints.
    KeyReach {
        /// Clip that gets the keys: a name or an index.
        clip: Name,
        /// Layer that gets the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Goal and constraints. Its `over` is ignored.
        reach: Reach,
        /// Start of the range, in seconds in [0, 1,000,000].
        from_secs: f32,
        /// End of the range, in seconds. Not before its start.
        to_secs: f32,
        /// Keys per second, in [1, 240]. Default 30.
        #[serde(default = "super::values::thirty")]
        fps: f32,
    },
    /// Moves keys in time.
    MoveKeys {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to move, as ranges of times.
        keys: Vec<Keys>,
        /// Seconds to add. Negative moves keys to earlier times, not before 0.
        by_secs: f32,
    },
    /// Moves keys apart or together in time.
    ScaleKeys {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to move, as ranges of times.
        keys: Vec<Keys>,
        /// Factor in [0.001, 1,000]; 2 doubles the distances in time.
        factor: f32,
        /// Time that does not change, in seconds.
        about_secs: f32,
    },
    /// Copies keys to another time, and to another clip if given. Keys there at the same times are replaced.
    CopyKeys {
        /// Clip that has the keys: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to copy, as ranges of times.
        keys: Vec<Keys>,
        /// Time of the earliest copied key, in seconds from the start of the clip that gets it.
        time_secs: f32,
        /// Clip that gets the keys. Default: the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_clip: Option<Name>,
        /// Layer that gets the keys. Default: `layer`, or the clip itself if `to_clip` is given. Additive layers take
        /// keys of additive layers only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_layer: Option<Name>,
    },
    /// Deletes keys. A channel without keys is at rest.
    DeleteKeys {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to delete, as ranges of times.
        keys: Vec<Keys>,
    },
    /// Sets the kind of tangents of keys. The tracks become cubic.
    SetTangentKind {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to change, as ranges of times.
        keys: Vec<Keys>,
        /// Kind of the slopes on both sides of each key.
        kind: TangentKind,
    },
    /// Sets the slopes of one key, per second. The track becomes cubic.
    SetTangents {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the key. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Joint of the key: a name or an index.
        joint: Name,
        /// Channel of the key: translation, rotation or scale.
        channel: Channel,
        /// Time of the key, in seconds.
        time_secs: f32,
        /// Slopes before the key, per second: 3 numbers, 4 for a rotation (x, y, z, w).
        before: Vec<f32>,
        /// Slopes after the key, per second: 3 numbers, 4 for a rotation (x, y, z, w).
        after: Vec<f32>,
    },
    /// Sets the interpolation of whole tracks, or from single keys to the next ones.
    SetInterpolation {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the tracks. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Joints. Default: all.
        #[serde(default)]
        joints: Vec<Name>,
        /// Channels. Default: all.
        #[serde(default)]
        channels: Vec<Channel>,
        /// Keys whose segments change: each segment goes from a key to the next one. The tracks become cubic: a linear
        /// segment has tangents along its line, a step a key of the same value 1 ms before the next key. Not together
        /// with `joints` and `channels`. Default: all segments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keys: Vec<Keys>,
        /// Interpolation.
        interpolation: Interpolation,
    },
    /// Removes keys that linear interpolation of the others replaces.
    ReduceKeys {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Joints. Default: all.
        #[serde(default)]
        joints: Vec<Name>,
        /// Max error of rotations, in degrees. Default 0.1.
        #[serde(default = "super::values::tenth")]
        max_degrees: f32,
        /// Max error of translations, in the unit of the file. Default 0.001.
        #[serde(default = "super::values::thousandth")]
        max_distance: f32,
    },
    /// Smooths keys with a Gaussian over time. The first and the last key stay.
    SmoothKeys {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Layer of the keys. Default: the clip itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Name>,
        /// Keys to smooth, as ranges of times.
        keys: Vec<Keys>,
        /// Standard deviation in seconds, in (0, 10].
        width_secs: f32,
    },
}
