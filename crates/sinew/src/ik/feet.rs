//! Foot placement: adapts a pose for a level floor to uneven ground. Each foot rises by the height
//! of the ground, the pelvis follows the lowest foot, and legs and ankles follow the ground.

use super::error::IkError;
use super::frame::{check_joint, check_pose, name, not_below, not_finite, wide};
use super::tip::Tip;
use super::two_bone::{TwoBone, two_bone};
use crate::pose::{LocalPose, ModelPose};
use crate::skeleton::Skeleton;
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, dot, scaled, unit};
use sinew_math::transform::{Affine, Transform, quat};

/// Leg, and the ground under its foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Foot {
    /// Index of the joint at the pelvis.
    pub hip: usize,
    /// Index of the joint that bends.
    pub knee: usize,
    /// Index of the joint that tilts with the ground.
    pub ankle: usize,
    /// Contact point with the ground, in the frame of the ankle.
    pub sole: Vec3,
    /// Point of the ground under the foot, in model space.
    pub ground_in_model: Vec3,
    /// Normal of the ground in model space, of any length.
    pub ground_normal: Vec3,
}

/// Options of foot placement. Lengths are in units of the model. Defaults suit a person in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootPlacement {
    /// Index of the joint that carries the legs. It moves but does not rotate. Default 0, the root.
    pub pelvis: usize,
    /// Up direction in model space, of any length above 0. Default +Y. The floor is at the origin.
    pub up: Vec3,
    /// Max distance that the pelvis moves down, 0 or more. Default 0.3.
    pub max_drop: f32,
    /// Max distance that the pelvis moves up, 0 or more. Default 0.1.
    pub max_rise: f32,
    /// Max tilt of the ankles in radians, 0 or more. Default 0.6.
    pub max_tilt_rad: f32,
}

impl FootPlacement {
    /// Default options with the given pelvis.
    pub const fn new(pelvis: usize) -> Self {
        Self {
            pelvis,
            up: Vec3::Y,
            max_drop: 0.3,
            max_rise: 0.1,
            max_tilt_rad: 0.6,
        }
    }

    /// Sets [`FootPlacement::pelvis`].
    #[must_use]
    pub const fn pelvis(mut self, pelvis: usize) -> Self {
        self.pelvis = pelvis;
        self
    }

    /// Sets [`FootPlacement::up`].
    #[must_use]
    pub const fn up(mut self, up: Vec3) -> Self {
        self.up = up;
        self
    }

    /// Sets [`FootPlacement::max_drop`].
    #[must_use]
    pub const fn max_drop(mut self, max_drop: f32) -> Self {
        self.max_drop = max_drop;
        self
    }

    /// Sets [`FootPlacement::max_rise`].
    #[must_use]
    pub const fn max_rise(mut self, max_rise: f32) -> Self {
        self.max_rise = max_rise;
        self
    }

    /// Sets [`FootPlacement::max_tilt_rad`].
    #[must_use]
    pub const fn max_tilt_rad(mut self, max_tilt_rad: f32) -> Self {
        self.max_tilt_rad = max_tilt_rad;
        self
    }
}

impl Default for FootPlacement {
    fn default() -> Self {
        Self::new(0)
    }
}

/// Feet and ground for [`place_feet`].
#[derive(Debug)]
#[doc(alias = "foot ik")]
pub struct Feet<'f> {
    /// Options of the placement.
    pub placement: FootPlacement,
    /// Legs with the ground under each foot. At least one.
    pub feet: &'f [Foot],
    /// Results, one per foot. [`place_feet`] overwrites them.
    pub reports: &'f mut [FootReport],
    /// Transform of the skeleton's root frame. Default identity.
    pub model_from_root: Affine,
}

impl<'f> Feet<'f> {
    /// Feet of a skeleton whose root frame is model space.
    pub const fn new(
        placement: FootPlacement,
        feet: &'f [Foot],
        reports: &'f mut [FootReport],
    ) -> Self {
        Self {
            placement,
            feet,
            reports,
            model_from_root: Affine::IDENTITY,
        }
    }
}

