//! Applies the joint limits of the template of a person to joints with other axes and another rest
//! pose. Limits are relative to the frame and the rest rotation of a joint, and files choose both
//! freely. So this module finds the frames of the template (y along the bone, x the bending axis)
//! on the body in the file. For the torso, they follow the facing direction. For limbs, they rotate
//! the shortest way from the bone in the template to the bone in the file. `C` is the frame of the
//! template in the frame of the joint. `Q` is the rest rotation of the joint in the file, in the
//! frame of the template. In the frame of the joint, a rotation `T` of the template becomes
//! `C Q⁻¹ T C⁻¹`.
//!
//! A part of `Q` that the joint cannot make (a knee slightly to the side) comes from the shape of
//! the body and is ignored. Torso and feet use the rest rotation of the template, whatever the
//! slope of their bones. A limit that excludes the rest pose is widened to include it.

use super::body::model_pose::ModelPoseF64;
use super::body::standing::Body;
use super::roles::find_roles::find_roles;
use crate::template::Biped;
use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::Skeleton;
use sinew::skeleton::limits::{AngleRange, FramedRotation, Freedom, RotationFrame, RotationLimit};
use sinew::skeleton::{Finger, Role};
use sinew::transform::{Axis, EulerOrder};
use std::collections::BTreeMap;

/// A skeleton with the joint limits of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct BipedLimits {
    /// Skeleton with the limits applied.
    pub skeleton: Skeleton,
    /// Indices of the joints that got limits from the template. Other joints keep their own limits.
    pub joints: Vec<usize>,
    /// Indices of the joints whose new limits were widened to include the rest pose.
    pub widened: Vec<usize>,
}

/// Min bend, in radians, that gives the bending direction of a limb.
const BENT: f64 = 0.26;

/// Angle, in radians, below which a rotation counts as zero.
const NONE_RAD: f64 = 1e-5;

/// Applies the limits of [`Biped`] to joints with known roles. `None` without hips or an up axis.
///
/// ```
/// use sinew_rig::retarget::with_biped_limits;
/// let person = sinew_samples::humanoid_character();
/// let laid = with_biped_limits(&person.skeleton).expect("it has a person's joints");
/// let knee = person.skeleton.find("left_lower_leg").expect("a knee");
/// assert_eq!(laid.skeleton.freedom(knee).count(), 1);
/// ```
pub fn with_biped_limits(skeleton: &Skeleton) -> Option<BipedLimits> {
    let roles = find_roles(skeleton);
    let biped = Biped {
        spine: roles.spine_len().saturating_sub(1),
        ..Biped::default()
    };
    let template = biped.template().skeleton().ok()?;
    let template = body(&template)?;
    let file = body(skeleton)?;
    let mut joints = skeleton.joints();
    let mut laid = BipedLimits {
        skeleton: skeleton.clone(),
        joints: Vec::new(),
        widened: Vec::new(),
    };
    for (role, found) in found_frames(&template, &file) {
        let Some(joint) = file.roles.joint(role) else {
            continue;
        };
        // Mirrored frames reverse rotations, so the limits do not apply to them.
        if file.rest.maps[joint].matrix3.determinant() <= 0.0 {
            continue;
        }
        let of = template.skeleton.freedom(found.template);
        let in_joint = file.rest.rotations[joint].inverse() * found.axes;
        let (turn, is_wider) = carried(&of.rotation, in_joint.normalize(), found.rest);
        let freedom = Freedom {
            rotation: turn,
            slides: of.slides,
            ..Freedom::default()
        };
        if freedom.check().is_err() {
            continue;
        }
        joints[joint].freedom = freedom;
        laid.joints.push(joint);
        if is_wider {
            laid.widened.push(joint);
        }
    }
    laid.joints.sort_unstable();
    laid.widened.sort_unstable();
    (laid.skeleton, _) = Skeleton::new(joints).ok()?;
    Some(laid)
}

fn body(skeleton: &Skeleton) -> Option<Body<'_>> {
    let rest = ModelPoseF64::of_pose(skeleton, skeleton.rest());
    Body::new(skeleton, find_roles(skeleton), rest)
}

struct Found {
    template: usize,
    /// Axes of the template in the model space of the file.
    axes: DQuat,
    /// Rest rotation of the joint in the file, in the frame of the template.
    rest: DQuat,
}

