use super::hinge::Hinge;
use super::job::{TwoBone, TwoBoneReport};
use crate::ik::error::IkError;
use crate::ik::frame::{
    Above, Local, Vec3F64, length, name, not_below, not_finite, stretched, sub, tip_in, wide,
    write_rotation,
};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::RotationLimit;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot, scaled, unit};

/// Max distance of a tip that has reached its goal, in lengths of the chain.
const REACHED: f64 = 1e-4;

#[inline(never)]
pub(super) fn general(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &TwoBone,
) -> Result<TwoBoneReport, IkError> {
    check_numbers(skeleton, job)?;
    let parent = Above::new(skeleton, job.upper, model_from_parent)?;
    let (upper, lower) = (Local::of(pose, job.upper), Local::of(pose, job.lower));
    let scale = upper.even_scale(skeleton, job.upper)?;
    let (bone, between) = bone(skeleton, pose, job, lower.translation)?;
    let tip = tip_in(skeleton, pose, &job.tip, job.lower)?;
    let tip = stretched(tip, lower.scale);

    // The code below is in the frame of the upper joint, with which the joints in between rotate.
    let back = upper.rotation.conjugate();
    let in_upper = |point: Vec3| back.rotate(sub(parent.point(point), upper.translation));
    let goal = in_upper(job.goal_in_model);
    let goal = if scale == 1.0 {
        goal
    } else {
        scaled(goal, 1.0 / scale)
    };
    let pole = job.pole_in_model.map(in_upper);
    let forearm = between.rotate(lower.rotation.rotate(tip));
    let arm = Arm::new(bone, forearm, goal, f64::from(job.soft));
    let mut lower_at_limit = false;
    let hand;
    let freedom = skeleton.freedom(job.lower);
    let bent = match &freedom.rotation {
        RotationLimit::Free => {
            let normal = arm.normal(job.bend_axis.map(|axis| between.rotate(wide(axis))), pole);
            let turn = arm.bend(normal);
            hand = add_scaled(bone, turn.rotate(forearm), 1.0);
            between.turned(turn).mul(lower.rotation.straightened())
        }
        turn => {
            let rest = skeleton.rest().get(job.lower).rotation;
            let bent = if let RotationLimit::Hinge { axis, range } = turn {
                let rest = QuatF64::from_quat(rest);
                let axis = unit(*axis).unwrap_or([1.0, 0.0, 0.0]);
                let now = rest.conjugate().mul(lower.rotation).angle_about(axis);
                let upper_from_rest = between.in_front_of(rest);
                let bend = Hinge {
                    bone: upper_from_rest.conjugate().rotate(bone),
                    axis,
                    tip: scaled(tip, between.grows),
                };
                let (angle_rad, is_held) = bend.angle_within(range, arm.distance_squared, now);
                lower_at_limit = is_held;
                rest.mul(QuatF64::from_axis_angle(axis, angle_rad))
            } else {
                let normal = arm.normal(job.bend_axis.map(|axis| between.rotate(wide(axis))), pole);
                let bent = between
                    .turned(arm.bend(normal))
                    .mul(lower.rotation)
                    .to_quat();
                let allowed = freedom.clamp_rotation(rest, bent);
                lower_at_limit = allowed != bent;
                QuatF64::from_quat(allowed)
            };
            hand = add_scaled(bone, between.rotate(bent.rotate(tip)), 1.0);
            bent.straightened()
        }
    };
    let turn = swing(bone, hand, goal, pole);
    let mut swung = upper.rotation.straightened().mul(turn);

    let upper_freedom = skeleton.freedom(job.upper);
    let mut upper_at_limit = false;
    let mut missed = sub(goal, turn.rotate(hand));
    if upper_freedom.rotation != RotationLimit::Free {
        let rest = skeleton.rest().get(job.upper).rotation;
        let rotation = swung.to_quat();
        let allowed = upper_freedom.clamp_rotation(rest, rotation);
        if allowed != rotation {
            upper_at_limit = true;
            swung = QuatF64::from_quat(allowed);
            missed = sub(goal, back.mul(swung).rotate(hand));
        }
    }
    let squared = dot(missed, missed);
    if !(squared + swung.w + bent.w).is_finite() {
        return Err(first_not_finite(skeleton, pose, job));
    }
    let reached = squared <= REACHED * REACHED * arm.longest_squared;
    let residual = parent.length_in_model(upper.rotation.rotate(scaled(missed, scale)));
    write_rotation(pose, job.lower, bent);
    write_rotation(pose, job.upper, swung);
    Ok(TwoBoneReport {
        reached,
        residual: residual as f32,
        upper_at_limit,
        lower_at_limit,
    })
}

#[inline(always)]
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
            max: 1.0,
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

struct Between {
    /// Rotation from the parent frame of the lower joint to the frame of the upper joint.
    rotation: Option<QuatF64>,
    grows: f64,
}

impl Between {
    #[inline(always)]
    fn rotate(&self, v: Vec3F64) -> Vec3F64 {
        match self.rotation {
            None => v,
            Some(rotation) => scaled(rotation.rotate(v), self.grows),
        }
    }

    /// Converts a rotation from the upper joint to the parent frame of the lower joint.
    #[inline(always)]
    fn turned(&self, turn: QuatF64) -> QuatF64 {
        match self.rotation {
            None => turn,
            Some(rotation) => rotation.conjugate().mul(turn).mul(rotation),
        }
    }

