//! Feet on uneven ground: a pose that was made for a level floor, put on another.
//!
//! Each foot is lifted by as much as the ground under it is higher than the floor, so that a foot in
//! the air stays as high above the ground as it was. The pelvis goes with the lowest foot, which thus
//! keeps its leg as it was, and the other legs bend; ankles tilt with the ground.

use super::error::IkError;
use super::frame::{check_joint, check_pose, name, not_below, not_finite, wide};
use super::tip::Tip;
use super::two_bone::{TwoBone, two_bone};
use crate::pose::{LocalPose, ModelPose};
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, dot, scaled, unit};
use sinew_math::transform::{Affine, Transform, quat};

/// A leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// The joint at the pelvis.
    pub hip: usize,
    /// The joint that bends.
    pub knee: usize,
    /// The joint that tilts with the ground.
    pub ankle: usize,
    /// The point that treads on the ground, in the ankle's frame.
    pub sole: Vec3,
    /// The ground under the foot: a point of it in the model, and the direction away from it.
    pub ground_in_model: Vec3,
    /// Square to the ground, away from it; in the model.
    pub ground_normal: Vec3,
}

/// The settings of placing feet on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootPlacement {
    /// The joint that carries the legs; it is moved, not turned.
    pub pelvis: usize,
    /// Up, in the model. The floor that the pose was made for goes through the model's origin.
    pub up: Vec3,
    /// How far the pelvis goes down at most.
    pub max_drop: f32,
    /// How far it goes up at most.
    pub max_rise: f32,
    /// How far ankles tilt at most.
    pub max_tilt_rad: f32,
}

/// The report of one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootReport {
    /// Whether the sole is where it should be.
    pub reached: bool,
    /// How far it is from there, in the model.
    pub residual: f32,
    /// How far the foot was lifted; down is below 0.
    pub lifted: f32,
    /// The angle between the foot and the ground that limits of the joint or of the placement leave.
    pub tilt_left_rad: f32,
}

/// Puts feet on the ground; how far the pelvis was moved up. `model` must be that of `pose`, and is again
/// afterwards; `reports` has one for each foot.
///
/// Legs bend in the plane that they are in. An error leaves the pose as it was.
pub fn place_feet(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model: &mut ModelPose,
    model_from_root: &Affine,
    placement: &FootPlacement,
    feet: &[Foot],
    reports: &mut [FootReport],
) -> Result<f32, IkError> {
    let pelvis = placement.pelvis;
    check(skeleton, pose, model, placement, feet, reports)?;
    let up = unit(placement.up).unwrap_or([0.0, 1.0, 0.0]);
    // Each leg is tried once and put back, so that what cannot be solved is refused at the start.
    for foot in feet {
        let before = [foot.hip, foot.knee].map(|joint| (joint, pose.get(joint).rotation));
        let job = TwoBone::new(foot.hip, foot.knee, Tip::of(foot.ankle), Vec3::ZERO);
        two_bone(
            skeleton,
            pose,
            &above(skeleton, model, model_from_root, foot.hip),
            &job,
        )?;
        for (joint, rotation) in before {
            pose.set_rotation(joint, rotation);
        }
    }
    let lifts = |foot: &Foot| {
        let sole = wide(model.get(foot.ankle).transform_point(foot.sole));
        let normal = unit(foot.ground_normal).unwrap_or(up);
        // Where the line through the sole along `up` meets the ground, and where the floor.
        let ground = wide(foot.ground_in_model);
        let to_ground = dot(normal, add_scaled(ground, sole, -1.0)) / dot(normal, up);
        to_ground + dot(sole, up)
    };
    let lowest = feet.iter().map(lifts).fold(f64::INFINITY, f64::min);
    let most = (f64::from(placement.max_drop), f64::from(placement.max_rise));
    let moved = if lowest.is_finite() {
        lowest.max(-most.0).min(most.1)
    } else {
        0.0
    };
    for (foot, report) in feet.iter().zip(reports.iter_mut()) {
        *report = FootReport {
            lifted: lifts(foot) as f32,
            ..FootReport::default()
        };
    }
    let parent = above(skeleton, model, model_from_root, pelvis);
    let Some(parent_from_model) = parent.inverse() else {
        return Err(IkError::FlatParent {
            joint: name(skeleton, pelvis),
        });
    };
    let shift = narrow(scaled(up, moved));
    let in_parent = parent_from_model.transform_vector(shift);
    let at = pose.get(pelvis).translation;
    let at = Vec3::new(at.x + in_parent.x, at.y + in_parent.y, at.z + in_parent.z);
    pose.set_translation(pelvis, at);
    model.update_below(pelvis, skeleton.hierarchy(), pose, model_from_root)?;

    for (foot, report) in feet.iter().zip(reports.iter_mut()) {
        let (ankle, _) = Transform::from_affine(model.get(foot.ankle));
        let sole = wide(model.get(foot.ankle).transform_point(foot.sole));
        let normal = unit(foot.ground_normal).unwrap_or(up);
        let tilt = QuatF64::arc(up, normal, || across(up));
        let angle = 2.0 * libm::atan2(dot(tilt.v, tilt.v).sqrt(), tilt.w);
        let most = f64::from(placement.max_tilt_rad);
        let tilt = if angle > most {
            let size = dot(tilt.v, tilt.v).sqrt();
            QuatF64::turn(scaled(tilt.v, 1.0 / size), most)
        } else {
            tilt
        };
        let turned = tilt.mul(QuatF64::from_quat(ankle.rotation));
        let arm = tilt.rotate(add_scaled(sole, wide(ankle.translation), -1.0));
        // The sole goes up with the ground, less what the pelvis took it along.
        let sole = add_scaled(sole, up, f64::from(report.lifted) - moved);
        let goal = add_scaled(sole, arm, -1.0);
        let parent = above(skeleton, model, model_from_root, foot.hip);
        let job = TwoBone::new(foot.hip, foot.knee, Tip::of(foot.ankle), narrow(goal));
        two_bone(skeleton, pose, &parent, &job)?;
        model.update_below(foot.hip, skeleton.hierarchy(), pose, model_from_root)?;

        let wanted = turned.to_quat();
        set_model_rotation(skeleton, pose, model, model_from_root, foot.ankle, wanted);
        model.update_below(foot.ankle, skeleton.hierarchy(), pose, model_from_root)?;
        let there = wide(model.get(foot.ankle).transform_point(foot.sole));
        let off = add_scaled(sole, there, -1.0);
        let (now, _) = Transform::from_affine(model.get(foot.ankle));
        let full = QuatF64::arc(up, normal, || across(up)).mul(QuatF64::from_quat(ankle.rotation));
        report.residual = dot(off, off).sqrt() as f32;
        report.reached = f64::from(report.residual) <= 1e-3 * reach(skeleton, pose, foot);
        report.tilt_left_rad = quat::angle_between(now.rotation, full.to_quat());
    }
    Ok(moved as f32)
}

