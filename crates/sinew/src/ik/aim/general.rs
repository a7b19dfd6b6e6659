//! Aim with any number of joints, in `f64`.

use super::job::{Aim, AimReport, Up};
use crate::ik::error::IkError;
use crate::ik::frame::{
    Above, Local, Vec3F64, check_joint, length, name, not_below, not_finite, sub, wide,
    write_rotation,
};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::RotationLimit;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot, scaled};

#[inline(never)]
pub(super) fn general(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &Aim<'_>,
) -> Result<AimReport, IkError> {
    check(skeleton, job)?;
    let above = Above::new(skeleton, job.shares[0].joint, model_from_parent)?;
    let mut at_limits = 0;
    let mut left = 1.0;
    let mut off_rad = 0.0;
    if job.shares.len() > 1 {
        check_path(skeleton, pose, job)?;
    }
    for (nth, share) in job.shares.iter().enumerate() {
        let sight = Sight::new(skeleton, pose, job, &above, nth)?;
        let part = f64::from(share.part);
        let whole = part >= left - 1e-6;
        let turn = sight.turn();
        let turn = if whole {
            turn
        } else {
            part_of(turn, part / left)
        };
        left -= part;
        let came = sight.local.rotation;
        let rotation = came.straightened().mul(turn);
        if !(dot(rotation.v, rotation.v) + rotation.w).is_finite() {
            return Err(not_finite(skeleton, share.joint, "transform"));
        }
        let mut rotation = rotation;
        let freedom = skeleton.freedom(share.joint);
        let mut is_held = false;
        if freedom.rotation != RotationLimit::Free {
            let rest = skeleton.rest().get(share.joint).rotation;
            let rounded = rotation.to_quat();
            let allowed = freedom.clamp_rotation(rest, rounded);
            is_held = allowed != rounded;
            at_limits |= u64::from(is_held) << nth;
            rotation = QuatF64::from_quat(allowed);
        }
        if nth + 1 == job.shares.len() && (!whole || is_held || !sight.can_meet) {
            let done = came.conjugate().mul(rotation);
            off_rad = sight.off_after(done);
        }
        write_rotation(pose, share.joint, rotation);
    }
    Ok(AimReport {
        reached: off_rad <= 1e-3,
        off_rad: off_rad as f32,
        at_limits,
    })
}

#[inline(always)]
pub(super) fn check(skeleton: &Skeleton, job: &Aim<'_>) -> Result<(), IkError> {
    let eye = job.eye.joint;
    let mut sum = 0.0;
    for (nth, share) in job.shares.iter().enumerate() {
        check_joint(skeleton, share.joint)?;
        sum += share.part;
        if !(share.part >= 0.0 && sum <= 1.0 + 1e-5) {
            return Err(IkError::OutOfRange {
                joint: name(skeleton, share.joint),
                what: "share (with the shares before it)",
                max: 1.0,
            });
        }
        if nth > 0 && share.joint <= job.shares[nth - 1].joint {
            return Err(not_below(skeleton, share.joint, job.shares[nth - 1].joint));
        }
    }
    if !(1..=64).contains(&job.shares.len()) {
        return Err(IkError::Nothing {
            what: "an aim needs 1 to 64 joints that share the rotation",
        });
    }
    if !job.target_in_model.is_finite() {
        return Err(not_finite(skeleton, eye, "target"));
    }
    if !job.eye.offset.is_finite() {
        return Err(not_finite(skeleton, eye, "offset"));
    }
    if !has_direction(job.axis) {
        return Err(no_direction(skeleton, eye, "aiming axis"));
    }
    let is_flat = |up: &Up| !has_direction(up.axis) || !has_direction(up.direction_in_model);
    if job.up.as_ref().is_some_and(is_flat) {
        return Err(no_direction(skeleton, eye, "up vector"));
    }
    Ok(())
}

fn check_path(skeleton: &Skeleton, pose: &LocalPose, job: &Aim<'_>) -> Result<(), IkError> {
    let mut at = job.eye.joint;
    for share in job.shares.iter().rev() {
        while at != share.joint {
            let parent = skeleton.parent(at).filter(|_| at > share.joint);
            at = parent.ok_or_else(|| not_below(skeleton, job.eye.joint, share.joint))?;
        }
    }
    let mut at = job.eye.joint;
    while at >= job.shares[0].joint {
        let local = Local::of(pose, at);
        local.even_scale(skeleton, at)?;
        if !local.is_finite() {
            return Err(not_finite(skeleton, at, "transform"));
        }
        let Some(parent) = skeleton.parent(at) else {
            break;
        };
        at = parent;
    }
    Ok(())
}

#[inline(always)]
fn has_direction(v: Vec3) -> bool {
    let squared = dot(wide(v), wide(v));
    squared > 0.0 && squared.is_finite()
}

#[cold]
fn no_direction(skeleton: &Skeleton, joint: usize, what: &'static str) -> IkError {
    IkError::NoDirection {
        joint: name(skeleton, joint),
        what,
    }
}

