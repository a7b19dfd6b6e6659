//! The vertex loops, written once for every instruction set.
//!
//! A shared block broadcasts its joints' maps and blends them by rows of weights; a mixed block
//! first blends one map a lane and turns sixteen of them over. From there on both are the same: the
//! blended map is applied to positions, normals and tangents ([`super::blended`]).
//!
//! With the first weight left out, M = M₀ + Σ wₖ (Mₖ − M₀), which saves a quarter of the work on four
//! influences.
//!
//! Arrays are written out and not mapped over, here and in `blended`: closures given to array methods
//! are not always inlined, and a call in these loops costs ten times the work.

use super::blended::{BlendedMap, real_square};
use super::plan::{MAX_SHARED, Run, SkinPlan, Weights};
use super::streams::Block;
use crate::simd::{LANES, Row, transpose};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use std::ops::Range;

/// A sum of dual quaternions whose real part is shorter than the root of this has cancelled out: the
/// heaviest joint decides.
const VANISHED: f32 = 1e-12;

/// Blocks whose 16-bit weights are turned into `f32` at a time.
const WEIGHT_BATCH: usize = 8;

/// What a kernel reads: a joint's numbers, and the streams of the range of blocks that it skins.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, const N: usize> {
    pub plan: &'a SkinPlan,
    pub palette: &'a [[f32; N]],
    pub blocks: &'a Range<usize>,
    pub positions: &'a [Block],
    pub normals: &'a [Block],
    pub tangents: &'a [Block],
}

/// What a kernel writes, as long as the range of blocks; empty where nothing is asked for.
pub(crate) struct Output<'a> {
    pub positions: &'a mut [Block],
    pub normals: &'a mut [Block],
    pub tangents: &'a mut [Block],
}

/// Skins a range of blocks; `NORMALS` and `TANGENTS` say which streams there are.
#[simd]
pub(crate) fn skin<
    S: Simd,
    M: BlendedMap<N>,
    const N: usize,
    const NORMALS: bool,
    const TANGENTS: bool,
>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
) {
    let mut maps = [[0.0; N]; MAX_SHARED];
    let mut decoded = [Row::default(); WEIGHT_BATCH * MAX_SHARED];
    let runs = input.plan.runs();
    let first = runs.partition_point(|r| r.first_block + r.blocks <= input.blocks.start);
    for run in &runs[first..] {
        let mut start = run.first_block.max(input.blocks.start);
        let end = (run.first_block + run.blocks).min(input.blocks.end);
        if run.shared && start < end {
            differences(simd, input, run, &mut maps);
        }
        let rows = run.weight_rows();
        while start < end {
            let place = run.first_weight + (start - run.first_block) * rows;
            let (weights, stop) = match input.plan.weights() {
                Weights::F32(weights) => (&weights[place..], end),
                Weights::U16(weights) => {
                    let batch = (decoded.len() / rows.max(1)).clamp(1, end - start);
                    let stop = start + batch;
                    let coded = &weights[place..place + batch * rows];
                    for (row, coded) in decoded.iter_mut().zip(coded) {
                        for lane in 0..LANES {
                            row.0[lane] = f32::from(coded[lane]) * (1.0 / 65535.0);
                        }
                    }
                    (&decoded[..], stop)
                }
            };
            let piece = Piece {
                run,
                blocks: start..stop,
                weights,
            };
            if run.shared {
                shared::<S, M, N, NORMALS, TANGENTS>(simd, input, out, piece, &maps);
            } else {
                mixed::<S, M, N, NORMALS, TANGENTS>(simd, input, out, piece);
            }
            start = stop;
        }
    }
}

/// Some blocks of a run, and their rows of weights.
struct Piece<'a> {
    run: &'a Run,
    blocks: Range<usize>,
    weights: &'a [Row],
}

