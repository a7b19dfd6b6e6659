//! Decoding of the codes of sixteen tracks side by side. A code of at most
//! [`NARROW`](crate::clip::packed::code::NARROW) bits, or a component of a wider code, fits into 32
//! bits from its first byte.

use super::moment::Moment;
use crate::clip::packed::code::CodeLocation;
use crate::clip::packed::motion::Motion;
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, i32x16, mask32x16, u8x64, u32x16};
use sinew_math::simd::Row;

/// Twice the residuals, in steps, of the tracks from `first_track`, with codes at `at`.
#[inline(always)]
pub(super) fn doubled_residuals<S: Simd, const WIDE: bool>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    at: [usize; 2],
    first_track: usize,
    has_track: u16,
) -> [f32x16<S>; 4] {
    let bytes = &*motion.bytes;
    let tracks = motion.tracks();
    let [segment, next] = moment.segments;
    let locations = &motion.locations[segment * tracks + first_track..];
    let before = Codes::<S, WIDE>::new(simd, locations, has_track);
    let levels = before.levels(simd, bytes, at[0]);
    let from = before.off_middle(levels);
    // Doubled values are integers, so this gives the same result.
    if segment == next {
        let way = difference(before.levels(simd, bytes, at[1]), levels);
        return between(from, way, f32x16::splat(simd, 2.0 * moment.t));
    }
    let locations = &motion.locations[next * tracks + first_track..];
    let after = Codes::<S, WIDE>::new(simd, locations, has_track);
    let to = after.off_middle(after.levels(simd, bytes, at[1]));
    let way = difference(to, from);
    between(from, way, f32x16::splat(simd, moment.t))
}

/// Positions and masks of the codes of sixteen tracks. With `WIDE`, codes may exceed `NARROW` bits.
struct Codes<S: Simd, const WIDE: bool> {
    /// First bit of each component. Only the lowest eleven bits count.
    begins: [u32x16<S>; 4],
    widths: [u32x16<S>; 4],
    masks: [u32x16<S>; 4],
    /// Number of lanes up to the last lane with a track.
    lanes: usize,
}

impl<S: Simd, const WIDE: bool> Codes<S, WIDE> {
    #[inline(always)]
    fn new(simd: S, locations: &[u32], has_track: u16) -> Self {
        let mut locations = u32x16::from_slice(simd, &locations[..16]);
        if has_track != u16::MAX {
            let lanes = mask32x16::from_bitmask(simd, u64::from(has_track));
            locations = simd.expand_u32x16(locations, lanes);
        }
        let widths = [
            (locations >> CodeLocation::WIDTHS) & 15,
            (locations >> (CodeLocation::WIDTHS + 4)) & 15,
            (locations >> (CodeLocation::WIDTHS + 8)) & 15,
            (locations >> (CodeLocation::WIDTHS + 12)) & 15,
        ];
        let y = locations + widths[0];
        let z = y + widths[1];
        let one = u32x16::splat(simd, 1);
        Self {
            begins: [locations, y, z, z + widths[2]],
            masks: [
                simd.shlv_u32x16(one, widths[0]) - one,
                simd.shlv_u32x16(one, widths[1]) - one,
                simd.shlv_u32x16(one, widths[2]) - one,
                simd.shlv_u32x16(one, widths[3]) - one,
            ],
            widths,
            lanes: 16 - has_track.leading_zeros() as usize,
        }
    }

    #[inline(always)]
    fn levels(&self, simd: S, bytes: &[u8], at: usize) -> [u32x16<S>; 4] {
        let [x, y, z, w] = self.begins;
        if !has_tables(simd, WIDE) {
            let bytes = &bytes[at..];
            let xy = lane_by_lane(simd, bytes, x, self.lanes);
            let zw = lane_by_lane(simd, bytes, z, self.lanes);
            return [
                xy & self.masks[0],
                simd.shrv_u32x16(xy, self.widths[0]) & self.masks[1],
                zw & self.masks[2],
                simd.shrv_u32x16(zw, self.widths[2]) & self.masks[3],
            ];
        }
        if !WIDE {
            let found = window(simd, bytes, at).swizzle_dyn(four_bytes(simd, x >> 3));
            let (found, x) = (found.bitcast(), x & 7);
            let y = x + self.widths[0];
            let z = y + self.widths[1];
            return [
                simd.shrv_u32x16(found, x) & self.masks[0],
                simd.shrv_u32x16(found, y) & self.masks[1],
                simd.shrv_u32x16(found, z) & self.masks[2],
                simd.shrv_u32x16(found, z + self.widths[2]) & self.masks[3],
            ];
        }
        // If fewer than 64 bytes follow, the codes end in the first window.
        let at = [at, (at + 64).min(bytes.len() - 64)];
        let windows = [window(simd, bytes, at[0]), window(simd, bytes, at[1])];
        [
            simd.shrv_u32x16(find(simd, windows, x >> 3), x & 7) & self.masks[0],
            simd.shrv_u32x16(find(simd, windows, y >> 3), y & 7) & self.masks[1],
            simd.shrv_u32x16(find(simd, windows, z >> 3), z & 7) & self.masks[2],
            simd.shrv_u32x16(find(simd, windows, w >> 3), w & 7) & self.masks[3],
        ]
    }

