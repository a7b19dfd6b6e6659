//! The vertex loops, written once for every instruction set.
//!
//! A shared block broadcasts its joints' maps and blends them by rows of weights; a mixed block
//! first blends one map a lane and turns sixteen of them over. From there on both are the same: the
//! blended map is applied to positions, normals and tangents ([`super::blended`]).
//!
//! With the first weight left out, M = M₀ + Σ wₖ (Mₖ − M₀), which saves a quarter of the work on four
//! influences.

use super::blended::{BlendedMap, real_square};
use super::plan::{MAX_SHARED, Run, SkinPlan, Weights};
use super::streams::Block;
use crate::simd::{LANES, Row, prefetch, transpose};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use std::ops::Range;

/// A sum of dual quaternions whose real part is shorter than the root of this has cancelled out: the
/// heaviest joint decides.
const VANISHED: f32 = 1e-12;

/// How many blocks ahead of their use vertices are asked for.
const AHEAD: usize = 4;

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

/// Skins a range of blocks.
#[simd]
pub(crate) fn skin<S: Simd, M: BlendedMap<N>, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
) {
    let mut maps = [[0.0; N]; MAX_SHARED];
    let runs = input.plan.runs();
    let first = runs.partition_point(|r| r.first_block + r.blocks <= input.blocks.start);
    for run in &runs[first..] {
        let start = run.first_block.max(input.blocks.start);
        let end = (run.first_block + run.blocks).min(input.blocks.end);
        if start >= end {
            break;
        }
        match (run.shared, input.plan.weights()) {
            (true, Weights::F32(rows)) => {
                shared_run::<S, M, Row, N>(simd, input, out, run, start..end, rows, &mut maps)
            }
            (true, Weights::U16(rows)) => {
                shared_run::<S, M, _, N>(simd, input, out, run, start..end, rows, &mut maps)
            }
            (false, Weights::F32(rows)) => {
                mixed_run::<S, M, Row, N>(simd, input, out, run, start..end, rows)
            }
            (false, Weights::U16(rows)) => {
                mixed_run::<S, M, _, N>(simd, input, out, run, start..end, rows)
            }
        }
    }
}

/// A row of weights in some format.
trait WeightRow {
    fn load<S: Simd>(&self, simd: S, lane: usize) -> S::f32s;
    fn get(&self, lane: usize) -> f32;
}

impl WeightRow for Row {
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, lane: usize) -> S::f32s {
        S::f32s::from_slice(simd, &self.0[lane..lane + S::f32s::LEN])
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        self.0[lane]
    }
}

impl WeightRow for [u16; LANES] {
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, lane: usize) -> S::f32s {
        // Sixteen conversions that the compiler turns into a widening one.
        let mut row = Row::default();
        for lane in 0..LANES {
            row.0[lane] = self.get(lane);
        }
        row.load(simd, lane)
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        f32::from(self[lane]) * (1.0 / 65535.0)
    }
}

#[inline(always)]
fn shared_run<S: Simd, M: BlendedMap<N>, W: WeightRow, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    run: &Run,
    blocks: Range<usize>,
    weights: &[W],
    maps: &mut [[f32; N]; MAX_SHARED],
) {
    let joints = &input.plan.joints()[run.first_joint..run.first_joint + run.width];
    let first = &input.palette[usize::from(joints[0])];
    maps[0] = *first;
    for (map, &joint) in maps[1..].iter_mut().zip(&joints[1..]) {
        let joint = &input.palette[usize::from(joint)];
        for four in (0..N).step_by(4) {
            let [m, m0] = [&joint[four..four + 4], &first[four..four + 4]];
            let difference = f32x4::from_slice(simd, m) - f32x4::from_slice(simd, m0);
            difference.store_slice(&mut map[four..four + 4]);
        }
    }
    let rows = run.width - 1;
    for block in blocks {
        // Keeps the broadcasts in the loop, as operands in memory: hoisted, they would not fit the
        // registers and be spilled one by one.
        let maps = std::hint::black_box(&*maps);
        let place = run.first_weight + (block - run.first_block) * rows;
        let weights = &weights[place..place + rows];
        for lane in (0..LANES).step_by(S::f32s::LEN) {
            let mut map = [S::f32s::splat(simd, 0.0); N];
            for i in 0..N {
                map[i] = S::f32s::splat(simd, maps[0][i]);
            }
            for (row, difference) in weights.iter().zip(&maps[1..]) {
                let weight = row.load(simd, lane);
                for i in 0..N {
                    map[i] = weight.mul_add(S::f32s::splat(simd, difference[i]), map[i]);
                }
            }
            apply::<S, M, N>(simd, map, input, out, run, block, lane);
        }
    }
}