/// The first joint's map, and what the others differ from it.
#[inline(always)]
fn differences<S: Simd, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    run: &Run,
    maps: &mut [[f32; N]; MAX_SHARED],
) {
    let joints = &input.plan.joints()[run.first_joint..run.first_joint + run.width];
    let first = &input.palette[usize::from(joints[0])];
    maps[0] = *first;
    for (map, &joint) in maps[1..].iter_mut().zip(&joints[1..]) {
        let joint = &input.palette[usize::from(joint)];
        for four in (0..N).step_by(4) {
            let m = f32x4::from_slice(simd, &joint[four..four + 4]);
            let m0 = f32x4::from_slice(simd, &first[four..four + 4]);
            (m - m0).store_slice(&mut map[four..four + 4]);
        }
    }
}

#[inline(always)]
fn shared<S: Simd, M: BlendedMap<N>, const N: usize, const NORMALS: bool, const TANGENTS: bool>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
    maps: &[[f32; N]; MAX_SHARED],
) {
    let rows = piece.run.weight_rows();
    let mut weights = piece.weights;
    let mut streams = BlockStreams::<NORMALS, TANGENTS>::new(input, out, &piece.blocks);
    for block in piece.blocks {
        // Keeps the broadcasts in the loop, as operands in memory: hoisted, they would not fit the
        // registers and be spilled one by one.
        let maps = std::hint::black_box(maps);
        let (now, after) = weights.split_at(rows);
        weights = after;
        let nth = streams.next();
        for lane in (0..LANES).step_by(S::f32s::LEN) {
            let mut map = [S::f32s::splat(simd, 0.0); N];
            for i in 0..N {
                map[i] = S::f32s::splat(simd, maps[0][i]);
            }
            for (row, difference) in now.iter().zip(&maps[1..]) {
                let weight = load_row(simd, row, lane);
                for i in 0..N {
                    map[i] = weight.mul_add(S::f32s::splat(simd, difference[i]), map[i]);
                }
            }
            let map = unless_vanished::<S, M, N>(map, input, piece.run, block, lane);
            streams.apply::<S, M, N>(simd, map, nth, lane);
        }
    }
}

#[inline(always)]
fn mixed<S: Simd, M: BlendedMap<N>, const N: usize, const NORMALS: bool, const TANGENTS: bool>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
) {
    let run = piece.run;
    let rows = run.weight_rows();
    let mut weights = piece.weights;
    let mut streams = BlockStreams::<NORMALS, TANGENTS>::new(input, out, &piece.blocks);
    for block in piece.blocks {
        let (now, after) = weights.split_at(rows);
        weights = after;
        let place = run.first_joint + (block - run.first_block) * run.width * LANES;
        let joints = &input.plan.joints()[place..place + run.width * LANES];
        let mut columns = [Row::default(); N];
        for group in 0..LANES / 4 {
            // Four lanes, their maps in quarters of four numbers.
            let mut maps = [[f32x4::splat(simd, 0.0); QUARTERS]; 4];
            for (nth, map) in maps.iter_mut().enumerate() {
                let lane = 4 * group + nth;
                let mut rest = 1.0;
                for k in 1..run.width {
                    let weight = now[k - 1].0[lane];
                    rest -= weight;
                    let joint = &input.palette[usize::from(joints[k * LANES + lane])];
                    add_scaled(simd, map, joint, weight);
                }
                add_scaled(simd, map, &input.palette[usize::from(joints[lane])], rest);
            }
            for quarter in 0..N / 4 {
                let turned = transpose(
                    maps[0][quarter],
                    maps[1][quarter],
                    maps[2][quarter],
                    maps[3][quarter],
                );
                for i in 0..4 {
                    let row = &mut columns[4 * quarter + i].0;
                    turned[i].store_slice(&mut row[4 * group..4 * group + 4]);
                }
            }
        }
        let nth = streams.next();
        for lane in (0..LANES).step_by(S::f32s::LEN) {
            let mut map = [S::f32s::splat(simd, 0.0); N];
            for i in 0..N {
                map[i] = load_row(simd, &columns[i], lane);
            }
            let map = unless_vanished::<S, M, N>(map, input, run, block, lane);
            streams.apply::<S, M, N>(simd, map, nth, lane);
        }
    }
}

/// How many fours a map has at most.
const QUARTERS: usize = 5;

