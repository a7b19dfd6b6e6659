//! Differences between poses, computed in SIMD blocks of sixteen joints.

use super::rotations::{Quats, Vectors, dot, load, log, mul_inverse, store, with_sign};
use crate::pose::{BLOCK, PoseBlock};
use bytemuck::{Pod, Zeroable};
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;

#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct AdditiveBlock {
    /// Vector that is added to the translation.
    pub translation: [[f32; BLOCK]; 3],
    /// Axis times half the angle in radians, in the frame of the parent.
    pub rotation_vector: [[f32; BLOCK]; 3],
    /// Relative change of the scale, which is multiplied by 1 + growth.
    pub growth: [[f32; BLOCK]; 3],
}

#[simd]
pub(super) fn between<S: Simd>(
    simd: S,
    references: &[PoseBlock],
    poses: &[PoseBlock],
    out: &mut [AdditiveBlock],
) {
    for ((reference, pose), out) in references.iter().zip(poses).zip(out) {
        let q = rotation_between(simd, reference, pose);
        difference_near(simd, reference, pose, q[3], q).store(out);
    }
}

#[derive(Clone, Copy)]
pub(super) struct Switch<'a> {
    pub from_earlier: &'a [PoseBlock],
    pub from_now: &'a [PoseBlock],
    pub to_now: &'a [PoseBlock],
    pub to_later: &'a [PoseBlock],
    pub steps_per_sec: f32,
}

/// Writes the offset of the old motion from the new motion, and its rate of change per second.
#[simd]
pub(super) fn offset_and_rate<S: Simd>(
    simd: S,
    switch: Switch<'_>,
    offset: &mut [AdditiveBlock],
    rate: &mut [AdditiveBlock],
) {
    let steps_per_sec = f32x16::splat(simd, switch.steps_per_sec);
    for (b, (offset, rate)) in offset.iter_mut().zip(rate).enumerate() {
        let (to_now, to_later) = (&switch.to_now[b], &switch.to_later[b]);
        let (from_earlier, from_now) = (&switch.from_earlier[b], &switch.from_now[b]);
        let now = rotation_between(simd, to_now, from_now);
        let now = with_sign(simd, now, now[3]);
        difference_near(simd, to_now, from_now, now[3], now).store(offset);
        // In another hemisphere, an offset near 180° would seem to spin.
        let q = rotation_between(simd, to_now, from_earlier);
        let before = difference_near(simd, to_now, from_earlier, dot(q, now), q);
        let q = rotation_between(simd, to_later, from_now);
        let mut after = difference_near(simd, to_later, from_now, dot(q, now), q);
        for n in 0..3 {
            after.moved[n] = (after.moved[n] - before.moved[n]) * steps_per_sec;
            after.rotation_vector[n] =
                (after.rotation_vector[n] - before.rotation_vector[n]) * steps_per_sec;
            after.growth[n] = (after.growth[n] - before.growth[n]) * steps_per_sec;
        }
        after.store(rate);
    }
}

struct Difference<S: Simd> {
    moved: Vectors<S>,
    rotation_vector: Vectors<S>,
    growth: Vectors<S>,
}

impl<S: Simd> Difference<S> {
    #[inline(always)]
    fn store(self, out: &mut AdditiveBlock) {
        store(self.moved, &mut out.translation);
        store(self.rotation_vector, &mut out.rotation_vector);
        store(self.growth, &mut out.growth);
    }
}

/// `pose · reference⁻¹`, in the frame of the parent.
#[inline(always)]
fn rotation_between<S: Simd>(simd: S, reference: &PoseBlock, pose: &PoseBlock) -> Quats<S> {
    let reference = load(simd, &reference.rotation);
    mul_inverse(load(simd, &pose.rotation), reference)
}

/// Difference from `reference` to `pose`, with the sign of `sign`. A zero scale does not change.
#[inline(always)]
fn difference_near<S: Simd>(
    simd: S,
    reference: &PoseBlock,
    pose: &PoseBlock,
    sign: f32x16<S>,
    rotation: Quats<S>,
) -> Difference<S> {
    let mut moved = load(simd, &pose.translation);
    let mut growth = load(simd, &pose.scale);
    let from = load(simd, &reference.translation);
    let size = load(simd, &reference.scale);
    for n in 0..3 {
        moved[n] -= from[n];
        let grown = growth[n] / size[n] - 1.0;
        let is_nothing = size[n].simd_eq(0.0);
        growth[n] = is_nothing.select(f32x16::splat(simd, 0.0), grown);
    }
    Difference {
        moved,
        rotation_vector: log(with_sign(simd, rotation, sign)),
        growth,
    }
}