fn found_frames(template: &Body<'_>, file: &Body<'_>) -> Vec<(Role, Found)> {
    let file_from_template = file.frame * template.frame.inverse();
    // The children start from these axes: in limbs those of the parent, in the torso those of the
    // template.
    let mut carries: BTreeMap<usize, DQuat> = BTreeMap::new();
    let mut found = Vec::new();
    for joint in 0..template.skeleton.len() {
        let at_rest = |joint: usize| template.rest.rotations[joint];
        let predicted = match template.skeleton.parent(joint) {
            Some(parent) => carries[&parent] * at_rest(parent).inverse() * at_rest(joint),
            None => file_from_template * at_rest(joint),
        };
        let Some(role) = template.roles.role(joint) else {
            carries.insert(joint, predicted);
            continue;
        };
        let axes = axes_at(template, file, role, joint, predicted);
        let moves = !stands_as_the_template(role);
        carries.insert(joint, if moves { axes } else { predicted });
        let rest = if moves {
            predicted.inverse() * axes
        } else {
            DQuat::IDENTITY
        };
        // Every neck joint gets the limits of the single neck joint of the template.
        let necks = match role {
            Role::Neck(0) => file.roles.neck_len().max(1),
            _ => 1,
        };
        for nth in 0..necks {
            let role = match role {
                Role::Neck(0) => Role::Neck(nth),
                role => role,
            };
            let template = joint;
            let found_here = Found {
                template,
                axes,
                rest,
            };
            found.push((role, found_here));
        }
    }
    found
}

/// True for bones that keep the rest rotation of the template, whatever their slope.
fn stands_as_the_template(role: Role) -> bool {
    matches!(
        role,
        Role::Hips
            | Role::Spine(_)
            | Role::Neck(_)
            | Role::Head
            | Role::Shoulder(_)
            | Role::Foot(_)
            | Role::Toes(_)
    )
}

/// Axes of the template, rotated the shortest way from its bone to the bone in the file. The axes
/// of thighs and upper arms also rotate about the bone to match the bend of the knee or elbow.
fn axes_at(
    template: &Body<'_>,
    file: &Body<'_>,
    role: Role,
    joint: usize,
    predicted: DQuat,
) -> DQuat {
    let (Some(from), Some(to)) = (bone(template, role), bone(file, role)) else {
        return predicted;
    };
    let from = predicted * template.rest.rotations[joint].inverse() * from;
    let about = predicted * DVec3::X;
    let axes = super::body::standing::shortest(from, to, about) * predicted;
    let below = match role {
        Role::UpperArm(side) => Role::LowerArm(side),
        Role::UpperLeg(side) => Role::LowerLeg(side),
        _ => return axes,
    };
    let Some(beyond) = bone(file, below) else {
        return axes;
    };
    let beyond = axes.inverse() * beyond;
    let aside = libm::atan2(beyond.x, beyond.z);
    let bend = libm::hypot(beyond.x, beyond.z);
    // A joint that bends the wrong way is not a knee.
    if bend < libm::sin(BENT) || aside.abs() > 1.7 {
        return axes;
    }
    axes * DQuat::from_axis_angle(DVec3::Y, aside)
}

fn bone(body: &Body<'_>, role: Role) -> Option<DVec3> {
    let next = match role {
        Role::Spine(k) => [Role::Spine(k + 1), Role::Neck(0), Role::Head]
            .into_iter()
            .find(|next| body.roles.joint(*next).is_some()),
        Role::Neck(k) => [Role::Neck(k + 1), Role::Head]
            .into_iter()
            .find(|next| body.roles.joint(*next).is_some()),
        Role::Shoulder(side) => Some(Role::UpperArm(side)),
        Role::Hand(side) => Some(Role::Finger(side, Finger::Middle, 0)),
        Role::Hips | Role::Head => None,
        _ => return body.direction(role),
    };
    (body.position(next?)? - body.position(role)?).try_normalize()
}