fn check(
    skeleton: &Skeleton,
    pose: &LocalPose,
    model: &ModelPose,
    placement: &FootPlacement,
    feet: &[Foot],
    reports: &[FootReport],
) -> Result<(), IkError> {
    check_pose(skeleton, pose)?;
    let pelvis = placement.pelvis;
    check_joint(skeleton, pelvis)?;
    if model.len() != skeleton.len() || reports.len() != feet.len() || feet.is_empty() {
        return Err(IkError::Nothing {
            what: "feet need a model pose of the skeleton and a report each",
        });
    }
    let no_direction = |joint, what| IkError::NoDirection {
        joint: name(skeleton, joint),
        what,
    };
    let Some(up) = unit(placement.up) else {
        return Err(no_direction(pelvis, "up vector"));
    };
    for limit in [
        placement.max_drop,
        placement.max_rise,
        placement.max_tilt_rad,
    ] {
        if limit.is_nan() || limit < 0.0 {
            return Err(IkError::OutOfRange {
                joint: name(skeleton, pelvis),
                what: "most drop, rise or tilt",
                most: f32::MAX,
            });
        }
    }
    for foot in feet {
        for joint in [foot.hip, foot.knee, foot.ankle] {
            check_joint(skeleton, joint)?;
        }
        let mut at = Some(foot.hip);
        while at.is_some_and(|joint| joint > pelvis) {
            at = at.and_then(|joint| skeleton.parent(joint));
        }
        if at != Some(pelvis) {
            return Err(not_below(skeleton, foot.hip, pelvis));
        }
        if !foot.sole.is_finite() || !foot.ground_in_model.is_finite() {
            return Err(not_finite(skeleton, foot.ankle, "ground"));
        }
        // Ground as steep as a wall has no height.
        if !unit(foot.ground_normal).is_some_and(|normal| dot(normal, up) > 0.01) {
            return Err(no_direction(foot.ankle, "ground"));
        }
    }
    Ok(())
}

/// Where the parent of a joint stands.
fn above(skeleton: &Skeleton, model: &ModelPose, model_from_root: &Affine, joint: usize) -> Affine {
    let parent = skeleton.parent(joint);
    parent.map_or(*model_from_root, |parent| *model.get(parent))
}

/// Turns a joint so that it stands as given in the model, as far as its limits allow.
fn set_model_rotation(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model: &ModelPose,
    model_from_root: &Affine,
    joint: usize,
    wanted: Quat,
) {
    let (parent, _) = Transform::from_affine(&above(skeleton, model, model_from_root, joint));
    let local = quat::mul(quat::conjugate(parent.rotation), wanted);
    let local = quat::aligned(quat::normalized(local), pose.get(joint).rotation);
    let rest = skeleton.rest().get(joint).rotation;
    let allowed = skeleton.freedom(joint).clamp_rotation(rest, local);
    pose.set_rotation(joint, allowed);
}

/// How long the leg is, near enough.
fn reach(skeleton: &Skeleton, pose: &LocalPose, foot: &Foot) -> f64 {
    let mut joint = foot.ankle;
    let mut sum = 0.0;
    while joint > foot.hip {
        let bone = wide(pose.get(joint).translation);
        sum += dot(bone, bone).sqrt();
        joint = skeleton.parent(joint).unwrap_or(foot.hip);
    }
    sum
}

fn narrow(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}
