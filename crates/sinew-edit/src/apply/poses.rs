use super::checks::{unit, within};
use crate::document::Document;
use crate::edit::{JointValue, Moment, PoseEdit, Space};
use crate::error::Reason;
use crate::mirror::partners;
use crate::name::Name;
use crate::report::Report;
use glam::{Quat, Vec3};
use sinew::clip::{Clip, KeyError, OverLimit};
use sinew::transform::quat;
use sinew::{Affine, LocalPose, ModelPose, Skeleton, Transform, sample};
use std::collections::BTreeSet;
use std::f32::consts::TAU;

pub fn run(document: &mut Document, edit: &PoseEdit) -> Result<Report, Reason> {
    match edit {
        PoseEdit::Pose {
            joints,
            over,
            limits,
            weight,
        } => {
            within("weight", *weight, 0.0..=1.0, "from 0 to 1")?;
            let pose = present(document, over.as_ref())?;
            let mut report = Report::pose(format!(
                "posed {}",
                super::checks::counted(joints.len(), "joint")
            ));
            for value in joints {
                let joint = document.find_joint(&value.joint)?;
                let now = pose.get(joint);
                let wanted = mixed(now, value, *weight);
                set(document, &mut report, joint, [&now, &wanted], *limits)?;
            }
            Ok(report)
        }
        PoseEdit::Rotate {
            joints,
            rotation,
            space,
            over,
            limits,
        } => {
            let (axis, angle) = axis_angle(self::rotation(*rotation)?);
            let over = over.as_ref();
            change(document, joints, over, *limits, "rotated", |frame, part| {
                let by = quat::from_axis_angle(axis, angle * part);
                Transform {
                    rotation: frame.rotated(by, *space),
                    ..frame.now
                }
            })
        }
        PoseEdit::Move {
            joints,
            by,
            space,
            over,
            limits,
        } => {
            let over = over.as_ref();
            change(document, joints, over, *limits, "moved", |frame, part| {
                Transform {
                    translation: frame.now.translation + frame.in_parent(*by, *space) * part,
                    ..frame.now
                }
            })
        }
        PoseEdit::Scale { joints, by, over } => {
            if by.to_array().contains(&0.0) {
                return Err(Reason::Range {
                    option: "by",
                    value: 0.0,
                    range: "three factors, none of them 0",
                });
            }
            let (over, limits) = (over.as_ref(), OverLimit::Allow);
            change(document, joints, over, limits, "scaled", |frame, _| {
                Transform {
                    scale: frame.now.scale * *by,
                    ..frame.now
                }
            })
        }
        PoseEdit::MirrorPose { over } => mirror(document, over.as_ref()),
        PoseEdit::ResetPose { joints, below } => reset(document, joints, *below),
        PoseEdit::Reach(_) => Err(Reason::Nothing("inverse kinematics")),
    }
}

/// The pose that is seen: a clip at a time, or rest, with the posed joints on top.
pub fn present(document: &Document, over: Option<&Moment>) -> Result<LocalPose, Reason> {
    let moment = match over {
        Some(over) => {
            super::checks::check_time(over.time_secs)?;
            Some((document.find_clip(&over.clip)?, f64::from(over.time_secs)))
        }
        None => None,
    };
    Ok(document.posed(moment))
}

/// A rotation of unit length, as typed with few digits.
///
/// # Errors
/// If the length is far from 1 or not finite.
pub fn rotation(typed: Quat) -> Result<Quat, Reason> {
    let rotation = unit(typed);
    if (quat::dot(rotation, rotation) - 1.0).abs() <= 1e-3 && rotation.is_finite() {
        return Ok(rotation);
    }
    Err(Reason::Range {
        option: "rotation",
        value: quat::dot(rotation, rotation).sqrt(),
        range: "a quaternion of unit length",
    })
}

pub fn model_pose(skeleton: &Skeleton, pose: &LocalPose) -> ModelPose {
    let mut model = ModelPose::identity(skeleton.len());
    let updated = model.update(skeleton.hierarchy(), pose, &Affine::IDENTITY);
    updated.expect("a pose of this skeleton");
    model
}

