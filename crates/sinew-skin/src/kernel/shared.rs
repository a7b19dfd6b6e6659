//! Blocks whose lanes share their joints: maps are broadcast and blended by rows of weights.
//!
//! M = M₀ + Σ wₖ (Mₖ − M₀) needs no first weight, a quarter less work for four influences.

use super::blended::{BlendedMap, DualStretched, real_square};
use super::lanes::{
    BlockStreams, Differences, Input, JointNumbers, Lanes, Output, Piece, Wide, load, load_row,
    parts, store,
};
use super::stored::{StoredMap, VANISHED, apply, blend_shared, keep, load_map, replace_vanished};
use crate::plan::Run;
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row};

#[inline(always)]
pub(super) fn differences<const N: usize>(
    input: &Input<'_, N>,
    run: &Run,
    maps: &mut Differences<N>,
) {
    let joints = &input.plan.joints()[run.first_joint..run.first_joint + run.width];
    let first = input.palette[usize::from(joints[0])];
    maps[0] = JointNumbers(first);
    for (map, &joint) in maps[1..].iter_mut().zip(&joints[1..]) {
        let joint = &input.palette[usize::from(joint)];
        // A local array: the compiler does not use vectors for memory that may alias.
        let mut difference = [0.0; N];
        for i in 0..N {
            difference[i] = joint[i] - first[i];
        }
        *map = JointNumbers(difference);
    }
}

/// Skins blocks. `ROWS` is the number of rows of weights per block, or 0 if known only at run time.
/// `NORMALS` is true if there are normals.
///
/// Each block checks for tangents. With AVX-512, registers hold the whole map and all results, so
/// tangents are mapped together with the others. If the map takes half of the registers, tangents
/// are mapped last. Other kernels read the map of tangents from memory: keeping it in registers
/// would cost meshes without tangents 10 to 35 %.
#[inline(always)]
pub(super) fn skin<
    S: Wide,
    M: BlendedMap<N>,
    const N: usize,
    const ROWS: usize,
    const NORMALS: bool,
>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
    maps: &Differences<N>,
    stored: &mut StoredMap<N>,
) {
    let rows = if ROWS > 0 {
        ROWS
    } else {
        piece.run.weight_rows()
    };
    let mut weights = piece.weights;
    let mut streams = BlockStreams::new(&input, out, &piece.blocks, NORMALS);
    let has_tangents = NORMALS && !streams.tangents.1.is_empty();
    // Half of the sixteen registers hold a part of the map.
    let is_small = N <= 8 && parts::<S>() > 1;
    for (nth, block) in piece.blocks.clone().enumerate() {
        let (now, after) = weights.split_at(rows);
        weights = after;
        // The steps of a stretched map depend on each other, so a whole block at a time is faster.
        let parts = if M::IS_STRETCHED { 1 } else { parts::<S>() };
        for part in 0..parts {
            // Keeps the broadcasts in the loop, as operands in memory. Outside the loop, they would
            // not fit the registers and would be spilled one by one.
            let maps = std::hint::black_box(maps);
            let at = [nth, part];
            let has_vanished = if M::IS_STRETCHED {
                let rotation = blend::<S, f32x16<S>, N, 0, 4>(simd, part, now, maps);
                let has_vanished = real_square(&rotation).simd_lt(VANISHED).any_true();
                if !has_vanished {
                    let maps = (now, maps);
                    stretch_block::<S, N, NORMALS>(simd, &mut streams, nth, maps, rotation);
                }
                has_vanished
            } else {
                let map = blend::<S, Lanes<S>, N, 0, N>(simd, part, now, maps);
                let has_vanished = M::IS_DUAL && real_square(&map).simd_lt(VANISHED).any_true();
                if !has_vanished {
                    if has_tangents && !is_wide(simd) && !is_small {
                        keep::<S, N>(stored, part, &map);
                    }
                    let with_tangents = NORMALS && is_wide(simd);
                    streams.apply::<S, M, N>(simd, at, [NORMALS, with_tangents], &map);
                    if has_tangents && !is_wide(simd) && is_small {
                        streams.apply_tangent::<S, M, N>(simd, at, &map);
                    }
                }
                has_vanished
            };
            if has_vanished {
                *stored = blend_shared(now, maps);
                let nth = block - piece.run.first_block;
                replace_vanished(stored, input, piece.run, nth);
                apply::<S, M, N>(simd, stored, &mut streams, nth, 0..LANES / Lanes::<S>::LEN);
                break;
            } else if has_tangents && !M::IS_STRETCHED && !is_wide(simd) && !is_small {
                let map = load_map(simd, std::hint::black_box(stored), part);
                streams.apply_tangent::<S, M, N>(simd, at, &map);
            }
        }
    }
}

/// True if registers hold a whole map and its results.
#[inline(always)]
fn is_wide<S: Wide>(simd: S) -> bool {
    #[cfg(target_arch = "x86_64")]
    return matches!(simd.level(), fearless_simd::Level::Avx512(_));
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = simd;
        false
    }
}

/// Part of the components of the blended map: the first joint's plus weighted differences.
#[inline(always)]
fn blend<
    S: Simd,
    V: SimdFloat<S, Element = f32>,
    const N: usize,
    const FROM: usize,
    const COUNT: usize,
>(
    simd: S,
    part: usize,
    weights: &[Row],
    maps: &Differences<N>,
) -> [V; COUNT] {
    let mut map = [V::splat(simd, 0.0); COUNT];
    for i in 0..COUNT {
        map[i] = V::splat(simd, maps[0].0[FROM + i]);
    }
    for (row, difference) in weights.iter().zip(&maps[1..]) {
        let weight: V = load_row(simd, row, part);
        for i in 0..COUNT {
            map[i] = weight.mul_add(V::splat(simd, difference.0[FROM + i]), map[i]);
        }
    }
    map
}

/// Maps a block by the numbers of [`DualStretched`]. Maps directions first, then loads the numbers
/// that only positions need, because all numbers at once would not fit the registers.
#[inline(always)]
fn stretch_block<S: Simd, const N: usize, const NORMALS: bool>(
    simd: S,
    streams: &mut BlockStreams<'_>,
    nth: usize,
    (weights, maps): (&[Row], &Differences<N>),
    rotation: [f32x16<S>; 4],
) {
    let p = load(simd, &streams.positions.0[nth]);
    let stretch = blend::<S, f32x16<S>, N, 8, 6>(simd, 0, weights, maps);
    if NORMALS && let Some((from, to)) = streams.tangent(nth) {
        let t = load(simd, from);
        let stretched = DualStretched::stretch_tangent(&stretch, t);
        let moved = DualStretched::move_direction(simd, &rotation, stretched, t);
        store(to, moved);
    }
    if NORMALS {
        let n = load(simd, &streams.normals.0[nth]);
        let stretched = DualStretched::stretch_normal(&stretch, n);
        let moved = DualStretched::move_direction(simd, &rotation, stretched, n);
        store(&mut streams.normals.1[nth], moved);
    }
    let centre = blend::<S, f32x16<S>, N, 14, 7>(simd, 0, weights, maps);
    let stretched = DualStretched::stretch_position(&stretch, &centre, p);
    let dual = blend::<S, f32x16<S>, N, 4, 4>(simd, 0, weights, maps);
    let lever = blend::<S, f32x16<S>, N, 21, 4>(simd, 0, weights, maps);
    let moved = DualStretched::move_position(simd, &rotation, dual, lever, centre[6], stretched);
    store(&mut streams.positions.1[nth], moved);
}