#[inline(always)]
fn mixed_run<S: Simd, M: BlendedMap<N>, W: WeightRow, const N: usize>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    run: &Run,
    blocks: Range<usize>,
    weights: &[W],
) {
    let rows = run.width - 1;
    for block in blocks {
        let nth = block - run.first_block;
        let weights = &weights[run.first_weight + nth * rows..][..rows];
        let joints =
            &input.plan.joints()[run.first_joint + nth * run.width * LANES..][..run.width * LANES];
        let mut columns = [Row::default(); N];
        for group in 0..LANES / 4 {
            // Four lanes, their maps in quarters of four numbers.
            let mut maps = [[f32x4::splat(simd, 0.0); QUARTERS]; 4];
            for (nth, map) in maps.iter_mut().enumerate() {
                let lane = 4 * group + nth;
                let mut rest = 1.0;
                for k in 1..run.width {
                    let weight = weights[k - 1].get(lane);
                    rest -= weight;
                    let joint = &input.palette[usize::from(joints[k * LANES + lane])];
                    add_scaled(simd, map, joint, weight);
                }
                add_scaled(simd, map, &input.palette[usize::from(joints[lane])], rest);
            }
            for quarter in 0..N / 4 {
                let [a, b, c, d] = [
                    maps[0][quarter],
                    maps[1][quarter],
                    maps[2][quarter],
                    maps[3][quarter],
                ];
                for (i, column) in transpose(a, b, c, d).into_iter().enumerate() {
                    column.store_slice(&mut columns[4 * quarter + i].0[4 * group..4 * group + 4]);
                }
            }
        }
        for lane in (0..LANES).step_by(S::f32s::LEN) {
            let mut map = [S::f32s::splat(simd, 0.0); N];
            for i in 0..N {
                map[i] = columns[i].load(simd, lane);
            }
            apply::<S, M, N>(simd, map, input, out, run, block, lane);
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

/// Maps the streams of one block, from one lane on.
#[inline(always)]
fn apply<S: Simd, M: BlendedMap<N>, const N: usize>(
    simd: S,
    mut map: [S::f32s; N],
    input: Input<'_, N>,
    out: &mut Output<'_>,
    run: &Run,
    block: usize,
    lane: usize,
) {
    if M::IS_DUAL {
        let vanished = real_square::<S, N>(&map).simd_lt(VANISHED);
        if vanished.any_true() {
            for i in 0..S::f32s::LEN {
                let square: f32 = (0..4).map(|c| map[c][i] * map[c][i]).sum();
                if square < VANISHED {
                    let nth = block - run.first_block;
                    let heaviest = &input.palette[input.plan.heaviest(run, nth, lane + i)];
                    for (lanes, x) in map.iter_mut().zip(heaviest) {
                        lanes[i] = *x;
                    }
                }
            }
        }
    }
    let nth = block - input.blocks.start;
    prefetch(input.positions.get(nth + AHEAD));
    prefetch(input.normals.get(nth + AHEAD));
    let map = M::prepare(simd, map);
    // Everything is read before anything is written: streams often begin at the same place of their
    // memory pages, and a load that looks like an earlier store to the processor waits for it.
    let position = load(simd, &input.positions[nth], lane);
    let normal = input
        .normals
        .get(nth)
        .map_or(position, |block| load(simd, block, lane));
    let tangent = input
        .tangents
        .get(nth)
        .map_or(position, |block| load(simd, block, lane));
    store(
        &mut out.positions[nth],
        M::position(simd, &map, position),
        lane,
    );
    if let Some(out) = out.normals.get_mut(nth) {
        store(out, M::normal(simd, &map, normal), lane);
    }
    if let Some(out) = out.tangents.get_mut(nth) {
        store(out, M::tangent(simd, &map, tangent), lane);
    }
}

// Arrays are written out and not mapped over here and in `blended`: closures given to array methods
// are not always inlined, and a call in these loops costs ten times the work.

#[inline(always)]
fn load<S: Simd>(simd: S, block: &Block, lane: usize) -> [S::f32s; 3] {
    [
        block[0].load(simd, lane),
        block[1].load(simd, lane),
        block[2].load(simd, lane),
    ]
}

#[inline(always)]
fn store<V: SimdBase<S, Element = f32>, S: Simd>(block: &mut Block, values: [V; 3], lane: usize) {
    for i in 0..3 {
        values[i].store_slice(&mut block[i].0[lane..lane + V::LEN]);
    }
}