/// Poses a joint within its limits.
///
/// # Errors
/// If a number is not finite, or a limit refuses the value.
pub fn set(
    document: &mut Document,
    report: &mut Report,
    joint: usize,
    [now, wanted]: [&Transform; 2],
    limits: OverLimit,
) -> Result<(), Reason> {
    let skeleton = document.skeleton();
    let name = skeleton.name(joint).to_owned();
    let refused = |error: KeyError| Reason::Key {
        joint: name.clone(),
        error,
    };
    let length = quat::dot(wanted.rotation, wanted.rotation);
    if !wanted.is_finite() || (length - 1.0).abs() > 1e-3 {
        return Err(refused(KeyError::BadValue));
    }
    let wanted = Transform {
        rotation: quat::normalized(wanted.rotation),
        ..*wanted
    };
    let allowed = clamped(skeleton, joint, now, &wanted);
    let by = quat::angle_between(allowed.rotation, wanted.rotation)
        .max((allowed.translation - wanted.translation).length());
    let kept = match limits {
        OverLimit::Allow => wanted,
        _ if by <= 1e-5 => wanted,
        OverLimit::Clamp => {
            report.at_limits.push(name);
            allowed
        }
        OverLimit::Refuse => {
            let joint = name.clone();
            return Err(refused(KeyError::OverLimit { joint, by }));
        }
    };
    document.pose_mut().insert(joint, kept);
    Ok(())
}

/// A transform within the limits of a joint. What an edit leaves as it is `now` may be beyond them: many clips move
/// joints that do not slide.
fn clamped(skeleton: &Skeleton, joint: usize, now: &Transform, wanted: &Transform) -> Transform {
    let rest = skeleton.rest().get(joint);
    let mut allowed = skeleton.freedom(joint).clamp(&rest, wanted);
    if wanted.translation == now.translation {
        allowed.translation = now.translation;
    }
    if wanted.rotation == now.rotation {
        allowed.rotation = now.rotation;
    }
    allowed
}

/// Axis and angle of a unit quaternion. A negative `w` is the long way, so the angle is in [0, 2π].
fn axis_angle(rotation: Quat) -> (Vec3, f32) {
    let angle = quat::angle_between(Quat::IDENTITY, rotation);
    let is_long = rotation.w < 0.0;
    (rotation.xyz(), if is_long { TAU - angle } else { angle })
}

/// Steps of the way of an edit. A full circle has steps of 2.8°.
const STEPS: u8 = 128;

/// Angle in radians that no limit moves a rotation by in a step, unless it jumps to its other end.
const JUMP_RAD: f32 = 0.2;

/// Last transform within the limits of a joint on its way from where it is, given for parts of the way.
fn followed(
    skeleton: &Skeleton,
    joint: usize,
    now: &Transform,
    way: impl Fn(f32) -> Transform,
) -> Transform {
    let mut allowed = clamped(skeleton, joint, now, &way(0.0));
    for step in 1..=STEPS {
        let part = f32::from(step) / f32::from(STEPS);
        let next = clamped(skeleton, joint, now, &way(part));
        if quat::angle_between(next.rotation, allowed.rotation) > JUMP_RAD {
            break;
        }
        allowed = next;
    }
    allowed
}

/// A joint and the frames that an edit may be relative to.
struct Frame {
    now: Transform,
    model_from_parent: Affine,
    /// Rotation of `model_from_parent`.
    parent: Quat,
}

impl Frame {
    fn rotated(&self, by: Quat, space: Space) -> Quat {
        let now = self.now.rotation;
        let rotated = match space {
            Space::Local => quat::mul(now, by),
            Space::Parent => quat::mul(by, now),
            Space::Model => {
                let by = quat::mul(quat::mul(quat::conjugate(self.parent), by), self.parent);
                quat::mul(by, now)
            }
        };
        quat::normalized(rotated)
    }

    fn in_parent(&self, by: Vec3, space: Space) -> Vec3 {
        match space {
            Space::Local => quat::rotate(self.now.rotation, by),
            Space::Parent => by,
            Space::Model => {
                let parent_from_model = self.model_from_parent.inverse();
                parent_from_model.map_or(Vec3::ZERO, |map| map.transform_vector(by))
            }
        }
    }
}

