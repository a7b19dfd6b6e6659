use super::layer::{Addition, Layer};
use super::rotations::{VANISHED, add, dot, exp, load, mul, scaled, store};
use crate::pose::{BLOCK, PoseBlock};
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, mask32x16};
use fearless_simd_macros::simd;

/// A sum of weights this close to 1 counts as 1.
const ROUNDING: f32 = 1e-6;

/// Weighted mean of `layers` (at least one) plus `additions`. The rest pose gets the remainder.
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
            // A separate sum, so that two additions commute.
            let (mut moved, mut rotation_vector, mut growth) = ([zero; 3], [zero; 3], [zero; 3]);
            for addition in additions {
                let block = &addition.pose.blocks()[b];
                let weight = weight_of(simd, addition, b);
                add(&mut moved, load(simd, &block.translation), weight);
                add(
                    &mut rotation_vector,
                    load(simd, &block.rotation_vector),
                    weight,
                );
                add(&mut growth, load(simd, &block.growth), weight);
            }
            rotation = mul(exp(simd, rotation_vector), rotation);
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

struct Shares<S: Simd> {
    layers: f32x16<S>,
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

#[inline(always)]
fn weight_of<S: Simd, P>(simd: S, layer: &Layer<'_, P>, b: usize) -> f32x16<S> {
    let weight = f32x16::splat(simd, layer.weight);
    match layer.mask {
        Some(mask) => weight * f32x16::load_array_ref(simd, &mask.blocks()[b].0),
        None => weight,
    }
}
