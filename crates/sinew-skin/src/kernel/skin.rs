//! The loop over the runs of a plan.

use super::blended::BlendedMap;
use super::lanes::{BlockStreams, Input, JointNumbers, Output, Piece, Wide};
use super::shared::differences;
use super::{alone, mixed, shared};
use crate::plan::{MAX_SHARED, Weights};
use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row};

/// The number of blocks whose 16-bit weights are converted to `f32` at a time.
const WEIGHT_BATCH: usize = 8;

/// Skins a range of blocks. `NORMALS` is true if there are normals.
pub(super) fn skin<S: Wide, M: BlendedMap<N>, const N: usize, const NORMALS: bool>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
) {
    simd.vectorize(
        #[inline(always)]
        || skin_runs::<S, M, N, NORMALS>(simd, input, out),
    );
}

#[inline(always)]
fn skin_runs<S: Wide, M: BlendedMap<N>, const N: usize, const NORMALS: bool>(
    simd: S,
    input: Input<'_, N>,
    out: &mut Output<'_>,
) {
    let mut maps = [JointNumbers([0.0; N]); MAX_SHARED];
    let mut decoded = None;
    let mut stored = [Row::default(); N];
    for run in &input.plan.runs()[input.first_run..] {
        if run.first_block >= input.blocks.end {
            break;
        }
        let mut start = run.first_block.max(input.blocks.start);
        let end = (run.first_block + run.blocks).min(input.blocks.end);
        if run.shared && run.width > 1 && start < end {
            differences(&input, run, &mut maps);
        }
        let rows = run.weight_rows();
        while start < end {
            let first = run.first_weight + (start - run.first_block) * rows;
            let length = (end - start).min(out.capacity());
            let (weights, stop) = match input.plan.weights() {
                Weights::F32(weights) => (&weights[first..], start + length),
                Weights::U16(weights) => {
                    let decoded =
                        decoded.get_or_insert_with(|| [Row::default(); WEIGHT_BATCH * MAX_SHARED]);
                    let batch = (decoded.len() / rows.max(1)).clamp(1, length);
                    decode(simd, &weights[first..first + batch * rows], decoded);
                    (&decoded[..], start + batch)
                }
            };
            let piece = Piece {
                run,
                blocks: start..stop,
                weights,
            };
            if run.shared && run.width == 1 {
                let joint = &input.palette[usize::from(input.plan.joints()[run.first_joint])];
                let streams = BlockStreams::new(&input, out, &piece.blocks, NORMALS);
                alone::skin::<S, M, N, NORMALS>(simd, streams, joint, input.scale);
            } else if run.shared && run.width == 4 {
                shared::skin::<S, M, N, 3, NORMALS>(simd, input, out, piece, &maps, &mut stored);
            } else if run.shared {
                shared::skin::<S, M, N, 0, NORMALS>(simd, input, out, piece, &maps, &mut stored);
            } else {
                mixed::skin::<S, M, N>(simd, input, out, piece);
            }
            out.written(stop - start, stop);
            start = stop;
        }
    }
}

fn decode<S: Simd>(simd: S, coded: &[[u16; LANES]], decoded: &mut [Row]) {
    simd.vectorize(
        #[inline(always)]
        || decode_rows(coded, decoded),
    );
}

#[inline(always)]
fn decode_rows(coded: &[[u16; LANES]], decoded: &mut [Row]) {
    for (row, coded) in decoded.iter_mut().zip(coded) {
        // A local array: the compiler does not use vectors for memory that may alias.
        let mut lanes = [0.0; LANES];
        for lane in 0..LANES {
            lanes[lane] = f32::from(coded[lane]) * (1.0 / 65535.0);
        }
        row.0 = lanes;
    }
}