/// Changes joints by an edit that is given for parts of its way. Those below another chosen one follow it.
fn change(
    document: &mut Document,
    joints: &[Name],
    over: Option<&Moment>,
    limits: OverLimit,
    verb: &str,
    edit: impl Fn(&Frame, f32) -> Transform,
) -> Result<Report, Reason> {
    if joints.is_empty() {
        return Err(Reason::Nothing("no joint is chosen"));
    }
    let chosen = joints.iter().map(|joint| document.find_joint(joint));
    let chosen = chosen.collect::<Result<BTreeSet<usize>, Reason>>()?;
    let pose = present(document, over)?;
    let model = model_pose(document.skeleton(), &pose);
    let hierarchy = document.skeleton().hierarchy();
    let is_top = |joint: &usize| {
        !hierarchy
            .ancestors(*joint)
            .skip(1)
            .any(|above| chosen.contains(&above))
    };
    let top: Vec<usize> = chosen.iter().copied().filter(is_top).collect();
    let mut report = Report::pose(format!(
        "{verb} {}",
        super::checks::counted(top.len(), "joint")
    ));
    for joint in top {
        let parent = document.skeleton().parent(joint);
        let model_from_parent = parent.map_or(Affine::IDENTITY, |parent| *model.get(parent));
        let frame = Frame {
            now: pose.get(joint),
            model_from_parent,
            parent: Transform::from_affine(&model_from_parent).0.rotation,
        };
        let mut wanted = edit(&frame, 1.0);
        if limits == OverLimit::Clamp {
            let skeleton = document.skeleton();
            let allowed = followed(skeleton, joint, &frame.now, |part| edit(&frame, part));
            if allowed != wanted {
                report.at_limits.push(skeleton.name(joint).to_owned());
                wanted = allowed;
            }
        }
        set(document, &mut report, joint, [&frame.now, &wanted], limits)?;
    }
    Ok(report)
}

fn mixed(now: Transform, value: &JointValue, weight: f32) -> Transform {
    let wanted = Transform {
        translation: value.translation.unwrap_or(now.translation),
        rotation: value.rotation.map_or(now.rotation, unit),
        scale: value.scale.unwrap_or(now.scale),
    };
    if weight == 1.0 {
        wanted
    } else {
        now.interpolate(&wanted, weight)
    }
}

fn mirror(document: &mut Document, over: Option<&Moment>) -> Result<Report, Reason> {
    let pose = present(document, over)?;
    let skeleton = document.skeleton().clone();
    let (partner, axis) = partners(&skeleton).ok_or(Reason::NoSides)?;
    let mut clip = Clip::default();
    let keyed = clip.insert_pose(&skeleton, 0.0, &pose, OverLimit::Allow);
    keyed.map_err(|error| Reason::Key {
        joint: skeleton.name(0).to_owned(),
        error,
    })?;
    let mirrored = clip.mirrored(&skeleton, &partner, axis);
    let mut after = skeleton.rest().clone();
    sample(&mirrored, &skeleton, 0.0, &mut after).expect("partners are joints of the skeleton");
    let mut report = Report::pose("mirrored the pose");
    for joint in 0..skeleton.len() {
        let [now, wanted] = [&pose, &after].map(|pose| pose.get(joint));
        if wanted != now {
            let limits = OverLimit::Allow;
            set(document, &mut report, joint, [&now, &wanted], limits)?;
        }
    }
    Ok(report)
}

fn reset(document: &mut Document, joints: &[Name], below: bool) -> Result<Report, Reason> {
    let mut chosen: BTreeSet<usize> = document.find_joints(joints)?.into_iter().collect();
    if below {
        let hierarchy = document.skeleton().hierarchy();
        let trees = chosen.iter().flat_map(|&joint| hierarchy.subtree(joint));
        chosen = trees.collect();
    }
    let count = document.pose().len();
    document
        .pose_mut()
        .retain(|joint, _| !chosen.contains(joint));
    let count = count - document.pose().len();
    if count == 0 {
        return Err(Reason::Nothing("none of these joints is posed"));
    }
    Ok(Report::pose(format!(
        "reset {}",
        super::checks::counted(count, "joint")
    )))
}