    #[inline(always)]
    fn off_middle(&self, levels: [u32x16<S>; 4]) -> [u32x16<S>; 4] {
        let [x, y, z, w] = levels;
        difference([x + x, y + y, z + z, w + w], self.masks)
    }
}

#[inline(always)]
fn between<S: Simd>(from: [u32x16<S>; 4], way: [u32x16<S>; 4], t: f32x16<S>) -> [f32x16<S>; 4] {
    [
        float(from[0]) + float(way[0]) * t,
        float(from[1]) + float(way[1]) * t,
        float(from[2]) + float(way[2]) * t,
        float(from[3]) + float(way[3]) * t,
    ]
}

#[inline(always)]
pub(super) fn line<S: Simd>(
    simd: S,
    low: &Row,
    scale: &Row,
    a: u32x16<S>,
    b: u32x16<S>,
    u: f32x16<S>,
) -> f32x16<S> {
    let low = f32x16::load_array_ref(simd, &low.0);
    let scale = f32x16::load_array_ref(simd, &scale.0);
    let (a, b) = (float(a), float(b));
    low + scale * (a + (b - a) * u)
}

#[inline(always)]
fn difference<S: Simd>(a: [u32x16<S>; 4], b: [u32x16<S>; 4]) -> [u32x16<S>; 4] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

/// True if lookups in a table of 64 bytes are fast, or of 128 bytes if `is_wide`.
#[inline(always)]
#[cfg_attr(target_family = "wasm", expect(unused_variables))]
pub(super) fn has_tables<S: Simd>(simd: S, is_wide: bool) -> bool {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        fearless_simd::Level::Avx512(_) => true,
        #[cfg(target_arch = "x86_64")]
        fearless_simd::Level::Avx2(_) => !is_wide,
        #[cfg(target_arch = "aarch64")]
        fearless_simd::Level::Neon(_) => !is_wide,
        _ => false,
    }
}

#[inline(always)]
pub(super) fn window<S: Simd>(simd: S, bytes: &[u8], at: usize) -> u8x64<S> {
    u8x64::from_slice(simd, &bytes[at..at + 64])
}

/// Reads four bytes per lane, from an offset below 125 in 128 bytes.
#[inline(always)]
fn find<S: Simd>(simd: S, windows: [u8x64<S>; 2], first: u32x16<S>) -> u32x16<S> {
    let [low, high] = windows;
    simd.concat_swizzle_dyn_u8x64(low, high, four_bytes(simd, first))
        .bitcast()
}

#[inline(always)]
fn lane_by_lane<S: Simd>(simd: S, bytes: &[u8], bits: u32x16<S>, lanes: usize) -> u32x16<S> {
    let (mut begins, mut words) = ([0; 16], [0; 16]);
    bits.store_array(&mut begins);
    for (begin, word) in begins.iter().zip(&mut words).take(lanes) {
        let mut eight = [0; 8];
        let at = (begin >> 3) as usize & 255;
        eight.copy_from_slice(&bytes[at..at + 8]);
        *word = (u64::from_le_bytes(eight) >> (begin & 7)) as u32;
    }
    u32x16::load_array(simd, words)
}

#[inline(always)]
fn float<S: Simd>(word: u32x16<S>) -> f32x16<S> {
    let signed: i32x16<S> = word.bitcast();
    f32x16::float_from(signed)
}

/// Lowest byte `b` of each word, below 253, expanded to the bytes `b` to `b + 3`.
#[inline(always)]
fn four_bytes<S: Simd>(simd: S, first: u32x16<S>) -> u8x64<S> {
    let first: u8x64<S> = first.bitcast();
    let spread = u8x64::from_slice(simd, &SPREAD);
    first.swizzle_dyn_within_blocks(spread) + u8x64::from_slice(simd, &COUNT)
}

/// Index of the lowest byte of each word, repeated four times.
const SPREAD: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 16 / 4 * 4) as u8;
        i += 1;
    }
    bytes
};

const COUNT: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 4) as u8;
        i += 1;
    }
    bytes
};
