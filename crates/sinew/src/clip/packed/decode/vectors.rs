//! Translations and scales of sixteen tracks in lanes, in file order across joints and channels.
//! The file stores their knots track by track, so knots are gathered first.

use super::codes::{doubled_residuals, line};
use super::moment::Moment;
use crate::clip::packed::motion::{Motion, VectorGroup};
use crate::pose::BLOCK;
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, u32x16};

/// Vectors of a group. Lanes without a track are undefined.
#[inline(always)]
pub(super) fn vectors<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    index: usize,
) -> [[f32; BLOCK]; 3] {
    let group = &motion.vectors[index];
    let (knots, u) = knots(motion, moment, group);
    let u = f32x16::load_array(simd, u);
    let ax_ay = u32x16::load_array(simd, knots[0]);
    let az_bx = u32x16::load_array(simd, knots[1]);
    let by_bz = u32x16::load_array(simd, knots[2]);
    let (low, scale) = (&group.low, &group.scale);
    let line = [
        line(simd, &low[0], &scale[0], ax_ay & 0xffff, az_bx >> 16, u),
        line(simd, &low[1], &scale[1], ax_ay >> 16, by_bz & 0xffff, u),
        line(simd, &low[2], &scale[2], az_bx & 0xffff, by_bz >> 16, u),
    ];
    let (at, _) = moment.codes_at(motion, motion.blocks.len() + index);
    let first = group.first_track;
    let residual = doubled_residuals::<S, true>(simd, motion, moment, at, first, group.has_track);
    let mut vectors = [[0.0; BLOCK]; 3];
    for c in 0..3 {
        let half = f32x16::load_array_ref(simd, &group.half_step[c].0);
        (line[c] + residual[c] * half).store_array(&mut vectors[c]);
    }
    vectors
}

/// Knots before and after the time, as words (x y, z x, y z), and the fraction between the knots.
#[inline(always)]
fn knots(
    motion: &Motion<'_>,
    moment: &Moment,
    group: &VectorGroup,
) -> ([[u32; BLOCK]; 3], [f32; BLOCK]) {
    let (mut knots, mut u) = ([[0; BLOCK]; 3], [0.0; BLOCK]);
    for (lane, track) in group.tracks.iter().enumerate().take(BLOCK) {
        let (interval, into) = moment.intervals[usize::from(track.spacing.log2)];
        let at = track.knots_at + 6 * interval;
        let both = &motion.bytes[at..at + 12];
        for (row, word) in knots.iter_mut().zip(both.chunks_exact(4)) {
            row[lane] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        u[lane] = into;
    }
    (knots, u)
}
