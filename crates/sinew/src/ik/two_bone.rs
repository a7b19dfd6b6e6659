//! Two bones by the law of cosines and a swing: an arm or a leg in closed form.
//!
//! The slide's recipe: bend the elbow until the hand is as far from the shoulder as the goal is, then
//! swing the shoulder by the angle between the two directions, about their cross product. What the
//! slide leaves out is here: directions are normalised first, the reach is clamped (and eased, where
//! asked), opposite directions have an axis, the side of the elbow is chosen, and elbows that are
//! hinges turn about their own axis even when that is not square to the bones. No sine or cosine is
//! computed of an angle: all turns go by their sines and cosines (Tolani, Goswami and Badler 2000).

use super::frame::{
    Above, Local, Vec3F64, check_joint, check_pose, length, name, not_below, not_finite, sub,
    tip_in, wide,
};
use super::{IkError, REACHED, Tip};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::{AngleRange, Turn};
use crate::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot, unit};
use crate::transform::{Affine, quat};
use glam::{Quat, Vec3};

/// Which joints, and where to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The joint at the body: shoulder or hip.
    pub upper: usize,
    /// The joint that bends: elbow or knee. Joints between the two keep still.
    pub lower: usize,
    /// What is to reach: carried by `lower` or by a joint below it.
    pub tip: Tip,
    /// Where to, in the model.
    pub goal_in_model: Vec3,
    /// A point of the model that the elbow points to; without one it stays in its plane.
    pub pole_in_model: Option<Vec3>,
    /// What the elbow bends about when it is straight, in the frame of the joint above it; a hinge
    /// always has its own axis. Without one: an axis that suits the pole, or any that fits.
    pub bend_axis: Option<Vec3>,
    /// The part of the reach, from 0 to 1, over which the arm slows down before it is straight,
    /// so that it does not snap; the tip then stops short of goals at the end of its reach.
    pub soft: f32,
}

