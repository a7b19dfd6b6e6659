//! The vertex loops, written once for every instruction set.
//!
//! A shared block broadcasts its joints' maps and blends them by rows of weights; a mixed block does
//! so for each patch of lanes that share their joints, with weights of zero in the other lanes. From
//! there on both are the same: the blended map is applied to positions, normals and tangents
//! ([`super::blended`]). A block is one vector of sixteen lanes on every instruction set, several
//! registers where they are narrower: broadcasts then serve all of it.
//!
//! With the first weight left out, M = M₀ + Σ wₖ (Mₖ − M₀), which saves a quarter of the work on four
//! influences.
//!
//! Arrays are written out and not mapped over, here and in `blended`: closures given to array methods
//! are not always inlined, and a call in these loops costs ten times the work.

use crate::blended::{BlendedMap, DualStretched, real_square, unit_or};
use crate::lanes::{BlockStreams, Input, Output, load, load_row, store};
use crate::plan::{MAX_SHARED, Run, Weights};
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use glam::Vec3;
use sinew_math::simd::{LANES, Row};
use sinew_math::transform::Affine;
use std::ops::Range;

/// A sum of dual quaternions whose real part is shorter than the root of this has cancelled out: the
/// heaviest joint decides.
const VANISHED: f32 = 1e-12;

/// Blocks whose 16-bit weights are turned into `f32` at a time.
const WEIGHT_BATCH: usize = 8;

