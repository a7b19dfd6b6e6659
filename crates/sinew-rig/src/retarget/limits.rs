//! A person's limits, from the template, on joints whose axes and rest pose someone else chose.
//!
//! Limits hold in a joint's own frame and count from its rest, and files have both as they like. So the template's
//! frames (y down the bone, x what it bends about) are found on the file's body: the torso's from which way
//! the body looks, those of limbs by the shortest turn from where the template has the bone to where the file has
//! it. With `C` the template's frame in the joint's, and `Q` how the joint is turned at the file's rest by the
//! template's count, a rotation `T` of the template is the rotation `C Q⁻¹ T C⁻¹` of the file's joint.
//!
//! What of `Q` the joint cannot do (a knee that stands a little aside) is how the body is built and is left out.
//! Torso and feet stand at rest as the template does, whatever their bones' slopes. A limit that the rest pose itself
//! passes goes out to it.

use super::body::model_pose::ModelPoseF64;
use super::body::standing::Body;
use super::roles::find_roles::find_roles;
use crate::template::Biped;
use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::Skeleton;
use sinew::skeleton::limits::{AngleRange, FramedTurn, Freedom, Turn, TurnFrame};
use sinew::skeleton::{Finger, Role};
use sinew::transform::{Axis, EulerOrder};
use std::collections::BTreeMap;

/// A skeleton with a person's limits.
#[derive(Clone, Debug, PartialEq)]
pub struct BipedLimits {
    /// The skeleton, with the limits.
    pub skeleton: Skeleton,
    /// Joints that have limits of the template now; others can do what they could.
    pub joints: Vec<usize>,
    /// Those of them whose limits were widened, because their rest pose is beyond the template's.
    pub widened: Vec<usize>,
}

/// Bends smaller than this do not tell which way a limb bends.
const BENT: f64 = 0.26;

/// The angle below which a rotation counts as none.
const NONE_RAD: f64 = 1e-5;

/// Lays the limits of [`Biped`] over the joints whose names tell what they are for; `None` when there are no
/// hips among them, or it cannot be told which way the body stands.
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
        // In a mirrored frame turns go the other way round; nobody's limits are meant so.
        if file.rest.maps[joint].matrix3.determinant() <= 0.0 {
            continue;
        }
        let of = template.skeleton.freedom(found.template);
        let in_joint = file.rest.rotations[joint].inverse() * found.axes;
        let (turn, is_wider) = carried(&of.turn, in_joint.normalize(), found.rest);
        let freedom = Freedom {
            turn,
            slides: of.slides,
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

/// The template's joint of a role, found on the file's body.
struct Found {
    template: usize,
    /// The template's axes as they stand in the file's model.
    axes: DQuat,
    /// The rotation of the joint at the file's rest, by the template's count.
    rest: DQuat,
}

fn found_frames(template: &Body<'_>, file: &Body<'_>) -> Vec<(Role, Found)> {
    let file_from_template = file.frame * template.frame.inverse();
    // The axes that joints below begin from: a limb's own, and the torso's as the template has them.
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
        // All joints of a neck can do what the template's one can.
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

/// True for bones of the file that may slope as they like and still be the template's at rest.
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

/// The template's axes, turned the shortest way from the template's bone to the file's; those of thighs and upper
/// arms then about the bone, until knee or elbow bend as they are bent.
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
    // Bent the wrong way it is no knee, whatever it is called.
    if bend < libm::sin(BENT) || aside.abs() > 1.7 {
        return axes;
    }
    axes * DQuat::from_axis_angle(DVec3::Y, aside)
}

/// The direction of the bone of a joint at rest, in the model.
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

/// A rotation of the template as one of the file's joint, and whether it had to be widened for the rest pose.
fn carried(turn: &Turn, joint_from_axes: DQuat, rest: DQuat) -> (Turn, bool) {
    let rest = possible(turn, rest);
    let (turn, is_wider) = widened(turn, rest);
    let is_none = |q: DQuat| 2.0 * libm::asin(q.xyz().length().min(1.0)) < NONE_RAD;
    let axis = |axis: Vec3| (joint_from_axes * axis.as_dvec3()).as_vec3();
    let carried = match turn {
        Turn::Fixed | Turn::Free | Turn::Framed(_) => turn,
        turn if is_none(joint_from_axes) && is_none(rest) => turn,
        Turn::Hinge { axis: x, range } => Turn::Hinge {
            axis: axis(x),
            range: shifted(range, -angle_about(rest, x.as_dvec3())),
        },
        Turn::Ball {
            axis: y,
            swing_rad,
            twist,
        } if is_none(rest) => Turn::Ball {
            axis: axis(y),
            swing_rad,
            twist,
        },
        turn => Turn::Framed(Box::new(FramedTurn {
            frame: TurnFrame {
                axes: joint_from_axes.as_quat(),
                rest: rest.as_quat(),
            },
            turn,
        })),
    };
    (carried, is_wider)
}

/// Of a rotation the part that a joint of this kind can make, if there were no limits.
fn possible(turn: &Turn, rest: DQuat) -> DQuat {
    let unlimited = match turn {
        Turn::Hinge { axis, .. } => Turn::Hinge {
            axis: *axis,
            range: AngleRange::FULL,
        },
        Turn::Saddle { axes, .. } => Turn::Saddle {
            axes: *axes,
            ranges: [AngleRange::FULL; 2],
        },
        _ => return rest,
    };
    nearest(&unlimited, rest)
}

fn nearest(turn: &Turn, q: DQuat) -> DQuat {
    let freedom = Freedom {
        turn: turn.clone(),
        slides: [false; 3],
    };
    let q = freedom.clamp_rotation(Quat::IDENTITY, q.as_quat());
    q.as_dquat().normalize()
}

/// The same turn with room for `rest`, and whether that took anything.
fn widened(turn: &Turn, rest: DQuat) -> (Turn, bool) {
    let off = nearest(turn, rest).inverse() * rest;
    if off.xyz().length() < 1e-6 {
        return (turn.clone(), false);
    }
    let mut wider = turn.clone();
    match &mut wider {
        Turn::Fixed | Turn::Free | Turn::Framed(_) => {}
        Turn::Hinge { axis, range } => *range = with(*range, angle_about(rest, axis.as_dvec3())),
        Turn::Saddle { axes, ranges } => {
            let third = [Axis::X, Axis::Y, Axis::Z]
                .into_iter()
                .find(|axis| !axes.contains(axis));
            let order = third.and_then(|third| EulerOrder::new([axes[0], axes[1], third]));
            if let Some(order) = order {
                let [outer, inner, _] = order.from_quat(rest.as_quat());
                *ranges = [with(ranges[0], outer.into()), with(ranges[1], inner.into())];
            }
        }
        Turn::Euler { order, ranges } => {
            let angles = order.from_quat(rest.as_quat());
            for (range, angle) in ranges.iter_mut().zip(angles) {
                *range = with(*range, angle.into());
            }
        }
        Turn::Ball {
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

/// The part of a rotation that is about a unit axis.
fn angle_about(q: DQuat, axis: DVec3) -> f64 {
    let angle = 2.0 * libm::atan2(q.xyz().dot(axis), q.w);
    libm::remainder(angle, std::f64::consts::TAU)
}
