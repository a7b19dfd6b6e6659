//! The codes of sixteen tracks in a frame, taken apart side by side.
//!
//! A code of up to [`NARROW`](super::code::NARROW) bits is found in the 32 bits from the byte where it begins. In a wide one
//! each component is, which has fifteen bits at most.

use super::code::Place;
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, i32x16, u8x64, u32x16};

/// Where the codes of sixteen tracks stand in a frame, and how to take them apart; `WIDE` when some may be wide.
pub(super) struct Codes<S: Simd, const WIDE: bool> {
    /// For each lane, the four bytes in which each component stands; where none is wide, the first are those of all.
    bytes: [u8x64<S>; 4],
    /// Where each component begins in there.
    shifts: [u32x16<S>; 4],
    masks: [u32x16<S>; 4],
    /// The middle of each range.
    middles: [f32x16<S>; 4],
}

impl<S: Simd, const WIDE: bool> Codes<S, WIDE> {
    /// From the [`Place`] of each lane's code; a lane without one has 0.
    #[inline(always)]
    pub fn new(simd: S, places: u32x16<S>) -> Self {
        let widths = [
            (places >> Place::WIDTHS) & 15,
            (places >> (Place::WIDTHS + 4)) & 15,
            (places >> (Place::WIDTHS + 8)) & 15,
            places >> (Place::WIDTHS + 12),
        ];
        let bit = places & ((1 << Place::WIDTHS) - 1);
        let (bytes, shifts) = match WIDE {
            true => {
                let y = bit + widths[0];
                let z = y + widths[1];
                let w = z + widths[2];
                (
                    [
                        four_bytes(simd, bit >> 3),
                        four_bytes(simd, y >> 3),
                        four_bytes(simd, z >> 3),
                        four_bytes(simd, w >> 3),
                    ],
                    [bit & 7, y & 7, z & 7, w & 7],
                )
            }
            false => {
                let x = bit & 7;
                let y = x + widths[0];
                let z = y + widths[1];
                ([four_bytes(simd, bit >> 3); 4], [x, y, z, z + widths[2]])
            }
        };
        let one = u32x16::splat(simd, 1);
        let masks = [
            simd.shlv_u32x16(one, widths[0]) - one,
            simd.shlv_u32x16(one, widths[1]) - one,
            simd.shlv_u32x16(one, widths[2]) - one,
            simd.shlv_u32x16(one, widths[3]) - one,
        ];
        Self {
            bytes,
            shifts,
            middles: [
                float(masks[0]) * 0.5,
                float(masks[1]) * 0.5,
                float(masks[2]) * 0.5,
                float(masks[3]) * 0.5,
            ],
            masks,
        }
    }

    /// The components of a frame's codes, which begin at a byte.
    #[inline(always)]
    pub fn levels(&self, simd: S, bytes: &[u8], at: usize) -> [f32x16<S>; 4] {
        let first = window(simd, bytes, at);
        let found: [u32x16<S>; 4] = match WIDE {
            true => {
                // Where there are no 64 bytes more, the codes end in the first.
                let second = window(simd, bytes, (at + 64).min(bytes.len() - 64));
                [
                    simd.concat_swizzle_dyn_u8x64(first, second, self.bytes[0])
                        .bitcast(),
                    simd.concat_swizzle_dyn_u8x64(first, second, self.bytes[1])
                        .bitcast(),
                    simd.concat_swizzle_dyn_u8x64(first, second, self.bytes[2])
                        .bitcast(),
                    simd.concat_swizzle_dyn_u8x64(first, second, self.bytes[3])
                        .bitcast(),
                ]
            }
            false => [first.swizzle_dyn(self.bytes[0]).bitcast(); 4],
        };
        [
            self.level(simd, found[0], 0),
            self.level(simd, found[1], 1),
            self.level(simd, found[2], 2),
            self.level(simd, found[3], 3),
        ]
    }

    #[inline(always)]
    fn level(&self, simd: S, found: u32x16<S>, component: usize) -> f32x16<S> {
        float(simd.shrv_u32x16(found, self.shifts[component]) & self.masks[component])
    }

    /// The same from the middle of their range.
    #[inline(always)]
    pub fn steps(&self, levels: [f32x16<S>; 4]) -> [f32x16<S>; 4] {
        difference(levels, self.middles)
    }
}

/// The residuals of the frame before, in steps, and how far it is from there to those of the frame after.
///
/// `places` are of either side's segment; where that is one, the first serve both.
// No closures, here and in what is made of it: they are not compiled for the instruction set.
#[inline(always)]
pub(super) fn residuals<S: Simd, const WIDE: bool>(
    simd: S,
    bytes: &[u8],
    at: [usize; 2],
    places: [u32x16<S>; 2],
    is_one_segment: bool,
) -> [[f32x16<S>; 4]; 2] {
    let before = Codes::<S, WIDE>::new(simd, places[0]);
    let first = before.levels(simd, bytes, at[0]);
    // Whole numbers and halves, so that these are exact.
    if is_one_segment {
        let second = before.levels(simd, bytes, at[1]);
        return [before.steps(first), difference(second, first)];
    }
    let after = Codes::<S, WIDE>::new(simd, places[1]);
    let second = after.steps(after.levels(simd, bytes, at[1]));
    let first = before.steps(first);
    [first, difference(second, first)]
}

/// The straight line between two knots.
#[inline(always)]
pub(super) fn line<S: Simd>(
    simd: S,
    low: &[f32; 16],
    scale: &[f32; 16],
    a: u32x16<S>,
    b: u32x16<S>,
    u: f32x16<S>,
) -> f32x16<S> {
    let low = f32x16::load_array_ref(simd, low);
    let scale = f32x16::load_array_ref(simd, scale);
    let (a, b) = (float(a), float(b));
    low + scale * (a + (b - a) * u)
}

#[inline(always)]
fn difference<S: Simd>(a: [f32x16<S>; 4], b: [f32x16<S>; 4]) -> [f32x16<S>; 4] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

/// Sixty-four bytes from a place, as sixteen words.
#[inline(always)]
pub(super) fn words<S: Simd>(simd: S, bytes: &[u8], at: usize) -> u32x16<S> {
    window(simd, bytes, at).bitcast()
}

#[inline(always)]
fn window<S: Simd>(simd: S, bytes: &[u8], at: usize) -> u8x64<S> {
    u8x64::from_slice(simd, &bytes[at..at + 64])
}

/// Numbers below 2³¹ of at most 24 bits in a row.
#[inline(always)]
fn float<S: Simd>(word: u32x16<S>) -> f32x16<S> {
    let signed: i32x16<S> = word.bitcast();
    f32x16::float_from(signed)
}

/// A number below 253, and the three after it.
#[inline(always)]
fn four_bytes<S: Simd>(simd: S, first: u32x16<S>) -> u8x64<S> {
    let first: u8x64<S> = first.bitcast();
    let spread = u8x64::from_slice(simd, &SPREAD);
    first.swizzle_dyn_within_blocks(spread) + u8x64::from_slice(simd, &COUNT)
}

/// The lowest byte of each word, four times.
const SPREAD: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 16 / 4 * 4) as u8;
        i += 1;
    }
    bytes
};

/// 0, 1, 2, 3 for each word.
const COUNT: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 4) as u8;
        i += 1;
    }
    bytes
};