struct Sight {
    local: Local,
    eye: Vec3F64,
    /// Line of sight, of unit length.
    axis: Vec3F64,
    target: Vec3F64,
    up: Option<[Vec3F64; 2]>,
    /// True if this joint alone can aim the line of sight at the target.
    can_meet: bool,
    /// Point on the line of sight that is as far from the joint as the target, if it exists.
    meets: Vec3F64,
}

impl Sight {
    #[inline(always)]
    fn new(
        skeleton: &Skeleton,
        pose: &LocalPose,
        job: &Aim<'_>,
        above: &Above,
        nth: usize,
    ) -> Result<Self, IkError> {
        let joint = job.shares[nth].joint;
        let mut eye = wide(job.eye.offset);
        let mut axis = wide(job.axis);
        let mut up_axis = job.up.map_or([0.0; 3], |up| wide(up.axis));
        let mut at = job.eye.joint;
        while at != joint {
            let parent = skeleton.parent(at).filter(|_| at > joint);
            let Some(parent) = parent else {
                return Err(not_below(skeleton, job.eye.joint, joint));
            };
            let local = Local::of(pose, at);
            local.even_scale(skeleton, at)?;
            eye = local.place(eye);
            axis = local.rotation.rotate(axis);
            up_axis = local.rotation.rotate(up_axis);
            at = parent;
        }
        let local = Local::of(pose, joint);
        let scale = local.even_scale(skeleton, joint)?;
        let mut target = above.point(job.target_in_model);
        let up = job
            .up
            .map(|up| above.direction(wide(up.direction_in_model)));
        let mut up = up.unwrap_or([0.0; 3]);
        if nth > 0 {
            (target, up) = carried_down(skeleton, pose, job.shares[0].joint, joint, target, up)?;
        }
        let back = local.rotation.conjugate();
        let target = back.rotate(sub(target, local.translation));
        let eye = scaled(eye, scale);
        let squared = dot(axis, axis);
        let axis = if squared == 1.0 {
            axis
        } else {
            let length = squared.sqrt();
            scaled(axis, 1.0 / length)
        };
        let ahead = dot(eye, axis);
        let squared = ahead * ahead + dot(target, target) - dot(eye, eye);
        let along = squared.max(0.0).sqrt() - ahead;
        Ok(Self {
            local,
            eye,
            axis,
            target,
            up: job.up.map(|_| [up_axis, back.rotate(up)]),
            can_meet: squared >= 0.0 && along >= 0.0,
            meets: add_scaled(eye, axis, along.max(0.0)),
        })
    }

    #[inline(always)]
    fn turn(&self) -> QuatF64 {
        let swing = QuatF64::arc(self.meets, self.target, || across(self.meets));
        let Some([up_axis, up]) = self.up else {
            return swing;
        };
        let distance = length(self.target);
        if distance == 0.0 {
            return swing;
        }
        let line = scaled(self.target, 1.0 / distance);
        let (now, expected) = (cross(line, swing.rotate(up_axis)), cross(line, up));
        // A vertical line of sight has no roll to correct.
        if dot(now, now) <= 1e-12 * dot(up_axis, up_axis)
            || dot(expected, expected) <= 1e-12 * dot(up, up)
        {
            return swing;
        }
        QuatF64::from_sine_cosine(line, dot(line, cross(now, expected)), dot(now, expected))
            .mul(swing)
    }

    fn off_after(&self, turn: QuatF64) -> f64 {
        let to_target = sub(self.target, turn.rotate(self.eye));
        let axis = turn.rotate(self.axis);
        libm::atan2(length(cross(axis, to_target)), dot(axis, to_target))
    }
}

/// Converts a point and a direction from the parent frame of `first` to that of `joint`.
fn carried_down(
    skeleton: &Skeleton,
    pose: &LocalPose,
    first: usize,
    joint: usize,
    point: Vec3F64,
    direction: Vec3F64,
) -> Result<(Vec3F64, Vec3F64), IkError> {
    let (mut origin, mut rotation, mut scale) = ([0.0; 3], QuatF64::IDENTITY, 1.0);
    let mut at = joint;
    while at != first {
        let parent = skeleton.parent(at).filter(|_| at > first);
        at = parent.ok_or_else(|| not_below(skeleton, joint, first))?;
        let local = Local::of(pose, at);
        origin = local.place(origin);
        rotation = local.rotation.mul(rotation);
        scale *= local.even_scale(skeleton, at)?;
    }
    let back = rotation.conjugate();
    let point = back.rotate(sub(point, origin)).map(|c| c / scale);
    Ok((point, back.rotate(direction)))
}

fn part_of(turn: QuatF64, part: f64) -> QuatF64 {
    let sine = length(turn.v);
    let Some(axis) = unit_of(turn.v, sine) else {
        return QuatF64::IDENTITY;
    };
    let half = libm::atan2(sine, turn.w.abs());
    let axis = if turn.w < 0.0 { axis.map(|c| -c) } else { axis };
    QuatF64::from_axis_angle(axis, 2.0 * half * part)
}

fn unit_of(v: Vec3F64, length: f64) -> Option<Vec3F64> {
    (length > 0.0).then(|| v.map(|c| c / length))
}