/// Converts limits of the template to the joint in the file. True if the rest pose widened them.
fn carried(turn: &RotationLimit, joint_from_axes: DQuat, rest: DQuat) -> (RotationLimit, bool) {
    let rest = possible(turn, rest);
    let (turn, is_wider) = widened(turn, rest);
    let is_none = |q: DQuat| 2.0 * libm::asin(q.xyz().length().min(1.0)) < NONE_RAD;
    let axis = |axis: Vec3| (joint_from_axes * axis.as_dvec3()).as_vec3();
    let carried = match turn {
        RotationLimit::Fixed | RotationLimit::Free | RotationLimit::Framed(_) => turn,
        turn if is_none(joint_from_axes) && is_none(rest) => turn,
        RotationLimit::Hinge { axis: x, range } => RotationLimit::Hinge {
            axis: axis(x),
            range: shifted(range, -angle_about(rest, x.as_dvec3())),
        },
        RotationLimit::Ball {
            axis: y,
            swing_rad,
            twist,
        } if is_none(rest) => RotationLimit::Ball {
            axis: axis(y),
            swing_rad,
            twist,
        },
        turn => RotationLimit::Framed(Box::new(FramedRotation {
            frame: RotationFrame {
                axes: joint_from_axes.as_quat(),
                rest: rest.as_quat(),
            },
            rotation: turn,
        })),
    };
    (carried, is_wider)
}

/// Part of a rotation that a joint of this kind could make without limits.
fn possible(turn: &RotationLimit, rest: DQuat) -> DQuat {
    let unlimited = match turn {
        RotationLimit::Hinge { axis, .. } => RotationLimit::Hinge {
            axis: *axis,
            range: AngleRange::FULL,
        },
        RotationLimit::Saddle { axes, .. } => RotationLimit::Saddle {
            axes: *axes,
            ranges: [AngleRange::FULL; 2],
        },
        _ => return rest,
    };
    nearest(&unlimited, rest)
}

fn nearest(turn: &RotationLimit, q: DQuat) -> DQuat {
    let freedom = Freedom {
        rotation: turn.clone(),
        ..Freedom::default()
    };
    let q = freedom.clamp_rotation(Quat::IDENTITY, q.as_quat());
    q.as_dquat().normalize()
}

/// Widens limits to include `rest`. True if that was needed.
fn widened(turn: &RotationLimit, rest: DQuat) -> (RotationLimit, bool) {
    let off = nearest(turn, rest).inverse() * rest;
    if off.xyz().length() < 1e-6 {
        return (turn.clone(), false);
    }
    let mut wider = turn.clone();
    match &mut wider {
        RotationLimit::Fixed | RotationLimit::Free | RotationLimit::Framed(_) => {}
        RotationLimit::Hinge { axis, range } => {
            *range = with(*range, angle_about(rest, axis.as_dvec3()));
        }
        RotationLimit::Saddle { axes, ranges } => {
            let third = [Axis::X, Axis::Y, Axis::Z]
                .into_iter()
                .find(|axis| !axes.contains(axis));
            let order = third.and_then(|third| EulerOrder::new([axes[0], axes[1], third]));
            if let Some(order) = order {
                let [outer, inner, _] = order.from_quat(rest.as_quat());
                *ranges = [with(ranges[0], outer.into()), with(ranges[1], inner.into())];
            }
        }
        RotationLimit::Euler { order, ranges } => {
            let angles = order.from_quat(rest.as_quat());
            for (range, angle) in ranges.iter_mut().zip(angles) {
                *range = with(*range, angle.into());
            }
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            let along = axis.as_dvec3().normalize();
            let angle = angle_about(rest, along);
            let swing = rest * DQuat::from_axis_angle(along, -angle);
            let swing = 2.0 * libm::atan2(swing.xyz().length(), swing.w.abs());
            *swing_rad = swing_rad.max(swing as f32);
            *twist = with(*twist, angle);
        }
    }
    (wider, true)
}

fn with(range: AngleRange, angle: f64) -> AngleRange {
    AngleRange {
        min_rad: range.min_rad.min(angle as f32),
        max_rad: range.max_rad.max(angle as f32),
    }
}

fn shifted(range: AngleRange, by: f64) -> AngleRange {
    AngleRange {
        min_rad: (f64::from(range.min_rad) + by) as f32,
        max_rad: (f64::from(range.max_rad) + by) as f32,
    }
}

fn angle_about(q: DQuat, axis: DVec3) -> f64 {
    let angle = 2.0 * libm::atan2(q.xyz().dot(axis), q.w);
    libm::remainder(angle, std::f64::consts::TAU)
}
