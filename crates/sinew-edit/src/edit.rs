//! The list of edits. Each name and option here is the name and option in scripts, in the window and in bindings.

use crate::name::Name;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew::clip::{Channel, Interpolation, OverLimit, TangentKind};

/// A change of a [`crate::Document`]. In a script: `{"do": "rename_clip", "clip": "walk", "name": "stroll"}`.
///
/// Clips, joints and layers are given by name or by index. Times are in seconds from the start of the clip, lengths
/// in the unit of the file, rotations as quaternions `[x, y, z, w]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Edit {
    /// Adds an empty clip.
    NewClip {
        /// Name, which no other clip may have.
        name: String,
        /// Duration in seconds, in [0, 1,000,000]. Default 0: it grows with the keys.
        #[serde(default)]
        duration_secs: f32,
    },
    /// Removes a clip.
    DeleteClip {
        /// Clip to remove: a name or an index.
        clip: Name,
    },
    /// Changes the name of a clip.
    RenameClip {
        /// Clip to rename: a name or an index.
        clip: Name,
        /// New name, which no other clip may have.
        name: String,
    },
    /// Adds a copy of a clip, with its layers.
    CopyClip {
        /// Clip to copy: a name or an index.
        clip: Name,
        /// Name of the copy.
        name: String,
    },
    /// Keeps the part between two times, moved to start at 0.
    TrimClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Start of the part, in seconds. At least 0.
        from_secs: f32,
        /// End of the part, in seconds. After the start, at most the duration.
        to_secs: f32,
    },
    /// Cuts a clip in two. The first part keeps its name.
    SplitClip {
        /// Clip to cut: a name or an index. The second part becomes the clip after it.
        clip: Name,
        /// Time of the cut, in seconds from the start. Between 0 and the duration, without both.
        time_secs: f32,
        /// Name of the second part.
        name: String,
    },
    /// Plays a clip backwards.
    ReverseClip {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Exchanges left and right of a clip: joints by body part and name, events and curves by name.
    MirrorClip {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Corrects the motion evenly so that it ends in its first pose. The path of the root stays.
    CloseLoop {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Multiplies all times of a clip.
    RetimeClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Factor in [0.01, 100]; 2 plays at half the speed.
        factor: f32,
    },
    /// Sets the duration. Not before the last key or event.
    SetDuration {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Duration in seconds, from the last key or event to 1,000,000.
        duration_secs: f32,
    },
    /// Sets keys at a fixed rate in every track.
    ResampleClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Keys per second, above 0.
        fps: f64,
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
        #[serde(default = "tenth")]
        max_degrees: f32,
        /// Max error of translations, in the unit of the file. Default 0.001.
        #[serde(default = "thousandth")]
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
        #[serde(default = "clamp")]
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

    /// Adds an event.
    AddEvent {
        /// Clip that gets the event: a name or an index.
        clip: Name,
        /// Time of the event, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Name of the event.
        name: String,
    },
    /// Moves or renames an event.
    SetEvent {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Index of the event, in order of time.
        event: usize,
        /// New time, in seconds in [0, 1,000,000]. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_secs: Option<f32>,
        /// New name. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Removes an event.
    DeleteEvent {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Index of the event, in order of time.
        event: usize,
    },
    /// Sets a key of a named curve of one number. Adds the curve if it does not exist.
    SetCurveKey {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Value of the curve at this time.
        value: f32,
    },
    /// Deletes a key of a curve. The last key takes the curve with it.
    DeleteCurveKey {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key, in seconds.
        time_secs: f32,
    },
    /// Moves a key of a curve to another time or value.
    MoveCurveKey {
        /// The clip.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key.
        time_secs: f32,
        /// New time, at which the curve may have no other key. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_secs: Option<f32>,
        /// New value. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
    },
    /// Changes the name of a curve.
    RenameCurve {
        /// The clip.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// New name, which no other curve of the clip may have.
        name: String,
    },
    /// Removes a curve.
    DeleteCurve {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
    },

    /// Sets transforms of joints relative to their parents, until they are keyed or reset.
    Pose {
        /// Joints and their values. Channels that are not given stay.
        joints: Vec<JointValue>,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
        /// Treatment of values beyond the joints' limits. Default: clamp.
        #[serde(default = "clamp")]
        limits: OverLimit,
        /// Weight of these values over the present pose, in [0, 1]. Default 1.
        #[serde(default = "one")]
        weight: f32,
    },
    /// Rotates joints. Of several joints, those below another one keep their rotation relative to it.
    Rotate {
        /// Joints to rotate, by name or index. At least one.
        joints: Vec<Name>,
        /// Rotation to add.
        rotation: Quat,
        /// Frame of the rotation. Default: local.
        #[serde(default)]
        space: Space,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
        /// Treatment of rotations beyond the joints' limits. Default: clamp.
        #[serde(default = "clamp")]
        limits: OverLimit,
    },
    /// Moves joints.
    Move {
        /// Joints to move, by name or index. At least one.
        joints: Vec<Name>,
        /// Distance to add, in the unit of the file.
        by: Vec3,
        /// Frame of the distance. Default: local.
        #[serde(default)]
        space: Space,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
        /// Treatment of positions beyond the joints' limits. Default: clamp.
        #[serde(default = "clamp")]
        limits: OverLimit,
    },
    /// Scales joints along their own axes.
    Scale {
        /// Joints to scale, by name or index. At least one.
        joints: Vec<Name>,
        /// Factors, none of them 0.
        by: Vec3,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
    },
    /// Pulls a joint to a position by inverse kinematics, within the limits of the joints.
    Reach(Reach),
    /// Exchanges left and right of the present pose.
    MirrorPose {
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
    },
    /// Gives posed joints back to the clip that plays, or to rest.
    ResetPose {
        /// Joints. Default: all.
        #[serde(default)]
        joints: Vec<Name>,
        /// True to include all joints below these. Default false.
        #[serde(default)]
        below: bool,
    },
    /// Keys the result of [`Edit::Reach`] over a range of a clip, then ends the pose of the keyed joints.
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
        #[serde(default = "thirty")]
        fps: f32,
    },

    /// Adds a layer on top of a clip.
    AddLayer {
        /// Clip that gets the layer: a name or an index.
        clip: Name,
        /// Name of the layer, which no other layer of the clip may have.
        name: String,
        /// True to add to the motion below, false to replace it. Default true.
        #[serde(default = "yes")]
        additive: bool,
        /// Weight in [0, 1]. Default 1.
        #[serde(default = "one")]
        weight: f32,
        /// Joints that the layer may change. Default: all that it has keys for.
        #[serde(default)]
        joints: Vec<Name>,
    },
    /// Changes the name, kind, weight or joints of a layer.
    SetLayer {
        /// Clip that has the layer: a name or an index.
        clip: Name,
        /// Layer to change: a name or an index.
        layer: Name,
        /// New name. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// True to make the layer additive, false to make it replace the motion below. Its keys are converted so that
        /// the motion at their times stays. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        additive: Option<bool>,
        /// New weight in [0, 1]. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f32>,
        /// New joints. Default: unchanged. Empty: all that it has keys for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joints: Option<Vec<Name>>,
    },
    /// Removes a layer.
    DeleteLayer {
        /// Clip that has the layer: a name or an index.
        clip: Name,
        /// Layer to remove: a name or an index.
        layer: Name,
    },
    /// Makes the result of all layers the motion of the clip.
    Flatten {
        /// Clip to change: a name or an index. It has no layers afterwards.
        clip: Name,
    },
}

/// Keys in a range of times: all keys of `joints` and `channels` from `from_secs` to `to_secs`.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    /// Joints. Default: all.
    #[serde(default)]
    pub joints: Vec<Name>,
    /// Channels. Default: all.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// Time of the earliest key, in seconds.
    pub from_secs: f32,
    /// Time of the latest key, in seconds. Equal to `from_secs` for one time.
    pub to_secs: f32,
}

