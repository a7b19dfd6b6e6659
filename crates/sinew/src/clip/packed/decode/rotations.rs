//! Rotations of a block in lanes. A rotation is a point on the line between two knots in four
//! dimensions, plus an interpolated residual, normalized. No rotation is a special case.

use super::codes::{doubled_residuals, has_tables, line, window};
use super::moment::Moment;
use super::scalar::SHORTEST;
use crate::clip::packed::motion::{Motion, RotationBlock};
use crate::pose::BLOCK;
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, mask32x16, u32x16};

/// Rotations of a block. Lanes without a track are undefined.
#[inline(always)]
pub(super) fn rotations<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    index: usize,
) -> [f32x16<S>; 4] {
    let block = &motion.blocks[index];
    let (at, is_wide) = moment.codes_at(motion, index);
    let (first, has_track) = (block.first_track, block.has_track);
    let residual = if is_wide {
        doubled_residuals::<S, true>(simd, motion, moment, at, first, has_track)
    } else {
        doubled_residuals::<S, false>(simd, motion, moment, at, first, has_track)
    };
    let (ka, kb, u) = if has_tables(simd, false) {
        knots(simd, &motion.bytes, moment, block)
    } else {
        knots_lane_by_lane(simd, &motion.bytes, moment, block)
    };
    let (low, scale) = (&block.low, &block.scale);
    let line = [
        line(simd, &low[0], &scale[0], ka & 0xff, kb & 0xff, u),
        line(simd, &low[1], &scale[1], ka & 0xff00, kb & 0xff00, u),
        line(
            simd,
            &low[2],
            &scale[2],
            ka & 0x00ff_0000,
            kb & 0x00ff_0000,
            u,
        ),
        line(simd, &low[3], &scale[3], ka >> 24, kb >> 24, u),
    ];
    let half = [
        f32x16::load_array_ref(simd, &block.half_step[0].0),
        f32x16::load_array_ref(simd, &block.half_step[1].0),
        f32x16::load_array_ref(simd, &block.half_step[2].0),
        f32x16::load_array_ref(simd, &block.half_step[3].0),
    ];
    let x = line[0] + residual[0] * half[0];
    let y = line[1] + residual[1] * half[1];
    let z = line[2] + residual[2] * half[2];
    let w = line[3] + residual[3] * half[3];

    let one = f32x16::splat(simd, 1.0);
    let length = x * x + y * y + z * z + w * w;
    let over_length = one / length.sqrt();
    let mut rotation = [
        x * over_length,
        y * over_length,
        z * over_length,
        w * over_length,
    ];
    let is_short = length.simd_lt(SHORTEST);
    if is_short.any_true() {
        let zero = f32x16::splat(simd, 0.0);
        for (c, unit) in [zero, zero, zero, one].into_iter().enumerate() {
            rotation[c] = is_short.select(unit, rotation[c]);
        }
    }
    rotation
}

#[inline(always)]
fn knots<S: Simd>(
    simd: S,
    bytes: &[u8],
    moment: &Moment,
    block: &RotationBlock,
) -> (u32x16<S>, u32x16<S>, f32x16<S>) {
    let (mut a, mut b) = (u32x16::splat(simd, 0), u32x16::splat(simd, 0));
    let mut u = f32x16::splat(simd, 0.0);
    for row in &block.rows {
        let (interval, into) = moment.intervals[usize::from(row.spacing.log2)];
        let at = row.at + interval * row.stride;
        let lanes = mask32x16::from_bitmask(simd, u64::from(row.lanes));
        a = simd.expand_merge_u32x16(window(simd, bytes, at).bitcast(), lanes, a);
        let next = window(simd, bytes, at + row.stride).bitcast();
        b = simd.expand_merge_u32x16(next, lanes, b);
        u = lanes.select(f32x16::splat(simd, into), u);
    }
    (a, b, u)
}

/// [`knots`] without expand instructions.
#[inline(always)]
fn knots_lane_by_lane<S: Simd>(
    simd: S,
    bytes: &[u8],
    moment: &Moment,
    block: &RotationBlock,
) -> (u32x16<S>, u32x16<S>, f32x16<S>) {
    let (mut a, mut b, mut u) = ([0; BLOCK], [0; BLOCK], [0.0; BLOCK]);
    for row in &block.rows {
        let (interval, into) = moment.intervals[usize::from(row.spacing.log2)];
        let mut at = row.at + interval * row.stride;
        for lane in (0..BLOCK).filter(|lane| row.lanes >> lane & 1 != 0) {
            a[lane] = word(bytes, at);
            b[lane] = word(bytes, at + row.stride);
            u[lane] = into;
            at += 4;
        }
    }
    (
        u32x16::load_array(simd, a),
        u32x16::load_array(simd, b),
        f32x16::load_array(simd, u),
    )
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
