//! A pose from a motion chunk at any time: no state, no cursor, nothing allocated.
//!
//! Sixteen joints go side by side; a single one takes the way of `scalar`, which does the same operations in the same order.
//! Multiplications and additions are never fused, roots and divisions are true ones: every instruction
//! set gives the same bits.

use super::moment::Moment;
use super::motion::{Channel, Motion, RotationBlock};
use super::rotations::rotations;
use super::vectors::vectors;
use crate::pose::{BLOCK, LocalPose};
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, mask32x16};
use fearless_simd_macros::simd;

#[cfg(target_endian = "big")]
compile_error!("packed clips are read in vectors of little-endian numbers");

/// Which joints are wanted.
pub(super) type Mask<'m> = Option<&'m [bool]>;

/// Writes every channel that moves, of the joints in `mask`; the others are left as they are.
#[simd]
pub(super) fn pose<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    time_secs: f64,
    mask: Mask<'_>,
    out: &mut LocalPose,
) {
    if motion.segments.is_empty() {
        return;
    }
    let moment = Moment::new(motion, time_secs);
    let blocks = out.blocks_mut();
    for (index, block) in motion.blocks.iter().enumerate() {
        let wanted = wanted(block, mask);
        if wanted == 0 {
            continue;
        }
        let turn = rotations(simd, motion, &moment, index);
        let rows = &mut blocks[block.block].rotation;
        if wanted == u16::MAX {
            for i in 0..4 {
                turn[i].store_array(&mut rows[i]);
            }
            continue;
        }
        let wanted = mask32x16::from_bitmask(simd, u64::from(wanted));
        for i in 0..4 {
            let kept = f32x16::load_array_ref(simd, &rows[i]);
            wanted.select(turn[i], kept).store_array(&mut rows[i]);
        }
    }
    for (index, group) in motion.vectors.iter().enumerate() {
        let vectors = vectors(simd, motion, &moment, index);
        for (lane, track) in group.tracks.iter().enumerate().take(BLOCK) {
            if mask.is_some_and(|mask| !mask[track.joint]) {
                continue;
            }
            let block = &mut blocks[track.joint / BLOCK];
            let rows = match track.channel {
                Channel::Scale => &mut block.scale,
                _ => &mut block.translation,
            };
            for c in 0..3 {
                rows[c][track.joint % BLOCK] = vectors[c][lane];
            }
        }
    }
}

/// A bit for each lane with a track of a joint in `mask`.
#[inline(always)]
fn wanted(block: &RotationBlock, mask: Mask<'_>) -> u16 {
    let mut wanted = block.has_track;
    if let Some(mask) = mask {
        for &lane in &block.lanes {
            if !mask[block.block * BLOCK + usize::from(lane)] {
                wanted &= !(1 << lane);
            }
        }
    }
    wanted
}
