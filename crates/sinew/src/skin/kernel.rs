//! The vertex loops, written once for every instruction set.
//!
//! A shared block broadcasts its joints' maps and blends them by rows of weights; a mixed block
//! first blends one map a lane, a whole map in one register, and turns sixteen of them over. From
//! there on both are the same: apply the blended map to positions, normals and tangents.
//!
//! With the first weight left out, M = M₀ + Σ wₖ (Mₖ − M₀), which saves a quarter of the work on four
//! influences.

use super::plan::{Run, SkinPlan, Weights};
use super::streams::Block;
use crate::simd::{LANES, Row, reciprocal_sqrt};
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;

/// What a kernel reads for one joint: up to twenty numbers, padded to cache lines.
pub(crate) type JointRows = [f32; 32];

/// Input or output of a kernel: a range of blocks of each stream.
pub(crate) struct Slices<'a> {
    pub positions: &'a [Block],
    pub normals: &'a [Block],
    pub tangents: &'a [Block],
}

pub(crate) struct SlicesMut<'a> {
    pub positions: &'a mut [Block],
    pub normals: &'a mut [Block],
    pub tangents: &'a mut [Block],
}