impl Keys {
    /// The keys of all joints at one time: a pose.
    pub fn at(time_secs: f32) -> Self {
        Self {
            from_secs: time_secs,
            to_secs: time_secs,
            ..Self::default()
        }
    }

    /// One key.
    pub fn one(joint: impl Into<Name>, channel: Channel, time_secs: f32) -> Self {
        Self {
            joints: vec![joint.into()],
            channels: vec![channel],
            ..Self::at(time_secs)
        }
    }
}

/// A joint and the channels of its transform relative to the parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointValue {
    /// Joint to pose: a name or an index.
    pub joint: Name,
    /// Position, in the unit of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<Vec3>,
    /// Rotation x, y, z, w.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Quat>,
    /// Scale factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec3>,
}

/// A time of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// Clip to sample: a name or an index.
    pub clip: Name,
    /// Time in seconds from the start of the clip.
    pub time_secs: f32,
}

/// Frame of a rotation or distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Frame of the joint.
    #[default]
    Local,
    /// Frame of the joint's parent.
    Parent,
    /// Frame of the model.
    Model,
}

/// Goal of inverse kinematics, and its constraints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    /// Joint that is pulled.
    pub joint: Name,
    /// Position of the joint, in model space.
    pub position: Vec3,
    /// Rotation of the joint in model space. Default: free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Quat>,
    /// First joint that may move. Default: the joint two above, as for an arm or a leg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Name>,
    /// Position in model space that the middle joint points to. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Vec3>,
    /// Joints that stay at their position and rotation in model space.
    #[serde(default)]
    pub pins: Vec<Name>,
    /// Joints that do not rotate.
    #[serde(default)]
    pub locked: Vec<Name>,
    /// Pose under the posed joints. Default: the rest pose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Moment>,
}

impl Edit {
    /// Name in scripts, like `rename_clip`.
    pub fn name(&self) -> String {
        let text = serde_json::to_value(self);
        let name = text
            .ok()
            .and_then(|text| text.get("do")?.as_str().map(str::to_owned));
        name.unwrap_or_default()
    }
}

fn clamp() -> OverLimit {
    OverLimit::Clamp
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

fn thirty() -> f32 {
    30.0
}

fn tenth() -> f32 {
    0.1
}

fn thousandth() -> f32 {
    0.001
}