/// Skins a range of blocks; `NORMALS` and `TANGENTS` say which streams there are, tangents never without normals.
/// Found out block by block, tangents that are not there cost 10 to 35 % (AVX2), because the map is kept for them.
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
    let mut decoded = None;
    for run in &input.plan.runs()[input.first_run..] {
        if run.first_block >= input.blocks.end {
            break;
        }
        let mut start = run.first_block.max(input.blocks.start);
        let end = (run.first_block + run.blocks).min(input.blocks.end);
        if run.shared && start < end {
            differences(input, run, &mut maps);
        }
        let rows = run.weight_rows();
        while start < end {
            let place = run.first_weight + (start - run.first_block) * rows;
            let length = (end - start).min(out.room());
            let (weights, stop) = match input.plan.weights() {
                Weights::F32(weights) => (&weights[place..], start + length),
                Weights::U16(weights) => {
                    let decoded =
                        decoded.get_or_insert([Row::default(); WEIGHT_BATCH * MAX_SHARED]);
                    let batch = (decoded.len() / rows.max(1)).clamp(1, length);
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
            if run.shared && run.width == 1 {
                let streams = BlockStreams::<NORMALS, TANGENTS>::new(input, out, &piece.blocks);
                alone::<S, NORMALS, TANGENTS>(
                    simd,
                    streams,
                    piece.blocks.len(),
                    &M::alone(&maps[0], input.scale),
                );
            } else if run.shared && run.width == 4 {
                shared::<S, M, N, 3, NORMALS, TANGENTS>(simd, input, out, piece, &maps);
            } else if run.shared {
                shared::<S, M, N, 0, NORMALS, TANGENTS>(simd, input, out, piece, &maps);
            } else {
                mixed::<S, M, N, NORMALS, TANGENTS>(simd, input, out, piece);
            }
            out.written(stop - start, stop);
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
fn differences<const N: usize>(input: Input<'_, N>, run: &Run, maps: &mut [[f32; N]; MAX_SHARED]) {
    let joints = &input.plan.joints()[run.first_joint..run.first_joint + run.width];
    let first = &input.palette[usize::from(joints[0])];
    maps[0] = *first;
    for (map, &joint) in maps[1..].iter_mut().zip(&joints[1..]) {
        let joint = &input.palette[usize::from(joint)];
        for i in 0..N {
            map[i] = joint[i] - first[i];
        }
    }
}

/// `ROWS` is how many rows of weights a block has, or 0 where that is known only at run time.
#[inline(always)]
fn shared<
    S: Simd,
    M: BlendedMap<N>,
    const N: usize,
    const ROWS: usize,
    const NORMALS: bool,
    const TANGENTS: bool,
>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
    piece: Piece<'_>,
    maps: &[[f32; N]; MAX_SHARED],
) {
    let rows = if ROWS > 0 {
        ROWS
    } else {
        piece.run.weight_rows()
    };
    let mut weights = piece.weights;
    let mut streams = BlockStreams::<NORMALS, TANGENTS>::new(input, out, &piece.blocks);
    for block in piece.blocks {
        // Keeps the broadcasts in the loop, as operands in memory: hoisted, they would not fit the
        // registers and be spilled one by one.
        let maps = std::hint::black_box(maps);
        let (now, after) = weights.split_at(rows);
        weights = after;
        if M::IS_STRETCHED {
            let rotation = blend::<S, N, 0, 4>(simd, now, maps);
            if !real_square(&rotation).simd_lt(VANISHED).any_true() {
                stretch_block::<S, N, NORMALS, TANGENTS>(simd, &mut streams, now, maps, rotation);
                continue;
            }
        }
        let map = blend::<S, N, 0, N>(simd, now, maps);
        let map = unless_vanished::<S, M, N>(simd, map, input, piece.run, block);
        streams.apply_next::<S, M, N>(simd, map);
    }
}

/// The blend of some of the numbers of the joints: the first's, and what the others differ from it.
#[inline(always)]
fn blend<S: Simd, const N: usize, const FROM: usize, const COUNT: usize>(
    simd: S,
    weights: &[Row],
    maps: &[[f32; N]; MAX_SHARED],
) -> [f32x16<S>; COUNT] {
    let mut map = [f32x16::splat(simd, 0.0); COUNT];
    for i in 0..COUNT {
        map[i] = f32x16::splat(simd, maps[0][FROM + i]);
    }
    for (row, difference) in weights.iter().zip(&maps[1..]) {
        let weight = load_row(simd, row);
        for i in 0..COUNT {
            map[i] = weight.mul_add(f32x16::splat(simd, difference[FROM + i]), map[i]);
        }
    }
    map
}

/// Maps the next block by the numbers of [`DualStretched`], the stretch before the motion: all of them at
/// once would not fit the registers.
#[inline(always)]
fn stretch_block<S: Simd, const N: usize, const NORMALS: bool, const TANGENTS: bool>(
    simd: S,
    streams: &mut BlockStreams<'_, NORMALS, TANGENTS>,
    weights: &[Row],
    maps: &[[f32; N]; MAX_SHARED],
    rotation: [f32x16<S>; 4],
) {
    let stretch = blend::<S, N, 8, 13>(simd, weights, maps);
    let nth = streams.take_next();
    let p = load(simd, &streams.positions.0[nth]);
    let stretched = DualStretched::stretch_position(&stretch, p);
    if NORMALS {
        let n = load(simd, &streams.normals.0[nth]);
        let stretched = DualStretched::stretch_normal(&stretch, n);
        let moved = DualStretched::move_direction(simd, &rotation, stretched, n);
        store(&mut streams.normals.1[nth], moved);
    }
    if TANGENTS {
        let t = load(simd, &streams.tangents.0[nth]);
        let stretched = DualStretched::stretch_tangent(&stretch, t);
        let moved = DualStretched::move_direction(simd, &rotation, stretched, t);
        store(&mut streams.tangents.1[nth], moved);
    }
    let dual = blend::<S, N, 4, 4>(simd, weights, maps);
    let lever = blend::<S, N, 21, 4>(simd, weights, maps);
    let moved = DualStretched::move_position(simd, &rotation, dual, lever, stretch[12], stretched);
    store(&mut streams.positions.1[nth], moved);
}

/// A run of one joint, for every method alike: nothing is blended, and how normals go is found once. A rigid joint
/// leaves them at unit length.
#[inline(always)]
fn alone<S: Simd, const NORMALS: bool, const TANGENTS: bool>(
    simd: S,
    streams: BlockStreams<'_, NORMALS, TANGENTS>,
    blocks: usize,
    map: &Affine,
) {
    let cofactors = [
        map.transform_area(Vec3::X),
        map.transform_area(Vec3::Y),
        map.transform_area(Vec3::Z),
    ];
    let is_unit = |v: Vec3| (v.length_squared() - 1.0).abs() < 1e-6;
    let is_rigid = cofactors.into_iter().all(is_unit)
        && cofactors[0].dot(cofactors[1]).abs() < 1e-6
        && cofactors[0].dot(cofactors[2]).abs() < 1e-6
        && cofactors[1].dot(cofactors[2]).abs() < 1e-6;
    let rows = Rows::<S>::new(simd, &map.rows);
    let areas = Rows::<S>::new(
        simd,
        &[
            [cofactors[0].x, cofactors[1].x, cofactors[2].x, 0.0],
            [cofactors[0].y, cofactors[1].y, cofactors[2].y, 0.0],
            [cofactors[0].z, cofactors[1].z, cofactors[2].z, 0.0],
        ],
    );
    for nth in 0..blocks {
        let p = load(simd, &streams.positions.0[nth]);
        if NORMALS {
            let n = load(simd, &streams.normals.0[nth]);
            let area = areas.transform_vector(n);
            let normal = if is_rigid {
                area
            } else {
                unit_or(simd, area, n)
            };
            store(&mut streams.normals.1[nth], normal);
        }
        if TANGENTS {
            let t = load(simd, &streams.tangents.0[nth]);
            let moved = rows.transform_vector(t);
            let tangent = if is_rigid {
                moved
            } else {
                unit_or(simd, moved, t)
            };
            store(&mut streams.tangents.1[nth], tangent);
        }
        store(&mut streams.positions.1[nth], rows.transform_point(p));
    }
}

/// A 3×4 map, every number in all lanes.
struct Rows<S: Simd>([[f32x16<S>; 4]; 3]);

impl<S: Simd> Rows<S> {
    #[inline(always)]
    fn new(simd: S, rows: &[[f32; 4]; 3]) -> Self {
        let mut lanes = [[f32x16::splat(simd, 0.0); 4]; 3];
        for i in 0..3 {
            for j in 0..4 {
                lanes[i][j] = f32x16::splat(simd, rows[i][j]);
            }
        }
        Self(lanes)
    }

    #[inline(always)]
    fn transform_point(&self, p: [f32x16<S>; 3]) -> [f32x16<S>; 3] {
        let mut out = p;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(p[0], r[1].mul_add(p[1], r[2].mul_add(p[2], r[3])));
        }
        out
    }

    #[inline(always)]
    fn transform_vector(&self, v: [f32x16<S>; 3]) -> [f32x16<S>; 3] {
        let mut out = v;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(v[0], r[1].mul_add(v[1], r[2] * v[2]));
        }
        out
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
    let lane_numbers = load_row(simd, &LANE_NUMBERS);
    let none = f32x16::splat(simd, 0.0);
    for block in piece.blocks {
        let (now, after) = weights.split_at(rows);
        weights = after;
        let place = block - run.first_block;
        let patches = u32::from(input.plan.patches()[run.first_patch + place]);
        let first_joint = run.first_joint + place * run.width * LANES;
        let joints = &input.plan.joints()[first_joint..first_joint + run.width * LANES];
        let mut map = [none; N];
        // A joint that is not finite must not reach the lanes where its weight is zero.
        if input.is_finite {
            let mut rest = f32x16::splat(simd, 1.0);
            for row in now {
                rest -= load_row(simd, row);
            }
            let mut patch = 0;
            while patch < LANES {
                let next = patch + 1 + (patches >> patch >> 1).trailing_zeros() as usize;
                let is_here =
                    lane_numbers.simd_ge(patch as f32) & lane_numbers.simd_lt(next as f32);
                let mut weight = is_here.select(rest, none);
                for k in 0..=rows {
                    let joint = &input.palette[usize::from(joints[k * LANES + patch])];
                    for i in 0..N {
                        map[i] = weight.mul_add(f32x16::splat(simd, joint[i]), map[i]);
                    }
                    if let Some(row) = now.get(k) {
                        weight = is_here.select(load_row(simd, row), none);
                    }
                }
                patch = next;
            }
        } else {
            let lanes = blend_by_lane(now, joints, input.palette);
            for i in 0..N {
                map[i] = load_row(simd, &lanes[i]);
            }
        }
        let map = unless_vanished::<S, M, N>(simd, map, input, run, block);
        streams.apply_next::<S, M, N>(simd, map);
    }
}

/// The lanes of a block, counted.
const LANE_NUMBERS: Row = Row([
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
]);

/// What [`mixed`] computes, one lane after the other.
#[cold]
#[inline(never)]
fn blend_by_lane<const N: usize>(
    weights: &[Row],
    joints: &[u16],
    palette: &[[f32; N]],
) -> [Row; N] {
    let mut map = [Row::default(); N];
    for lane in 0..LANES {
        let rest = weights.iter().fold(1.0, |rest, row| rest - row.0[lane]);
        let weight = |k: usize| if k == 0 { rest } else { weights[k - 1].0[lane] };
        for k in 0..=weights.len() {
            let joint = &palette[usize::from(joints[k * LANES + lane])];
            for i in 0..N {
                map[i].0[lane] += weight(k) * joint[i];
            }
        }
    }
    map
}

/// The map, with the heaviest joint's in lanes whose dual quaternions have cancelled out.
#[inline(always)]
fn unless_vanished<S: Simd, M: BlendedMap<N>, const N: usize>(
    simd: S,
    mut map: [f32x16<S>; N],
    input: Input<'_, N>,
    run: &Run,
    block: usize,
) -> [f32x16<S>; N] {
    if M::IS_DUAL {
        let square = real_square::<S, N>(&map);
        if square.simd_lt(VANISHED).any_true() {
            // Through memory of its own: taking the address of `map` would keep it out of registers.
            let mut rows = [Row::default(); N];
            for i in 0..N {
                map[i].store_slice(&mut rows[i].0);
            }
            let mut squares = Row::default();
            square.store_slice(&mut squares.0);
            replace_vanished(&mut rows, &squares, input, run, block - run.first_block);
            for i in 0..N {
                map[i] = load_row(simd, &rows[i]);
            }
        }
    }
    map
}

#[cold]
#[inline(never)]
fn replace_vanished<const N: usize>(
    map: &mut [Row; N],
    squares: &Row,
    input: Input<'_, N>,
    run: &Run,
    nth: usize,
) {
    for lane in 0..LANES {
        if squares.0[lane] < VANISHED {
            let heaviest = &input.palette[input.plan.heaviest(run, nth, lane)];
            for (row, x) in map.iter_mut().zip(heaviest) {
                row.0[lane] = *x;
            }
        }
    }
}
