//! Values that several edits have, and their defaults.

use crate::name::Name;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew::clip::{Channel, OverLimit};

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

/// Capture to clean, and the steps to leave out. `sinew clean` has the same options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clean {
    /// Clip to change: a name or an index.
    pub clip: Name,
    /// True to leave gaps. Default false.
    #[serde(default)]
    pub no_gaps: bool,
    /// True to leave spikes. Default false.
    #[serde(default)]
    pub no_spikes: bool,
    /// True to leave noise. Default false.
    #[serde(default)]
    pub no_filter: bool,
    /// Cut-off of the filter in hertz, in [0.01, 10,000]. Default: found for each joint from its noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
    /// True to leave rotations beyond the limits of joints. Default false.
    #[serde(default)]
    pub no_limits: bool,
    /// True to let feet slide. Default false.
    #[serde(default)]
    pub no_feet: bool,
    /// Height of the floor, in the unit of the file. Feet that stand lower are raised. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// Times, in seconds, between which the motion changes. Default: the whole clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f32; 2]>,
}

impl Clean {
    /// Every step, on the whole clip.
    pub fn new(clip: impl Into<Name>) -> Self {
        Self {
            clip: clip.into(),
            no_gaps: false,
            no_spikes: false,
            no_filter: false,
            cutoff: None,
            no_limits: false,
            no_feet: false,
            floor: None,
            range: None,
        }
    }
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

pub fn clamp() -> OverLimit {
    OverLimit::Clamp
}

pub fn yes() -> bool {
    true
}

pub fn one() -> f32 {
    1.0
}

pub fn thirty() -> f32 {
    30.0
}

pub fn tenth() -> f32 {
    0.1
}

pub fn thousandth() -> f32 {
    0.001
}