    fn in_front_of(&self, rotation: QuatF64) -> QuatF64 {
        self.rotation
            .map_or(rotation, |between| between.mul(rotation))
    }
}

#[inline(always)]
fn bone(
    skeleton: &Skeleton,
    pose: &LocalPose,
    job: &TwoBone,
    lower: Vec3F64,
) -> Result<(Vec3F64, Between), IkError> {
    let mut between = Between {
        rotation: None,
        grows: 1.0,
    };
    let (mut bone, mut joint) = (lower, job.lower);
    loop {
        let parent = skeleton.parent(joint).filter(|_| joint > job.upper);
        let Some(parent) = parent else {
            return Err(not_below(skeleton, job.lower, job.upper));
        };
        joint = parent;
        if joint == job.upper {
            return Ok((bone, between));
        }
        let local = Local::of(pose, joint);
        between.grows *= local.even_scale(skeleton, joint)?;
        bone = local.place(bone);
        between.rotation = Some(match between.rotation {
            None => local.rotation,
            Some(inner) => local.rotation.mul(inner),
        });
    }
}

struct Arm {
    bone: Vec3F64,
    forearm: Vec3F64,
    product: f64,
    distance_squared: f64,
    longest_squared: f64,
    /// Cosine and sine of the desired angle between the bones, times the lengths of both bones.
    expected: [f64; 2],
}

impl Arm {
    #[inline(always)]
    fn new(bone: Vec3F64, forearm: Vec3F64, goal: Vec3F64, soft: f64) -> Self {
        let (a, b) = (dot(bone, bone), dot(forearm, forearm));
        let product = a * b;
        // Upper bound of (|a| + |b|)², precise enough for a tolerance.
        let longest_squared = 2.0 * (a + b);
        let mut distance_squared = dot(goal, goal);
        if soft > 0.0 {
            let distance = eased(distance_squared.sqrt(), a.sqrt() + b.sqrt(), soft);
            distance_squared = distance * distance;
        }
        let cosine = 0.5 * (distance_squared - a - b);
        let sine_squared = product - cosine * cosine;
        let expected = if sine_squared > 0.0 {
            [cosine, sine_squared.sqrt()]
        } else {
            [product.sqrt().copysign(cosine), 0.0]
        };
        Self {
            bone,
            forearm,
            product,
            distance_squared,
            longest_squared,
            expected,
        }
    }

    /// Unit axis about which the elbow bends, and the sine of its current bend.
    #[inline(always)]
    fn normal(&self, axis: Option<Vec3F64>, pole: Option<Vec3F64>) -> (Vec3F64, f64) {
        let normal = cross(self.bone, self.forearm);
        let squared = dot(normal, normal);
        if squared > 1e-12 * self.product {
            let sine = squared.sqrt();
            let inverse = 1.0 / sine;
            return (scaled(normal, inverse), sine);
        }
        // A straight or folded elbow does not define a plane.
        let expected = axis.or_else(|| pole.map(|pole| cross(pole, self.bone)));
        let expected = expected.unwrap_or([0.0; 3]);
        let along = dot(expected, self.bone) / dot(self.bone, self.bone);
        let square = add_scaled(expected, self.bone, -along);
        let off = length(square);
        if off > 1e-6 * length(expected) {
            (scaled(square, 1.0 / off), 0.0)
        } else {
            (across(self.bone), 0.0)
        }
    }

    /// Rotation of the forearm about the normal to the desired distance, on the same side.
    #[inline(always)]
    fn bend(&self, (normal, sine): (Vec3F64, f64)) -> QuatF64 {
        let cosine = dot(self.bone, self.forearm);
        let [wanted_cosine, wanted_sine] = self.expected;
        QuatF64::from_sine_cosine(
            normal,
            wanted_sine * cosine - wanted_cosine * sine,
            wanted_cosine * cosine + wanted_sine * sine,
        )
    }
}

/// Shortest rotation of the hand to the direction of the goal, with the elbow towards a pole.
#[inline(always)]
fn swing(bone: Vec3F64, hand: Vec3F64, goal: Vec3F64, pole: Option<Vec3F64>) -> QuatF64 {
    let normal = cross(bone, hand);
    if let Some(pole) = pole {
        let expected = cross(pole, goal);
        let (n, w) = (dot(normal, normal), dot(expected, expected));
        // An elbow or pole on the line to the hand has no side.
        let has_sides = n > 1e-12 * dot(bone, bone) * dot(hand, hand)
            && w > 1e-12 * dot(pole, pole) * dot(goal, goal);
        if has_sides {
            return QuatF64::between_frames([hand, normal], [goal, expected]);
        }
    }
    let spare = || {
        let size = length(normal);
        if size > 1e-9 * length(bone) * length(hand) {
            scaled(normal, 1.0 / size)
        } else {
            across(hand)
        }
    };
    QuatF64::arc(hand, goal, spare)
}

/// Soft distance: near full reach, it approaches `whole` exponentially.
fn eased(distance: f64, whole: f64, soft: f64) -> f64 {
    let zone = whole * soft;
    let from = whole - zone;
    if zone <= 0.0 || distance <= from {
        return distance;
    }
    from + zone * (1.0 - libm::exp((from - distance) / zone))
}