impl TwoBone {
    /// To a goal, without a pole and all the way.
    pub const fn new(upper: usize, lower: usize, tip: Tip, goal_in_model: Vec3) -> Self {
        Self {
            upper,
            lower,
            tip,
            goal_in_model,
            pole_in_model: None,
            bend_axis: None,
            soft: 0.0,
        }
    }
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneReport {
    /// Whether the tip is at its goal, to a ten-thousandth of the two bones' length.
    pub reached: bool,
    /// How far it is from there, in the model.
    pub residual: f32,
    /// Whether limits hold the upper joint back.
    pub upper_at_limit: bool,
    /// Whether limits hold the lower joint back.
    pub lower_at_limit: bool,
}

/// Turns `upper` and `lower` so that the tip comes as near to the goal as they allow.
/// `model_from_parent` is where the parent of `upper` stands in the model.
///
/// Of all solutions: the elbow keeps its side (a hinge with two takes the one nearer to where it
/// was), and the shoulder makes the shortest swing, after which it turns about the line to the goal
/// when there is a pole. Limits are applied to the elbow first, then to the shoulder.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Tip, TwoBone, two_bone};
/// use sinew::{Affine, Joint, ModelPose, Skeleton, Transform};
/// let bone = |length| Transform::from_translation(Vec3::X * length);
/// let (arm, _) = Skeleton::new(vec![
///     Joint::new("shoulder", None, Transform::IDENTITY),
///     Joint::new("elbow", Some(0), bone(4.0)),
///     Joint::new("hand", Some(1), bone(3.0)),
/// ])?;
/// let mut pose = arm.rest().clone();
/// let goal = Vec3::new(0.0, 5.0, 0.0);
/// let report = two_bone(&arm, &mut pose, &Affine::IDENTITY, &TwoBone::new(0, 1, Tip::of(2), goal))?;
/// assert!(report.reached);
/// let mut model = ModelPose::identity(3);
/// model.update(&arm, &pose, &Affine::IDENTITY);
/// assert!(model.get(2).translation().distance(goal) < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn two_bone(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &TwoBone,
) -> Result<TwoBoneReport, IkError> {
    check_pose(skeleton, pose)?;
    for joint in [job.upper, job.lower, job.tip.joint] {
        check_joint(skeleton, joint)?;
    }
    check_numbers(skeleton, job)?;
    let parent = Above::new(skeleton, job.upper, model_from_parent)?;
    let (upper, lower) = (Local::of(pose, job.upper), Local::of(pose, job.lower));
    let scale = upper.even_scale(skeleton, job.upper)?;
    let between = Between::new(skeleton, pose, job, lower.translation)?;
    let tip = tip_in(skeleton, pose, &job.tip, job.lower)?;

    // From here on in the frame that the lower joint stands in, lengths as there.
    let bone = between
        .here_from_upper
        .rotate(between.elbow)
        .map(|c| c / between.grows);
    let tip = [0, 1, 2].map(|i| lower.scale[i] * tip[i]);
    let goal = sub(parent.point(job.goal_in_model), upper.translation);
    let whole = (length(bone) + length(tip)) * (between.grows * scale).abs();
    let distance = length(goal);
    let eased = eased(distance, whole, f64::from(job.soft)) / (between.grows * scale);
    let pole = job
        .pole_in_model
        .map(|pole| sub(parent.point(pole), upper.translation));

    let (freedom, upper_freedom) = (skeleton.freedom(job.lower), skeleton.freedom(job.upper));
    let mut lower_at_limit = false;
    let (bent, normal) = match &freedom.turn {
        Turn::Hinge { axis, range } => {
            let rest = skeleton.rest().get(job.lower).rotation;
            let rest = QuatF64::from_quat(rest);
            let axis = unit(*axis).unwrap_or([1.0, 0.0, 0.0]);
            let now = rest.conjugate().mul(lower.rotation).angle_about(axis);
            let bone = rest.conjugate().rotate(bone);
            let bend = Bend::new(bone, axis, tip, eased);
            let (angle_rad, is_held) = bend.angle_within(range, now);
            lower_at_limit = is_held;
            (rest.mul(QuatF64::turn(axis, angle_rad)), rest.rotate(axis))
        }
        turn => {
            let tip = lower.rotation.rotate(tip);
            let toward_pole = pole.map(|pole| {
                let in_upper = upper.rotation.conjugate().rotate(pole);
                between.here_from_upper.rotate(in_upper)
            });
            let normal = bend_normal(bone, tip, job.bend_axis, toward_pole);
            let bent = Bend::new(bone, normal, tip, eased)
                .turn()
                .mul(lower.rotation);
            if matches!(turn, Turn::Free) {
                (bent, normal)
            } else {
                let rest = skeleton.rest().get(job.lower).rotation;
                let allowed = freedom.clamp_rotation(rest, rounded(bent));
                lower_at_limit = allowed != rounded(bent);
                (QuatF64::from_quat(allowed), normal)
            }
        }
    };
    let upper_from_here = between.here_from_upper.conjugate();
    let hand = add_scaled(bone, bent.rotate(tip), 1.0);
    let hand = upper_from_here
        .rotate(hand)
        .map(|c| c * between.grows * scale);
    let hand_now = upper.rotation.rotate(hand);
    let spare = upper.rotation.rotate(upper_from_here.rotate(normal));
    let mut swung = QuatF64::arc(hand_now, goal, spare).mul(upper.rotation);
    if let Some(pole) = pole {
        swung = toward_pole(swung.rotate(between.elbow), goal, pole).mul(swung);
    }

    let (lower_now, upper_now) = (pose.get(job.lower).rotation, pose.get(job.upper).rotation);
    let (Some(bent), Some(swung)) = (bent.normalized(), swung.normalized()) else {
        return Err(first_not_finite(skeleton, pose, job));
    };
    let lower_rotation = quat::aligned(bent.to_quat(), lower_now);
    let mut upper_rotation = quat::aligned(swung.to_quat(), upper_now);
    let mut missed = goal.map(|c| c * (1.0 - length(hand) / distance));
    let mut upper_at_limit = false;
    if upper_freedom.turn != Turn::Free {
        let rest = skeleton.rest().get(job.upper).rotation;
        let allowed = upper_freedom.clamp_rotation(rest, upper_rotation);
        upper_at_limit = allowed != upper_rotation;
        upper_rotation = allowed;
    }
    if upper_at_limit || distance == 0.0 {
        missed = sub(goal, QuatF64::from_quat(upper_rotation).rotate(hand));
    }
    let residual = parent.length_in_model(missed);
    if !residual.is_finite() {
        return Err(first_not_finite(skeleton, pose, job));
    }
    pose.set_rotation(job.lower, lower_rotation);
    pose.set_rotation(job.upper, upper_rotation);
    Ok(TwoBoneReport {
        reached: length(missed) <= REACHED * whole,
        residual: residual as f32,
        upper_at_limit,
        lower_at_limit,
    })
}