/// Result for one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootReport {
    /// True if the sole is at its goal within a thousandth of the leg.
    pub reached: bool,
    /// Distance from the sole to its goal, in model space.
    pub residual: f32,
    /// Distance that the foot was lifted, in units of the model. Negative if it was lowered.
    pub lifted: f32,
    /// Remaining angle between foot and ground, in radians, due to limits.
    pub tilt_left_rad: f32,
}

/// Puts feet on the ground. Returns the upward movement of the pelvis. `model` must match `pose`;
/// both are updated. Legs bend in their plane. On an error, the pose is unchanged.
pub fn place_feet(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model: &mut ModelPose,
    job: Feet<'_>,
) -> Result<f32, IkError> {
    check(skeleton, pose, model, &job)?;
    let Feet {
        placement,
        feet,
        reports,
        model_from_root,
    } = job;
    let (pelvis, model_from_root) = (placement.pelvis, &model_from_root);
    let up = unit(placement.up).unwrap_or([0.0, 1.0, 0.0]);
    // Solves and undoes each leg first, to reject invalid input before anything changes.
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
        // Height of the ground above the floor, along `up` through the sole.
        let ground = wide(foot.ground_in_model);
        let to_ground = dot(normal, add_scaled(ground, sole, -1.0)) / dot(normal, up);
        to_ground + dot(sole, up)
    };
    let lowest = feet.iter().map(lifts).fold(f64::INFINITY, f64::min);
    let max = (f64::from(placement.max_drop), f64::from(placement.max_rise));
    let moved = if lowest.is_finite() {
        lowest.max(-max.0).min(max.1)
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
        let max = f64::from(placement.max_tilt_rad);
        let tilt = if angle > max {
            let size = dot(tilt.v, tilt.v).sqrt();
            QuatF64::from_axis_angle(scaled(tilt.v, 1.0 / size), max)
        } else {
            tilt
        };
        let rotated = tilt.mul(QuatF64::from_quat(ankle.rotation));
        let arm = tilt.rotate(add_scaled(sole, wide(ankle.translation), -1.0));
        let sole = add_scaled(sole, up, f64::from(report.lifted) - moved);
        let goal = add_scaled(sole, arm, -1.0);
        let parent = above(skeleton, model, model_from_root, foot.hip);
        let job = TwoBone::new(foot.hip, foot.knee, Tip::of(foot.ankle), narrow(goal));
        two_bone(skeleton, pose, &parent, &job)?;
        model.update_below(foot.hip, skeleton.hierarchy(), pose, model_from_root)?;

        let expected = rotated.to_quat();
        set_model_rotation(skeleton, pose, model, model_from_root, foot.ankle, expected);
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
    job: &Feet<'_>,
) -> Result<(), IkError> {
    check_pose(skeleton, pose)?;
    let Feet {
        placement, feet, ..
    } = job;
    let pelvis = placement.pelvis;
    check_joint(skeleton, pelvis)?;
    if model.len() != skeleton.len() || job.reports.len() != feet.len() || feet.is_empty() {
        return Err(IkError::Nothing {
            what: "foot placement needs at least one foot, one report per foot, and a model pose of the skeleton",
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
                what: "max drop, rise or tilt",
                max: f32::MAX,
            });
        }
    }
    for foot in *feet {
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
        // A vertical wall has no height.
        if !unit(foot.ground_normal).is_some_and(|normal| dot(normal, up) > 0.01) {
            return Err(no_direction(foot.ankle, "ground"));
        }
    }
    Ok(())
}

fn above(skeleton: &Skeleton, model: &ModelPose, model_from_root: &Affine, joint: usize) -> Affine {
    let parent = skeleton.parent(joint);
    parent.map_or(*model_from_root, |parent| *model.get(parent))
}

fn set_model_rotation(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model: &ModelPose,
    model_from_root: &Affine,
    joint: usize,
    expected: Quat,
) {
    let (parent, _) = Transform::from_affine(&above(skeleton, model, model_from_root, joint));
    let local = quat::mul(quat::conjugate(parent.rotation), expected);
    let local = quat::aligned(quat::normalized(local), pose.get(joint).rotation);
    let rest = skeleton.rest().get(joint).rotation;
    let allowed = skeleton.freedom(joint).clamp_rotation(rest, local);
    pose.set_rotation(joint, allowed);
}

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
