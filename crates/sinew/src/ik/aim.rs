//! Aiming an axis at a point: a turret by itself, or a head with the neck and spine taking their parts.
//!
//! Joints turn from the body outward. Each is given the whole turn that is left to do, swing to the
//! target and roll to the up vector together, and takes its share of it; so the roll is spread along the
//! chain as the swing is, and what limits keep from one joint the next ones take over. The last
//! joint closes the rest exactly, also when the line of sight does not go through the joint: a
//! triangle, as in the analytic arm, says where on that line the target will be.

use super::frame::{
    Above, Local, Vec3F64, check_joint, check_pose, length, name, not_below, not_finite, sub, wide,
    write_rotation,
};
use super::weight::partly;
use super::{IkError, Tip, fast_path};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::Turn;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot, scaled};

/// A joint that takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The joint.
    pub joint: usize,
    /// Its part of the whole turn; all of them sum to at most 1, and what they leave is not done.
    pub part: f32,
}

/// The up direction of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Up {
    /// The axis that is to point up, in the last joint's frame.
    pub axis: Vec3,
    /// Up, in the model.
    pub direction_in_model: Vec3,
}

/// An aim: the joints that turn, and the point that they look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim<'a> {
    /// The joints that turn, from the body outward, each below the one before; at most 64.
    pub shares: &'a [Share],
    /// Where the line of sight begins, on the last of those joints or on one below.
    pub eye: Tip,
    /// The line of sight, in the frame of the joint that carries the eye.
    pub axis: Vec3,
    /// What to look at, in the model.
    pub target_in_model: Vec3,
    /// Which way up; without it, joints swing and do not roll.
    pub up: Option<Up>,
    /// How much of the turn is made, from 0 to 1; limits hold at its end. The report is that of the whole turn.
    pub weight: f32,
}

impl<'a> Aim<'a> {
    /// A look of an eye along an axis of its joint, at all of the turn and with no way up.
    pub fn new(shares: &'a [Share], eye: Tip, axis: Vec3, target_in_model: Vec3) -> Self {
        Self {
            shares,
            eye,
            axis,
            target_in_model,
            up: None,
            weight: 1.0,
        }
    }

    /// The same with which way is up.
    #[must_use]
    pub fn up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    /// The same with how much of the turn is made.
    #[must_use]
    pub fn weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }
}

/// The report of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimReport {
    /// Whether the line of sight meets the target, to a thousandth of a radian.
    pub reached: bool,
    /// The angle between the line of sight and the target, as seen from the eye; 0 when it is nothing
    /// beyond rounding.
    pub off_rad: f32,
    /// Bit `i` says that limits hold back joint `i` of the shares.
    pub at_limits: u64,
}

/// Turns the joints so that the eye looks at the target. `model_from_parent` is where the parent of the
/// first joint stands in the model.
///
/// Of all turns that do it, each joint makes the shortest one, or, with an up vector, that one followed
/// by the roll that is missing. A target straight behind is reached by way of the side that `axis`
/// leans to least.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Aim, Share, Tip, aim};
/// use sinew::{Affine, Joint, Skeleton, Transform};
/// let (turret, _) = Skeleton::new(vec![Joint::new("turret", None, Transform::IDENTITY)])?;
/// let mut pose = turret.rest().clone();
/// let job = Aim {
///     shares: &[Share { joint: 0, part: 1.0 }],
///     eye: Tip::of(0),
///     axis: Vec3::Z,
///     target_in_model: Vec3::X * 5.0,
///     up: None,
///     weight: 1.0,
/// };
/// assert!(aim(&turret, &mut pose, &Affine::IDENTITY, &job)?.reached);
/// assert!((pose.get(0).rotation * Vec3::Z).distance(Vec3::X) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn aim(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &Aim<'_>,
) -> Result<AimReport, IkError> {
    check_pose(skeleton, pose)?;
    check_joint(skeleton, job.eye.joint)?;
    if job.weight != 1.0 {
        check(skeleton, job)?;
        let joints = job.shares.iter().map(|share| share.joint);
        return partly(skeleton, pose, joints, job.weight, |pose| {
            let whole = Aim {
                weight: 1.0,
                ..*job
            };
            aim(skeleton, pose, model_from_parent, &whole)
        });
    }
    if fast_path::aim(skeleton, pose, model_from_parent, job) {
        return Ok(AimReport {
            reached: true,
            off_rad: 0.0,
            at_limits: 0,
        });
    }
    general(skeleton, pose, model_from_parent, job)
}

