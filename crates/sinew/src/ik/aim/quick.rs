//! Fast path for common aims, in SIMD lanes of `f32`. See `lanes`.

use super::job::Aim;
use crate::ik::lanes::{Inverse, LaneIndex, TINY};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::skeleton::limits::RotationLimit;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_lanes::{dot, dot_quat, mul_numbers, splat, vector_mul};

/// Solves a common aim of valid joints. Returns false, with the pose unchanged, in other cases.
#[inline(always)]
pub(in crate::ik) fn rotated(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &Aim<'_>,
) -> bool {
    let [share] = job.shares else {
        return false;
    };
    let is_usual = (1.0 - 1e-6..=1.0).contains(&share.part)
        && job.eye.joint == share.joint
        && job.up.is_none()
        && matches!(skeleton.freedom(share.joint).rotation, RotationLimit::Free);
    is_usual && dispatch!(Level::baseline(), simd => eye(simd, pose, model_from_parent, job))
}

#[inline(always)]
fn eye<S: Simd>(simd: S, pose: &mut LocalPose, model_from_parent: &Affine, job: &Aim<'_>) -> bool {
    let blocks = pose.blocks_mut();
    let joint = LaneIndex::of(job.eye.joint);
    let Some(block) = blocks.get(joint.block).filter(|b| joint.is_unscaled(b)) else {
        return false;
    };
    let now = joint.rotation(simd, block);
    let above = Inverse::new(simd, model_from_parent);
    let target = above.point(job.target_in_model, joint.translation(simd, block));
    let distance_squared = dot(target, target);
    // A vector load after scalar stores is slow.
    let numbers = |v: Vec3| [v.x, v.y, v.z];
    let (eye, axis) = (numbers(job.eye.offset), numbers(job.axis));
    let dot_numbers = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    // The point `eye + axis · along` is as far from the joint as the target.
    let ahead = dot_numbers(eye, axis);
    let squared = ahead * ahead + (distance_squared - dot_numbers(eye, eye));
    let along = squared.sqrt() - ahead;
    let is_usual = above.is_usual
        && (dot_numbers(axis, axis) - 1.0).abs() < 3e-7
        && squared > 0.0
        && along > 0.0;
    if !is_usual {
        return false;
    }
    let rotated = now * splat(now, distance_squared)
        - vector_mul(target, mul_numbers(now, eye))
        - vector_mul(target, mul_numbers(now, axis)) * splat(now, along);
    let left = dot_quat(rotated, rotated);
    let scale = 1.0 / left.sqrt();
    let is_precise = left > TINY
        && left > 0.2 * (distance_squared * distance_squared)
        && scale > 0.0
        && scale <= f32::MAX;
    if !is_precise {
        return false;
    }
    joint.write(blocks, rotated * splat(rotated, scale));
    true
}
