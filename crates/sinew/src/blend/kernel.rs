//! The loops over blocks of sixteen joints, written once for every instruction set.

use super::additive::AdditiveBlock;
use super::turn::{
    Quats, VANISHED, Vectors, add, dot, exp, load, log, mul, mul_inverse, scaled, store, with_sign,
};
use super::{Addition, Layer};
use crate::pose::{BLOCK, PoseBlock};
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, mask32x16};
use fearless_simd_macros::simd;

/// Weights that come this close to 1 together are taken to be meant as 1.
const ROUNDING: f32 = 1e-6;

/// The weighted mean of `layers`, of which there must be one, with the rest pose for what they leave of 1, and `additions` on top.
#[simd]
pub(super) fn blend<S: Simd>(
    simd: S,
    rest: &[PoseBlock],
    layers: &[Layer<'_>],
    additions: &[Addition<'_>],
    out: &mut [PoseBlock],
) {
    let (Some((first, others)), false) = (layers.split_first(), rest.is_empty()) else {
        return;
    };
    let is_masked = layers.iter().any(|layer| layer.mask.is_some());
    let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
    let mut shares = Shares::of(simd, layers, 0);
    for (b, (rest, out)) in rest.iter().zip(out).enumerate() {
        if is_masked {
            shares = Shares::of(simd, layers, b);
        }
        let rest_rotation = load(simd, &rest.rotation);
        let block = &first.pose.blocks()[b];
        let weight = weight_of(simd, first, b) * shares.layers;
        let q = load(simd, &block.rotation);
        let mut translation = scaled(load(simd, &block.translation), weight);
        let mut rotation = scaled(q, weight.copysign(dot(q, rest_rotation)));
        let mut scale = scaled(load(simd, &block.scale), weight);
        for layer in others {
            let block = &layer.pose.blocks()[b];
            let weight = weight_of(simd, layer, b) * shares.layers;
            let q = load(simd, &block.rotation);
            add(&mut translation, load(simd, &block.translation), weight);
            add(&mut rotation, q, weight.copysign(dot(q, rest_rotation)));
            add(&mut scale, load(simd, &block.scale), weight);
        }
        if shares.has_rest {
            add(&mut translation, load(simd, &rest.translation), shares.rest);
            add(&mut rotation, rest_rotation, shares.rest);
            add(&mut scale, load(simd, &rest.scale), shares.rest);
        }
        let mut square = dot(rotation, rotation);
        let has_vanished = square.simd_lt(VANISHED);
        if has_vanished.any_true() {
            for n in 0..4 {
                rotation[n] = has_vanished.select(rest_rotation[n], rotation[n]);
            }
            square = dot(rotation, rotation);
        }
        rotation = scaled(rotation, one / square.sqrt());

        if !additions.is_empty() {
            // Summed apart, so that two commute.
            let (mut moved, mut turn, mut growth) = ([zero; 3], [zero; 3], [zero; 3]);
            for addition in additions {
                let block = &addition.pose.blocks()[b];
                let weight = weight_of(simd, addition, b);
                add(&mut moved, load(simd, &block.translation), weight);
                add(&mut turn, load(simd, &block.turn), weight);
                add(&mut growth, load(simd, &block.growth), weight);
            }
            rotation = mul(exp(simd, turn), rotation);
            for n in 0..3 {
                translation[n] += moved[n];
                scale[n] *= growth[n] + 1.0;
            }
        }
        store(translation, &mut out.translation);
        store(rotation, &mut out.rotation);
        store(scale, &mut out.scale);
    }
}

/// Puts lanes past the last joint back to the identity.
#[simd]
pub(super) fn clear_padding<S: Simd>(simd: S, joints: usize, blocks: &mut [PoseBlock]) {
    let used = joints % BLOCK;
    if let (Some(block), 1..) = (blocks.last_mut(), used) {
        let is_joint = mask32x16::from_bitmask(simd, (1 << used) - 1);
        clear(simd, is_joint, 0.0, &mut block.translation);
        let [x, y, z, w] = &mut block.rotation;
        for row in [x, y, z] {
            clear_row(simd, is_joint, 0.0, row);
        }
        clear_row(simd, is_joint, 1.0, w);
        clear(simd, is_joint, 1.0, &mut block.scale);
    }
}

#[inline(always)]
fn clear<S: Simd>(simd: S, is_joint: mask32x16<S>, padding: f32, rows: &mut [[f32; BLOCK]; 3]) {
    for row in rows {
        clear_row(simd, is_joint, padding, row);
    }
}

#[inline(always)]
fn clear_row<S: Simd>(simd: S, is_joint: mask32x16<S>, padding: f32, row: &mut [f32; BLOCK]) {
    let kept = f32x16::load_array_ref(simd, row);
    let cleared = is_joint.select(kept, f32x16::splat(simd, padding));
    cleared.store_array(row);
}

/// What is made of the layers' weights for the joints of a block.
struct Shares<S: Simd> {
    /// What each weight is multiplied by.
    layers: f32x16<S>,
    /// What the rest pose counts.
    rest: f32x16<S>,
    has_rest: bool,
}

impl<S: Simd> Shares<S> {
    #[inline(always)]
    fn of(simd: S, layers: &[Layer<'_>], b: usize) -> Self {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let mut total = zero;
        for layer in layers {
            total += weight_of(simd, layer, b);
        }
        let is_short = total.simd_lt(1.0 - ROUNDING);
        Self {
            layers: is_short.select(one, one / total),
            rest: is_short.select(one - total, zero),
            has_rest: is_short.any_true(),
        }
    }
}

/// What a layer counts for the joints of block `b`.
#[inline(always)]
fn weight_of<S: Simd, P>(simd: S, layer: &Layer<'_, P>, b: usize) -> f32x16<S> {
    let weight = f32x16::splat(simd, layer.weight);
    match layer.mask {
        Some(mask) => weight * f32x16::load_array_ref(simd, &mask.blocks()[b].0),
        None => weight,
    }
}

/// What takes each of `references` to the one of `poses`, the short way round.
#[simd]
pub(super) fn difference<S: Simd>(
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

/// The poses that an inertial transition starts from.
#[derive(Clone, Copy)]
pub(super) struct Switch<'a> {
    pub from_earlier: &'a [PoseBlock],
    pub from_now: &'a [PoseBlock],
    pub to_now: &'a [PoseBlock],
    pub to_later: &'a [PoseBlock],
    pub steps_per_sec: f32,
}

/// How far what was shown is from what is shown now, and how fast that changes.
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
        // From the same side of the sphere, or a difference of about half a turn would seem to spin.
        let q = rotation_between(simd, to_now, from_earlier);
        let before = difference_near(simd, to_now, from_earlier, dot(q, now), q);
        let q = rotation_between(simd, to_later, from_now);
        let mut after = difference_near(simd, to_later, from_now, dot(q, now), q);
        for n in 0..3 {
            after.moved[n] = (after.moved[n] - before.moved[n]) * steps_per_sec;
            after.turn[n] = (after.turn[n] - before.turn[n]) * steps_per_sec;
            after.growth[n] = (after.growth[n] - before.growth[n]) * steps_per_sec;
        }
        after.store(rate);
    }
}

/// Lanes of an additive block.
struct Difference<S: Simd> {
    moved: Vectors<S>,
    turn: Vectors<S>,
    growth: Vectors<S>,
}

impl<S: Simd> Difference<S> {
    #[inline(always)]
    fn store(self, out: &mut AdditiveBlock) {
        store(self.moved, &mut out.translation);
        store(self.turn, &mut out.turn);
        store(self.growth, &mut out.growth);
    }
}

/// In the parent's frame: `pose · reference⁻¹`.
#[inline(always)]
fn rotation_between<S: Simd>(simd: S, reference: &PoseBlock, pose: &PoseBlock) -> Quats<S> {
    let reference = load(simd, &reference.rotation);
    mul_inverse(load(simd, &pose.rotation), reference)
}

/// From `reference` to `pose`, turning by `rotation` where `sign` is positive and the other way round
/// where it is not. A reference of no size does not grow.
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
        turn: log(with_sign(simd, rotation, sign)),
        growth,
    }
}
