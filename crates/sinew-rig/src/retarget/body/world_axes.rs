//! World axes of a skeleton: its up direction and its facing direction.
//! Up is y, unless the legs of the rest pose hang along another axis. The spine does not count,
//! because the spine of a dog is level. The facing direction is along the ground.

use super::model_pose::ModelPoseF64;
use crate::retarget::roles::joint_names::sided;
use crate::retarget::roles::role_map::Roles;
use glam::{DMat3, DQuat, DVec3};
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};
use std::collections::BTreeMap;

/// Cosine of 60°, the max angle between standing legs and a direction.
const STANDS: f64 = 0.5;
/// Max slope of a line that counts as level.
const LEVEL: f64 = 0.3;

/// `model_from_body`: x to the left, y up, z ahead. `None` without hips or without size.
pub(crate) fn frame(skeleton: &Skeleton, roles: &Roles, rest: &ModelPoseF64) -> Option<DQuat> {
    roles.joint(Role::Hips)?;
    let positions = (0..skeleton.len()).map(|joint| rest.position(joint));
    let far = positions.map(|position| position.distance(rest.position(0)));
    if !far.fold(0.0, f64::max).is_normal() {
        return None;
    }
    let up = up(skeleton, roles, rest);
    let level = |v: DVec3| {
        let flat = v - up * v.dot(up);
        (flat.length() > LEVEL * v.length()).then(|| flat.normalize())
    };
    let across = |role: fn(Side) -> Role| {
        let [left, right] = Side::ALL.map(|side| roles.joint(role(side)));
        level(rest.position(left?) - rest.position(right?))
    };
    let left = across(Role::UpperLeg)
        .or_else(|| across(Role::UpperArm))
        .or_else(|| across(Role::Shoulder))
        .or_else(|| level(between_sides(skeleton, rest)))
        .or_else(|| Some(up.cross(level(torso(roles, rest)?)?)))
        // Otherwise x if it is level, the default of files.
        .or_else(|| level(DVec3::X))
        .unwrap_or(DVec3::NEG_Y);
    Some(DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up))).normalize())
}

fn up(skeleton: &Skeleton, roles: &Roles, rest: &ModelPoseF64) -> DVec3 {
    let Some(down) = legs(skeleton, roles, rest) else {
        return DVec3::Y;
    };
    // If all bones are along one axis, the body cannot stand, and the legs give no direction.
    let folded = torso(roles, rest)
        .and_then(DVec3::try_normalize)
        .is_some_and(|torso| torso.dot(down) > STANDS);
    if folded || down.dot(DVec3::NEG_Y) > STANDS {
        return DVec3::Y;
    }
    nearest_axis(-down)
}

/// Direction of the legs at rest: from the thighs to the feet, or to the farthest joint.
fn legs(skeleton: &Skeleton, roles: &Roles, rest: &ModelPoseF64) -> Option<DVec3> {
    let leg = |side: Side| {
        let thigh = roles.joint(Role::UpperLeg(side))?;
        let way = |joint: usize| rest.position(joint) - rest.position(thigh);
        let tree = skeleton.hierarchy();
        let far = |a: &DVec3, b: &DVec3| a.length().total_cmp(&b.length());
        let foot = roles.joint(Role::Foot(side)).map(way);
        foot.or_else(|| tree.subtree(thigh).map(way).max_by(far))
    };
    let legs = Side::ALL.into_iter().filter_map(leg);
    legs.sum::<DVec3>().try_normalize()
}

pub(crate) fn torso(roles: &Roles, rest: &ModelPoseF64) -> Option<DVec3> {
    let hips = roles.joint(Role::Hips)?;
    Some(rest.position(top(roles)?) - rest.position(hips))
}

pub(crate) fn top(roles: &Roles) -> Option<usize> {
    let spine = (0..roles.spine_len()).rev().map(Role::Spine);
    let parts = [Role::Head, Role::Neck(0)].into_iter().chain(spine);
    parts.filter_map(|role| roles.joint(role)).next()
}

fn between_sides(skeleton: &Skeleton, rest: &ModelPoseF64) -> DVec3 {
    let mut sides: BTreeMap<Vec<String>, [Option<usize>; 2]> = BTreeMap::new();
    for joint in 0..skeleton.len() {
        if let Some((side, words)) = sided(skeleton.name(joint)) {
            sides.entry(words).or_default()[side as usize] = Some(joint);
        }
    }
    let both = sides.values().filter_map(|[left, right]| {
        let [left, right] = [(*left)?, (*right)?];
        Some(rest.position(left) - rest.position(right))
    });
    both.sum()
}

/// Nearest rotation that maps axes to axes, if it is within 15°. Otherwise `rotation`.
pub(crate) fn snapped(rotation: DQuat) -> DQuat {
    let m = DMat3::from_quat(rotation);
    let mut axes = [DVec3::ZERO; 2];
    for (axis, column) in axes.iter_mut().zip([m.x_axis, m.y_axis]) {
        *axis = nearest_axis(column);
    }
    let [x, y] = axes;
    if x.dot(y) != 0.0 {
        return rotation;
    }
    let near = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize();
    let apart = 2.0 * near.dot(rotation).abs().min(1.0).acos();
    if apart < 15_f64.to_radians() {
        near
    } else {
        rotation
    }
}

pub(crate) fn nearest_axis(v: DVec3) -> DVec3 {
    let a = v.abs();
    if a.x >= a.y && a.x >= a.z {
        DVec3::X * v.x.signum()
    } else if a.y >= a.z {
        DVec3::Y * v.y.signum()
    } else {
        DVec3::Z * v.z.signum()
    }
}
