//! Blocks whose lanes have different joints. Each patch of lanes with the same joints is blended
//! with zero weights in the other lanes.

use super::blended::{BlendedMap, real_square};
use super::lanes::{BlockStreams, Input, Lanes, Output, Piece, Wide, load_row, parts};
use super::stored::{VANISHED, apply, blend_mixed, keep, load_map, replace_vanished};
use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row};

const LANE_NUMBERS: Row = Row([
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
]);

pub(super) fn skin<S: Wide, M: BlendedMap<N>, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
) {
    simd.vectorize(
        #[inline(always)]
        || skin_blocks::<S, M, N>(simd, input, out, piece),
    );
}

#[inline(always)]
fn skin_blocks<S: Wide, M: BlendedMap<N>, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
) {
    let run = piece.run;
    let mut weights = piece.weights;
    let has_normals = !out.normals.is_empty();
    let mut streams = BlockStreams::new(&input, out, &piece.blocks, has_normals);
    for (nth, block) in piece.blocks.enumerate() {
        let (now, after) = weights.split_at(run.weight_rows());
        weights = after;
        let place = block - run.first_block;
        let patches = u32::from(input.plan.patches()[run.first_patch + place]);
        let first_joint = run.first_joint + place * run.width * LANES;
        let joints = &input.plan.joints()[first_joint..first_joint + run.width * LANES];
        for part in 0..parts::<S>() {
            // A non-finite joint must not reach lanes in which its weight is zero.
            let map = if input.is_finite {
                blend::<S, N>(simd, part, input.palette, now, (joints, patches))
            } else {
                load_map(simd, &blend_mixed(now, joints, input.palette), part)
            };
            let at = [nth, part];
            if M::IS_DUAL && real_square(&map).simd_lt(VANISHED).any_true() {
                let mut stored = [Row::default(); N];
                keep::<S, N>(&mut stored, part, &map);
                replace_vanished(&mut stored, input, run, place);
                apply::<S, M, N>(simd, &stored, &mut streams, nth, part..part + 1);
            } else {
                streams.apply::<S, M, N>(simd, at, [has_normals, true], &map);
            }
        }
    }
}

#[inline(always)]
fn blend<S: Wide, const N: usize>(
    simd: S,
    part: usize,
    palette: &[[f32; N]],
    weights: &[Row],
    (joints, patches): (&[u16], u32),
) -> [Lanes<S>; N] {
    let lane_numbers: Lanes<S> = load_row(simd, &LANE_NUMBERS, part);
    let none = Lanes::<S>::splat(simd, 0.0);
    let mut map = [none; N];
    let mut rest = Lanes::<S>::splat(simd, 1.0);
    for row in weights {
        rest -= load_row::<S, Lanes<S>>(simd, row, part);
    }
    let mut patch = part * Lanes::<S>::LEN;
    let end = patch + Lanes::<S>::LEN;
    while patch < end {
        let next = patch + 1 + (patches >> patch >> 1).trailing_zeros() as usize;
        let is_here = lane_numbers.simd_ge(patch as f32) & lane_numbers.simd_lt(next as f32);
        let mut weight = is_here.select(rest, none);
        for k in 0..=weights.len() {
            let joint = &palette[usize::from(joints[k * LANES + patch])];
            for i in 0..N {
                map[i] = weight.mul_add(Lanes::<S>::splat(simd, joint[i]), map[i]);
            }
            if let Some(row) = weights.get(k) {
                weight = is_here.select(load_row(simd, row, part), none);
            }
        }
        patch = next;
    }
    map
}