/// Any joints, in `f64`.
#[inline(never)]
fn general(
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
        if freedom.turn != Turn::Free {
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

/// Refuses numbers and joints that cannot be.
#[inline(always)]
fn check(skeleton: &Skeleton, job: &Aim<'_>) -> Result<(), IkError> {
    let eye = job.eye.joint;
    let mut sum = 0.0;
    for (nth, share) in job.shares.iter().enumerate() {
        check_joint(skeleton, share.joint)?;
        sum += share.part;
        if !(share.part >= 0.0 && sum <= 1.0 + 1e-5) {
            return Err(IkError::OutOfRange {
                joint: name(skeleton, share.joint),
                what: "share (with those before it)",
                most: 1.0,
            });
        }
        if nth > 0 && share.joint <= job.shares[nth - 1].joint {
            return Err(not_below(skeleton, share.joint, job.shares[nth - 1].joint));
        }
    }
    if !(1..=64).contains(&job.shares.len()) {
        return Err(IkError::Nothing {
            what: "an aim needs from 1 to 64 joints that share it",
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

/// Refuses a chain that does not lead through all its joints to the eye, before one of them is turned.
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

/// Eye, line of sight and target as one joint has them, in its own frame.
struct Sight {
    local: Local,
    eye: Vec3F64,
    /// Of unit length.
    axis: Vec3F64,
    target: Vec3F64,
    /// The axis that should point up, and up.
    up: Option<[Vec3F64; 2]>,
    /// Whether the joint alone can turn the line of sight onto the target.
    can_meet: bool,
    /// The point of the line of sight that is as far away as the target, if there is one.
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
        // Up to the joint that turns: what it carries.
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
        // And from the first joint down to it: where the target is.
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

    /// The whole turn that is left to do.
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
        let (now, wanted) = (cross(line, swing.rotate(up_axis)), cross(line, up));
        // Looking straight up there is no roll to correct.
        if dot(now, now) <= 1e-12 * dot(up_axis, up_axis)
            || dot(wanted, wanted) <= 1e-12 * dot(up, up)
        {
            return swing;
        }
        QuatF64::turn_by(line, dot(line, cross(now, wanted)), dot(now, wanted)).mul(swing)
    }

    /// The angle that is left after a turn of the joint.
    fn off_after(&self, turn: QuatF64) -> f64 {
        let to_target = sub(self.target, turn.rotate(self.eye));
        let axis = turn.rotate(self.axis);
        libm::atan2(length(cross(axis, to_target)), dot(axis, to_target))
    }
}

/// A point and a direction of the frame that `first` stands in, in the frame that `joint` stands in.
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

/// A part of a turn, the shorter way round.
fn part_of(turn: QuatF64, part: f64) -> QuatF64 {
    let sine = length(turn.v);
    let Some(axis) = unit_of(turn.v, sine) else {
        return QuatF64::IDENTITY;
    };
    let half = libm::atan2(sine, turn.w.abs());
    let axis = if turn.w < 0.0 { axis.map(|c| -c) } else { axis };
    QuatF64::turn(axis, 2.0 * half * part)
}

fn unit_of(v: Vec3F64, length: f64) -> Option<Vec3F64> {
    (length > 0.0).then(|| v.map(|c| c / length))
}
