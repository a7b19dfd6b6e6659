//! Blended maps of a block in memory, for tangents and for rare cases: dual quaternions that cancel
//! out, and joints that are not finite.

use super::blended::BlendedMap;
use super::lanes::{BlockStreams, Differences, Input, Lanes, Wide, load_row, store_row};
use crate::plan::Run;
use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row};
use std::ops::Range;

/// Squared length of a blended real part that has cancelled out. The heaviest joint is then used.
pub(super) const VANISHED: f32 = 1e-12;

/// The numbers of a map for sixteen vertices.
pub(super) type StoredMap<const N: usize> = [Row; N];

#[inline(always)]
pub(super) fn keep<S: Wide, const N: usize>(
    stored: &mut StoredMap<N>,
    part: usize,
    map: &[Lanes<S>; N],
) {
    for i in 0..N {
        store_row(&mut stored[i], part, map[i]);
    }
}

#[inline(always)]
pub(super) fn load_map<S: Wide, const N: usize>(
    simd: S,
    stored: &StoredMap<N>,
    part: usize,
) -> [Lanes<S>; N] {
    let mut map = [Lanes::<S>::splat(simd, 0.0); N];
    for i in 0..N {
        map[i] = load_row(simd, &stored[i], part);
    }
    map
}

pub(super) fn apply<S: Wide, M: BlendedMap<N>, const N: usize>(
    simd: S,
    stored: &StoredMap<N>,
    streams: &mut BlockStreams<'_>,
    nth: usize,
    parts: Range<usize>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for part in parts {
                let map = load_map::<S, N>(simd, stored, part);
                let has_normals = !streams.normals.1.is_empty();
                streams.apply::<S, M, N>(simd, [nth, part], [has_normals, true], &map);
            }
        },
    );
}

/// Writes the map of the heaviest joint into lanes whose dual quaternions have cancelled out.
#[cold]
#[inline(never)]
pub(super) fn replace_vanished<const N: usize>(
    stored: &mut StoredMap<N>,
    input: Input<'_, N>,
    run: &Run,
    nth: usize,
) {
    for lane in 0..LANES {
        let real = |i: usize| stored[i].0[lane];
        let square = real(0) * real(0) + real(1) * real(1) + real(2) * real(2) + real(3) * real(3);
        if square < VANISHED {
            let heaviest = &input.palette[input.plan.heaviest(run, nth, lane)];
            for (row, x) in stored.iter_mut().zip(heaviest) {
                row.0[lane] = *x;
            }
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn blend_shared<const N: usize>(weights: &[Row], maps: &Differences<N>) -> StoredMap<N> {
    let mut stored = [Row::default(); N];
    for (i, row) in stored.iter_mut().enumerate() {
        row.0 = [maps[0].0[i]; LANES];
        for (weights, map) in weights.iter().zip(&maps[1..]) {
            for lane in 0..LANES {
                row.0[lane] += weights.0[lane] * map.0[i];
            }
        }
    }
    stored
}

#[cold]
#[inline(never)]
pub(super) fn blend_mixed<const N: usize>(
    weights: &[Row],
    joints: &[u16],
    palette: &[[f32; N]],
) -> StoredMap<N> {
    let mut stored = [Row::default(); N];
    for lane in 0..LANES {
        let rest = weights.iter().fold(1.0, |rest, row| rest - row.0[lane]);
        let weight = |k: usize| if k == 0 { rest } else { weights[k - 1].0[lane] };
        for k in 0..=weights.len() {
            let joint = &palette[usize::from(joints[k * LANES + lane])];
            for i in 0..N {
                stored[i].0[lane] += weight(k) * joint[i];
            }
        }
    }
    stored
}
