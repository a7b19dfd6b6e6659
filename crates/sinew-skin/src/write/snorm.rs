//! Directions as four signed normalised 16-bit numbers: eight bytes instead of three floats.

use super::layout::{Directions, VertexLayout};
use crate::job::SkinJob;
use crate::kernel::lanes::{PIECE, load, store};
use crate::plan::Block;
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, u32x16};
use fearless_simd_macros::simd;
use sinew_math::dispatch;
use sinew_math::simd::{LANES, Level, Row};
use std::ops::Range;

pub(super) struct Packer<'a> {
    level: Level,
    handedness: &'a [u16],
    packed: [[Block; PIECE]; 2],
}

impl<'a> Packer<'a> {
    /// Packer for the layout. `None` if directions are written as floats.
    pub fn new(job: &SkinJob<'a>, layout: &VertexLayout) -> Option<Self> {
        match layout.directions {
            Directions::Floats => None,
            Directions::Snorm16 => Some(Self {
                level: job.level,
                handedness: &job.bind.handedness,
                packed: [[[Row::default(); 3]; PIECE]; 2],
            }),
        }
    }

    pub fn pack<'s>(
        &'s mut self,
        blocks: &Range<usize>,
        [positions, normals, tangents]: [&'s [Block]; 3],
    ) -> [&'s [Block]; 3] {
        let handedness = self.handedness.get(blocks.clone()).unwrap_or_default();
        let [packed_normals, packed_tangents] = &mut self.packed;
        pack(self.level, normals, None, packed_normals);
        pack(self.level, tangents, Some(handedness), packed_tangents);
        [
            positions,
            &packed_normals[..normals.len()],
            &packed_tangents[..tangents.len()],
        ]
    }
}

/// Packs directions. The first row of a block gets the bits of x and y, the second row those of z
/// and 0, or the handedness of a tangent: −1 if the bit of the lane is set, else 1.
fn pack(level: Level, from: &[Block], handedness: Option<&[u16]>, to: &mut [Block]) {
    dispatch!(level, simd => pack_blocks(simd, from, handedness, to));
}

#[simd]
fn pack_blocks<S: Simd>(simd: S, from: &[Block], handedness: Option<&[u16]>, to: &mut [Block]) {
    for (nth, (from, to)) in from.iter().zip(to).enumerate() {
        let [x, y, z] = load(simd, from);
        let fourth = match handedness {
            Some(bits) => fourth_row(bits.get(nth).copied().unwrap_or(0)),
            None => Row::default(),
        };
        let fourth = f32x16::from_slice(simd, &fourth.0);
        let xy = snorm::<S>(simd, x) | (snorm::<S>(simd, y) << 16);
        let zw = snorm::<S>(simd, z) | (snorm::<S>(simd, fourth) << 16);
        store(to, [xy.bitcast(), zw.bitcast(), zw.bitcast()]);
    }
}

/// Rounds a number from −1 to 1 to a multiple of 1/32767, ties to even, in the lower 16 bits.
#[inline(always)]
fn snorm<S: Simd>(simd: S, x: f32x16<S>) -> u32x16<S> {
    let one = f32x16::splat(simd, 1.0);
    let x = x.simd_lt(one).select(x, one);
    let x = x.simd_gt(-one).select(x, -one);
    // Adding 1.5 · 2²³ rounds a number to an integer in its lowest bits.
    let whole: u32x16<S> = (x * 32767.0 + 12_582_912.0).bitcast();
    whole & 0xffff
}

fn fourth_row(bits: u16) -> Row {
    let mut row = Row([1.0; LANES]);
    for lane in 0..LANES {
        if bits >> lane & 1 == 1 {
            row.0[lane] = -1.0;
        }
    }
    row
}
