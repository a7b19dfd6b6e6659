//! Fast path for common arms, in SIMD lanes of `f32`. See `lanes`.

use super::job::TwoBone;
use crate::ik::lanes::{Inverse, LaneIndex, TINY};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::RotationLimit;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::unit;
use sinew_math::transform::quat_lanes::{
    cross, dot, dot_quat, mul_vector, rotate, splat, vector_mul,
};

/// Solves a common arm of valid joints. Returns false, with the pose unchanged, in other cases.
#[inline(always)]
pub(super) fn bent(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &TwoBone,
) -> bool {
    let is_free = |joint: usize| matches!(skeleton.freedom(joint).rotation, RotationLimit::Free);
    let is_usual = job.soft == 0.0
        && job.bend_axis.is_none_or(|axis| unit(axis).is_some())
        && skeleton.parent(job.lower) == Some(job.upper)
        && skeleton.parent(job.tip.joint) == Some(job.lower)
        && is_zero(job.tip.offset)
        && is_free(job.upper)
        && is_free(job.lower);
    is_usual && dispatch!(Level::baseline(), simd => arm(simd, pose, model_from_parent, job))
}

#[inline(always)]
fn is_zero(v: Vec3) -> bool {
    v.x.to_bits() | v.y.to_bits() | v.z.to_bits() == 0
}

#[inline(always)]
fn arm<S: Simd>(simd: S, pose: &mut LocalPose, model_from_parent: &Affine, job: &TwoBone) -> bool {
    let blocks = pose.blocks_mut();
    let (upper, lower) = (LaneIndex::of(job.upper), LaneIndex::of(job.lower));
    let tip = LaneIndex::of(job.tip.joint);
    let (Some(upper_block), Some(lower_block), Some(tip_block)) = (
        blocks.get(upper.block),
        blocks.get(lower.block),
        blocks.get(tip.block),
    ) else {
        return false;
    };
    if !upper.is_unscaled(upper_block) || !lower.is_unscaled(lower_block) {
        return false;
    }
    let origin = upper.translation(simd, upper_block);
    let now = upper.rotation(simd, upper_block);
    let lowered = lower.rotation(simd, lower_block);
    let bone = lower.translation(simd, lower_block);
    let tip = tip.translation(simd, tip_block);
    let above = Inverse::new(simd, model_from_parent);
    let goal = above.point(job.goal_in_model, origin);
    let distance_squared = dot(goal, goal);

    let (a, b) = (dot(bone, bone), dot(tip, tip));
    let product = a * b;
    let inverse = 1.0 / product.sqrt();
    let expected = (distance_squared - (a + b)) * (0.5 * inverse);
    let wanted_square = 1.0 - expected * expected;
    let wanted_sine = wanted_square.sqrt();
    let forearm = rotate(lowered, tip);
    let normal = cross(bone, forearm);
    let squared = dot(normal, normal);
    let size = squared.sqrt();
    let (cosine, sine) = (dot(bone, forearm) * inverse, size * inverse);
    let turn_sine = wanted_sine * cosine - expected * sine;
    let turn_cosine = expected * cosine + wanted_sine * sine;
    let is_usual = above.is_usual
        && product > TINY
        && distance_squared > TINY
        && squared > 1e-2 * product
        && wanted_square > 1e-2
        && turn_cosine > -0.9;
    if !is_usual {
        return false;
    }
    // Sine and cosine, up to a factor, of half the angle of rotation about the normal.
    let normal = normal * splat(normal, 1.0 / size);
    let lowered = vector_mul(normal, lowered) * splat(lowered, turn_sine)
        + lowered * splat(lowered, 1.0 + turn_cosine);

    // The hand is as far away as the goal, which gives the product of the lengths.
    let ratio = b * inverse;
    let hand = bone * splat(bone, 1.0 + expected * ratio)
        + cross(normal, bone) * splat(bone, wanted_sine * ratio);
    let mut swung = now * splat(now, distance_squared) - vector_mul(goal, mul_vector(now, hand));
    let mut most = distance_squared * distance_squared;
    if let Some(pole) = job.pole_in_model {
        let pole = above.point(pole, origin);
        let side = cross(pole, goal);
        let squared = dot(side, side);
        let has_side = squared > 1e-2 * (dot(pole, pole) * dot(goal, goal));
        if !has_side {
            return false;
        }
        swung = swung * splat(now, squared.sqrt()) - vector_mul(side, mul_vector(swung, normal));
        most *= squared;
    }
    // If the hand or elbow is on the far side, the direction is imprecise.
    let left = dot_quat(swung, swung);
    let lower_scale = 1.0 / dot_quat(lowered, lowered).sqrt();
    let upper_scale = 1.0 / left.sqrt();
    let product = lower_scale * upper_scale;
    let is_precise = left > TINY && left > 0.5 * most && product > 0.0 && product <= f32::MAX;
    if !is_precise {
        return false;
    }
    lower.write(blocks, lowered * splat(lowered, lower_scale));
    upper.write(blocks, swung * splat(swung, upper_scale));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ik::aim::quick::rotated;
    use crate::ik::{Aim, Share, Tip};
    use crate::skeleton::Joint;
    use sinew_math::transform::Transform;

    fn plain_arm(scale: f32) -> (Skeleton, Affine) {
        let at = |x: f32, z: f32| Transform::from_translation(Vec3::new(x, 0.0, z));
        let joints = vec![
            Joint::new("shoulder", None, at(0.0, 0.0)),
            Joint::new("elbow", Some(0), at(0.3, 0.0)),
            Joint::new("hand", Some(1), at(0.2, 0.18)),
        ];
        let above = Transform {
            scale: Vec3::splat(scale),
            ..Transform::IDENTITY
        };
        (Skeleton::new(joints).unwrap().0, above.to_affine())
    }

    #[test]
    fn the_usual_arm_and_aim_go_the_quick_way_at_any_scale() {
        for scale in [1e-4, 0.01, 1.0, 100.0, 1e4] {
            let (skeleton, above) = plain_arm(scale);
            let goal = Vec3::new(0.3, 0.2, 0.2) * scale;
            for pole_in_model in [None, Some(Vec3::new(0.0, -1.0, 1.0) * scale)] {
                let mut pose = skeleton.rest().clone();
                let job = TwoBone {
                    pole_in_model,
                    ..TwoBone::new(0, 1, Tip::of(2), goal)
                };
                assert!(bent(&skeleton, &mut pose, &above, &job), "{scale}");
            }
            let mut pose = skeleton.rest().clone();
            let shares = [Share {
                joint: 0,
                part: 1.0,
            }];
            let job = Aim {
                shares: &shares,
                eye: Tip::of(0),
                axis: Vec3::X,
                target_in_model: goal,
                up: None,
                weight: 1.0,
            };
            assert!(rotated(&skeleton, &mut pose, &above, &job), "{scale}");
        }
    }

    #[test]
    fn a_flattened_frame_goes_the_long_way() {
        let (skeleton, _) = plain_arm(1.0);
        let flat = Transform {
            scale: Vec3::new(1.0, 1e-3, 1.0),
            ..Transform::IDENTITY
        };
        let rotated = Transform::from_rotation_translation(
            sinew_math::transform::quat::from_axis_angle(Vec3::ONE, 1.0),
            Vec3::ZERO,
        );
        let above = rotated.to_affine() * flat.to_affine();
        let goal = above.transform_point(Vec3::new(0.3, 0.2, 0.2));
        let job = TwoBone::new(0, 1, Tip::of(2), goal);
        let mut pose = skeleton.rest().clone();
        assert!(!bent(&skeleton, &mut pose, &above, &job));
    }
}