#[inline(always)]
fn add_scaled<S: Simd, const N: usize>(
    simd: S,
    map: &mut [f32x4<S>; QUARTERS],
    joint: &[f32; N],
    weight: f32,
) {
    let weight = f32x4::splat(simd, weight);
    for (quarter, four) in map.iter_mut().zip(joint.chunks_exact(4)) {
        *quarter = weight.mul_add(f32x4::from_slice(simd, four), *quarter);
    }
}

/// The map, with the heaviest joint's in lanes whose dual quaternions have cancelled out.
#[inline(always)]
fn unless_vanished<S: Simd, M: BlendedMap<N>, const N: usize>(
    mut map: [S::f32s; N],
    input: Input<'_, N>,
    run: &Run,
    block: usize,
    lane: usize,
) -> [S::f32s; N] {
    if M::IS_DUAL {
        let square = real_square::<S, N>(&map);
        if square.simd_lt(VANISHED).any_true() {
            for i in 0..S::f32s::LEN {
                if square[i] < VANISHED {
                    let nth = block - run.first_block;
                    let heaviest = &input.palette[input.plan.heaviest(run, nth, lane + i)];
                    for (lanes, x) in map.iter_mut().zip(heaviest) {
                        lanes[i] = *x;
                    }
                }
            }
        }
    }
    map
}

/// The streams of the blocks at hand, cut to the same length so that no block is checked twice.
struct BlockStreams<'a, const NORMALS: bool, const TANGENTS: bool> {
    positions: (&'a [Block], &'a mut [Block]),
    normals: (&'a [Block], &'a mut [Block]),
    tangents: (&'a [Block], &'a mut [Block]),
    next: usize,
}

impl<'a, const NORMALS: bool, const TANGENTS: bool> BlockStreams<'a, NORMALS, TANGENTS> {
    #[inline(always)]
    fn new<const N: usize>(
        input: Input<'a, N>,
        out: &'a mut Output<'_>,
        blocks: &Range<usize>,
    ) -> Self {
        let (start, count) = (blocks.start - input.blocks.start, blocks.len());
        let end = start + count;
        let range = |is_there: bool| if is_there { start..end } else { 0..0 };
        Self {
            positions: (&input.positions[start..end], &mut out.positions[start..end]),
            normals: (
                &input.normals[range(NORMALS)],
                &mut out.normals[range(NORMALS)],
            ),
            tangents: (
                &input.tangents[range(TANGENTS)],
                &mut out.tangents[range(TANGENTS)],
            ),
            next: 0,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Maps one block from one lane on. Everything is read before anything is written: streams often
    /// begin at the same place of their memory pages, and a load that looks like an earlier store to
    /// the processor waits for it.
    #[inline(always)]
    fn apply<S: Simd, M: BlendedMap<N>, const N: usize>(
        &mut self,
        simd: S,
        map: [S::f32s; N],
        nth: usize,
        lane: usize,
    ) {
        let map = M::prepare(simd, map);
        let p = load(simd, &self.positions.0[nth], lane);
        let n = if NORMALS {
            load(simd, &self.normals.0[nth], lane)
        } else {
            p
        };
        let t = if TANGENTS {
            load(simd, &self.tangents.0[nth], lane)
        } else {
            p
        };
        store(&mut self.positions.1[nth], M::position(simd, &map, p), lane);
        if NORMALS {
            store(&mut self.normals.1[nth], M::normal(simd, &map, n), lane);
        }
        if TANGENTS {
            store(&mut self.tangents.1[nth], M::tangent(simd, &map, t), lane);
        }
    }
}

#[inline(always)]
fn load_row<S: Simd>(simd: S, row: &Row, lane: usize) -> S::f32s {
    S::f32s::from_slice(simd, &row.0[lane..lane + S::f32s::LEN])
}

#[inline(always)]
fn load<S: Simd>(simd: S, block: &Block, lane: usize) -> [S::f32s; 3] {
    [
        load_row(simd, &block[0], lane),
        load_row(simd, &block[1], lane),
        load_row(simd, &block[2], lane),
    ]
}

#[inline(always)]
fn store<V: SimdBase<S, Element = f32>, S: Simd>(block: &mut Block, values: [V; 3], lane: usize) {
    for i in 0..3 {
        values[i].store_slice(&mut block[i].0[lane..lane + V::LEN]);
    }
}