#[inline]
fn check_numbers(skeleton: &Skeleton, job: &TwoBone) -> Result<(), IkError> {
    let tip = job.tip.joint;
    if !job.goal_in_model.is_finite() {
        return Err(not_finite(skeleton, tip, "goal"));
    }
    if !job.tip.offset.is_finite() {
        return Err(not_finite(skeleton, tip, "offset"));
    }
    if job.pole_in_model.is_some_and(|pole| !pole.is_finite()) {
        return Err(not_finite(skeleton, job.lower, "pole"));
    }
    if job.bend_axis.is_some_and(|axis| unit(axis).is_none()) {
        return Err(IkError::NoDirection {
            joint: name(skeleton, job.lower),
            what: "bend axis",
        });
    }
    if !(0.0..=1.0).contains(&job.soft) {
        return Err(IkError::OutOfRange {
            joint: name(skeleton, tip),
            what: "softness",
            most: 1.0,
        });
    }
    Ok(())
}

#[cold]
fn first_not_finite(skeleton: &Skeleton, pose: &LocalPose, job: &TwoBone) -> IkError {
    let mut joint = job.tip.joint;
    while joint != job.upper && Local::of(pose, joint).is_finite() {
        joint = skeleton.parent(joint).unwrap_or(job.upper);
    }
    not_finite(skeleton, joint, "transform")
}

/// What stands between the two joints that turn; nothing, most often.
struct Between {
    /// Where the lower joint is in the upper one's frame.
    elbow: Vec3F64,
    /// From the upper joint's directions to those of the frame that the lower one stands in.
    here_from_upper: QuatF64,
    /// How much longer a bone is in the upper joint's frame than in the lower one's.
    grows: f64,
}

impl Between {
    #[inline]
    fn new(
        skeleton: &Skeleton,
        pose: &LocalPose,
        job: &TwoBone,
        elbow: Vec3F64,
    ) -> Result<Self, IkError> {
        let mut between = Self {
            elbow,
            here_from_upper: QuatF64::IDENTITY,
            grows: 1.0,
        };
        let mut joint = job.lower;
        loop {
            let parent = skeleton.parent(joint).filter(|_| joint > job.upper);
            joint = parent.ok_or_else(|| not_below(skeleton, job.lower, job.upper))?;
            if joint == job.upper {
                return Ok(between);
            }
            let local = Local::of(pose, joint);
            between.grows *= local.even_scale(skeleton, joint)?;
            between.elbow = local.place(between.elbow);
            between.here_from_upper = between.here_from_upper.mul(local.rotation.conjugate());
        }
    }
}

/// The distance to go to instead of `distance`, so that the last part of the reach takes for ever.
#[inline]
fn eased(distance: f64, whole: f64, soft: f64) -> f64 {
    let zone = whole * soft;
    let from = whole - zone;
    if zone <= 0.0 || distance <= from {
        return distance;
    }
    from + zone * (1.0 - libm::exp((from - distance) / zone))
}

/// What an elbow that is free to turn bends about: square to both bones, so that it keeps its plane.
#[inline]
fn bend_normal(
    bone: Vec3F64,
    tip: Vec3F64,
    axis: Option<Vec3>,
    toward_pole: Option<Vec3F64>,
) -> Vec3F64 {
    let along = dot(bone, bone);
    let normal = cross(bone, tip);
    let sine = length(normal);
    if sine > 1e-6 * (along * dot(tip, tip)).sqrt() {
        return normal.map(|c| c / sine);
    }
    // Straight or folded: the elbow says nothing of its plane.
    let wanted = axis
        .map(wide)
        .or_else(|| toward_pole.map(|pole| cross(pole, bone)));
    let wanted = wanted.unwrap_or([0.0; 3]);
    let across_bone = add_scaled(wanted, bone, -dot(wanted, bone) / along);
    let off = length(across_bone);
    if off > 1e-6 * length(wanted) {
        across_bone.map(|c| c / off)
    } else {
        across(bone)
    }
}

