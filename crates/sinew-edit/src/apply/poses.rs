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
                let wanted = mixed(pose.get(joint), value, *weight);
                set(document, &mut report, joint, wanted, *limits)?;
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
            let rotation = self::rotation(*rotation)?;
            change(
                document,
                joints,
                over.as_ref(),
                *limits,
                "rotated",
                |frame| Transform {
                    rotation: frame.rotated(rotation, *space),
                    ..frame.now
                },
            )
        }
        PoseEdit::Move {
            joints,
            by,
            space,
            over,
            limits,
        } => change(document, joints, over.as_ref(), *limits, "moved", |frame| {
            Transform {
                translation: frame.now.translation + frame.in_parent(*by, *space),
                ..frame.now
            }
        }),
        PoseEdit::Scale { joints, by, over } => {
            if by.to_array().contains(&0.0) {
                return Err(Reason::Range {
                    option: "by",
                    value: 0.0,
                    range: "three factors, none of them 0",
                });
            }
            change(
                document,
                joints,
                over.as_ref(),
                OverLimit::Allow,
                "scaled",
                |frame| Transform {
                    scale: frame.now.scale * *by,
                    ..frame.now
                },
            )
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
    wanted: Transform,
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
        ..wanted
    };
    let rest = skeleton.rest().get(joint);
    let allowed = skeleton.freedom(joint).clamp(&rest, &wanted);
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

/// A joint and the frames that an edit may be relative to.
struct Frame {
    now: Transform,
    model_from_parent: Affine,
}

impl Frame {
    fn rotated(&self, by: Quat, space: Space) -> Quat {
        let now = self.now.rotation;
        let rotated = match space {
            Space::Local => quat::mul(now, by),
            Space::Parent => quat::mul(by, now),
            Space::Model => {
                let parent = Transform::from_affine(&self.model_from_parent).0.rotation;
                let by = quat::mul(quat::mul(quat::conjugate(parent), by), parent);
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

/// Changes joints. Those below another chosen one follow it.
fn change(
    document: &mut Document,
    joints: &[Name],
    over: Option<&Moment>,
    limits: OverLimit,
    verb: &str,
    edit: impl Fn(&Frame) -> Transform,
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
        let frame = Frame {
            now: pose.get(joint),
            model_from_parent: parent.map_or(Affine::IDENTITY, |parent| *model.get(parent)),
        };
        let wanted = edit(&frame);
        set(document, &mut report, joint, wanted, limits)?;
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
        if after.get(joint) != pose.get(joint) {
            set(
                document,
                &mut report,
                joint,
                after.get(joint),
                OverLimit::Allow,
            )?;
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
