//! Edits of the pose that is not keyed yet.

use super::values::{JointValue, Moment, Reach, Space};
use crate::name::Name;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew::clip::OverLimit;

/// A change of the pose by hand, which lasts until it is keyed or reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum PoseEdit {
    /// Sets transforms of joints relative to their parents, until they are keyed or reset.
    Pose {
        /// Joints and their values. Channels that are not given stay.
        joints: Vec<JointValue>,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
        /// Treatment of values beyond the joints' limits. Default: clamp.
        #[serde(default = "super::values::clamp")]
        limits: OverLimit,
        /// Weight of these values over the present pose, in [0, 1]. Default 1.
        #[serde(default = "super::values::one")]
        weight: f32,
    },
    /// Rotates joints. Of several joints, those below another one keep their rotation relative to it.
    Rotate {
        /// Joints to rotate, by name or index. At least one.
        joints: Vec<Name>,
        /// Rotation to add. It stops at the first limit on its way; with a negative w, it goes the long way.
        rotation: Quat,
        /// Frame of the rotation. Default: local.
        #[serde(default)]
        space: Space,
        /// Pose under the posed joints. Default: the rest pose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Moment>,
        /// Treatment of rotations beyond the joints' limits. Default: clamp.
        #[serde(default = "super::values::clamp")]
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
        #[serde(default = "super::values::clamp")]
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
}