/// A turn about the line to the goal that brings the elbow to the side of the pole.
#[inline]
fn toward_pole(elbow: Vec3F64, goal: Vec3F64, pole: Vec3F64) -> QuatF64 {
    let distance = length(goal);
    if distance == 0.0 {
        return QuatF64::IDENTITY;
    }
    let line = goal.map(|c| c / distance);
    let (now, wanted) = (cross(line, elbow), cross(line, pole));
    // An elbow or a pole on the line has no side.
    let least = 1e-12 * dot(elbow, elbow).max(1e-300) * dot(pole, pole);
    if dot(now, now) * dot(wanted, wanted) <= least * 1e-12 {
        return QuatF64::IDENTITY;
    }
    QuatF64::turn_by(line, dot(line, cross(now, wanted)), dot(now, wanted))
}

/// A tip that turns about an axis at the end of a bone: its distance from the bone's beginning is
/// `|bone|² + |tip|² + 2 (fixed + amplitude · cos(angle − straight))`, squared.
struct Bend {
    axis: Vec3F64,
    amplitude: f64,
    /// Cosine and sine of the angle at which the tip is farthest away.
    straight: [f64; 2],
    /// Cosine and sine of how far from there the distance is as wanted.
    off: [f64; 2],
}

impl Bend {
    #[inline]
    fn new(bone: Vec3F64, axis: Vec3F64, tip: Vec3F64, distance: f64) -> Self {
        let fixed = dot(bone, axis) * dot(tip, axis);
        let cosine = dot(bone, tip) - fixed;
        let sine = dot(bone, cross(axis, tip));
        let amplitude = (cosine * cosine + sine * sine).sqrt();
        let wanted = 0.5 * (distance * distance - dot(bone, bone) - dot(tip, tip)) - fixed;
        if amplitude == 0.0 {
            return Self {
                axis,
                amplitude,
                straight: [1.0, 0.0],
                off: [1.0, 0.0],
            };
        }
        let off = (wanted / amplitude).clamp(-1.0, 1.0);
        Self {
            axis,
            amplitude,
            straight: [cosine / amplitude, sine / amplitude],
            off: [off, ((1.0 - off) * (1.0 + off)).sqrt()],
        }
    }

    /// The turn to the wanted distance that stays on the tip's side of straight, when the axis is
    /// the cross product of bone and tip.
    #[inline]
    fn turn(&self) -> QuatF64 {
        let ([c, s], [off_c, off_s]) = (self.straight, self.off);
        QuatF64::turn_by(self.axis, s * off_c + c * off_s, c * off_c - s * off_s)
    }

    /// The angle within a range whose distance is nearest to the wanted one, of two such the nearer
    /// to `now`; and whether the range holds it back.
    fn angle_within(&self, range: &AngleRange, now: f64) -> (f64, bool) {
        if self.amplitude == 0.0 {
            return (range.nearest(now), false);
        }
        let straight = libm::atan2(self.straight[1], self.straight[0]);
        let off = libm::atan2(self.off[1], self.off[0]);
        let candidate = |side: f64| {
            let wanted = straight + side * off;
            let angle = range.nearest(wanted);
            let miss = (libm::cos(angle - straight) - self.off[0]).abs();
            let held = libm::remainder(angle - wanted, std::f64::consts::TAU).abs() > 1e-9;
            (
                angle,
                held,
                miss,
                libm::remainder(angle - now, std::f64::consts::TAU).abs(),
            )
        };
        let (a, b) = (candidate(1.0), candidate(-1.0));
        let b_is_better = b.2 < a.2 - 1e-12 || (b.2 <= a.2 + 1e-12 && b.3 < a.3);
        let best = if b_is_better { b } else { a };
        (best.0, best.1)
    }
}

fn rounded(q: QuatF64) -> Quat {
    q.to_quat()
}
