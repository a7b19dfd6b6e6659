//! A pose from a motion chunk at any time: no state, no cursor, nothing allocated.
//!
//! A rotation is a place on the line between two knots, through four-dimensional space, so that no turn is special,
//! plus a place between the residuals of two frames, at unit length. Sixteen joints go side by side;
//! single joints and vectors take the way of `scalar`, which does the same operations in the same order.
//! Multiplications and additions are never fused, roots and divisions are true ones: every instruction
//! set gives the same bits.

use super::basis::{SPACINGS, Spacing};
use super::motion::{Channel, HAS_WIDE, Motion, RotationBlock, SEGMENT, Segment};
use super::scalar;
use crate::pose::{BLOCK, LocalPose};
use fearless_simd::prelude::*;
use fearless_simd::{f32x16, i32x16, mask32x16, u8x64, u32x16};
use fearless_simd_macros::simd;

#[cfg(target_endian = "big")]
compile_error!("packed clips are read in vectors of little-endian numbers");

/// A time this near to a frame, in frames, is that frame: keys are timed in `f32`.
const AT_FRAME: f64 = 1.0 / 4096.0;

/// What is shorter, squared, has no direction: it is no turn. What bytes can say is never too long for a number.
pub(super) const SHORTEST: f32 = 1e-30;

/// Which joints are wanted.
pub(super) type Mask<'m> = Option<&'m [bool]>;

/// A time in terms of the chunk.
pub(super) struct Moment {
    /// The segments of the frame before and the frame after.
    segments: [usize; 2],
    heads_at: [usize; 2],
    /// Where each frame's codes begin.
    frames_at: [usize; 2],
    /// How far from one to the other.
    pub t: f32,
    /// For each spacing of knots, the interval and how far into it.
    pub places: [(usize, f32); SPACINGS],
}

impl Moment {
    #[inline(always)]
    pub fn new(motion: &Motion<'_>, time_secs: f64) -> Self {
        let head = &motion.head;
        let last = head.frames - 1;
        // A time that is not a number is the start.
        let place = ((time_secs - head.start_secs) * head.frames_per_sec).max(0.0);
        let place = place.min(last as f64);
        let nearest = place.round();
        let place = match (place - nearest).abs() < AT_FRAME {
            true => nearest,
            false => place,
        };
        let frame = place as usize;
        let t = (place - frame as f64) as f32;
        let tracks = motion.rotation_tracks + motion.vectors.len();
        let frames = [frame, (frame + 1).min(last)];
        let mut moment = Self {
            segments: [frames[0] / SEGMENT, frames[1] / SEGMENT],
            heads_at: [0; 2],
            frames_at: [0; 2],
            t,
            places: [(0, 0.0); SPACINGS],
        };
        for side in 0..2 {
            let Segment { heads_at, stride } = motion.segments[moment.segments[side]];
            moment.heads_at[side] = heads_at;
            let codes_at = heads_at + 2 * tracks;
            moment.frames_at[side] = codes_at + frames[side] % SEGMENT * stride;
        }
        for log2 in 0..SPACINGS {
            let spacing = Spacing { log2: log2 as u8 };
            moment.places[log2] = spacing.locate(frame, t, motion.last_intervals[log2]);
        }
        moment
    }

    /// Where the codes of block `block` begin in each frame; past the last block, those of vectors.
    #[inline(always)]
    pub fn codes_at(&self, motion: &Motion<'_>, block: usize) -> [usize; 2] {
        let [a, b] = self.marks(motion, block);
        [
            self.frames_at[0] + (a & !HAS_WIDE) as usize,
            self.frames_at[1] + (b & !HAS_WIDE) as usize,
        ]
    }

    #[inline(always)]
    fn marks(&self, motion: &Motion<'_>, block: usize) -> [u32; 2] {
        let row = motion.blocks.len() + 1;
        let [a, b] = self.segments;
        [
            motion.codes_at[a * row + block],
            motion.codes_at[b * row + block],
        ]
    }

    /// Whether some of a block's codes are wide.
    #[inline(always)]
    fn is_wide(&self, motion: &Motion<'_>, block: usize) -> bool {
        let [a, b] = self.marks(motion, block);
        (a | b) & HAS_WIDE != 0
    }

    /// The head of a track on either side.
    #[inline(always)]
    pub fn head(&self, bytes: &[u8], side: usize, track: usize) -> u16 {
        let at = self.heads_at[side] + 2 * track;
        u16::from_le_bytes([bytes[at], bytes[at + 1]])
    }
}

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
        let mut wanted = block.has_track;
        if let Some(mask) = mask {
            for &lane in &block.lanes {
                if !mask[block.block * BLOCK + usize::from(lane)] {
                    wanted &= !(1 << lane);
                }
            }
        }
        if wanted == 0 {
            continue;
        }
        let turn = rotations(simd, motion, &moment, index);
        let wanted = mask32x16::from_bitmask(simd, u64::from(wanted));
        let rows = &mut blocks[block.block].rotation;
        for i in 0..4 {
            let kept = f32x16::load_array_ref(simd, &rows[i]);
            wanted.select(turn[i], kept).store_array(&mut rows[i]);
        }
    }
    if !motion.vectors.is_empty() {
        let at = moment.codes_at(motion, motion.blocks.len());
        let mut bits = [8 * at[0], 8 * at[1]];
        for (nth, track) in motion.vectors.iter().enumerate() {
            let value = scalar::vector(motion, &moment, nth, &mut bits);
            if mask.is_none_or(|mask| mask[track.joint]) {
                let block = &mut blocks[track.joint / BLOCK];
                let rows = match track.channel {
                    Channel::Scale => &mut block.scale,
                    _ => &mut block.translation,
                };
                for (row, value) in rows.iter_mut().zip(value) {
                    row[track.joint % BLOCK] = value;
                }
            }
        }
    }
}

/// The rotations of a block, lane by lane; anything in lanes that have no track.
#[inline(always)]
fn rotations<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    index: usize,
) -> [f32x16<S>; 4] {
    let block = &motion.blocks[index];
    let at = moment.codes_at(motion, index);
    if moment.is_wide(motion, index) {
        return wide_rotations(simd, motion, moment, block, at);
    }
    let bytes = &*motion.bytes;
    let mut knots = [u32x16::splat(simd, 0); 2];
    let mut u = f32x16::splat(simd, 0.0);
    for row in &block.rows {
        let (interval, into) = moment.places[usize::from(row.spacing.log2)];
        let at = row.at + interval * row.stride;
        let lanes = mask32x16::from_bitmask(simd, u64::from(row.lanes));
        knots[0] = simd.expand_merge_u32x16(words(simd, bytes, at), lanes, knots[0]);
        knots[1] = simd.expand_merge_u32x16(words(simd, bytes, at + row.stride), lanes, knots[1]);
        u = lanes.select(f32x16::splat(simd, into), u);
    }
    let codes = Codes::new(simd, motion, moment.segments[0], block);
    let first = codes.levels(simd, bytes, at[0]);
    // Whole numbers and halves, so that these are exact.
    let (from, way) = if moment.segments[0] == moment.segments[1] {
        let second = codes.levels(simd, bytes, at[1]);
        (codes.steps(first), difference(second, first))
    } else {
        let codes_after = Codes::new(simd, motion, moment.segments[1], block);
        let second = codes_after.steps(codes_after.levels(simd, bytes, at[1]));
        let first = codes.steps(first);
        (first, difference(second, first))
    };
    let [ka, kb] = knots;
    let line = [
        line(simd, block, 0, float(ka & 0xff), float(kb & 0xff), u),
        line(simd, block, 1, float(ka & 0xff00), float(kb & 0xff00), u),
        line(
            simd,
            block,
            2,
            float(ka & 0x00ff_0000),
            float(kb & 0x00ff_0000),
            u,
        ),
        line(simd, block, 3, float(ka >> 24), float(kb >> 24), u),
    ];
    let t = f32x16::splat(simd, moment.t);
    let step = |c: usize| f32x16::load_array_ref(simd, &block.step[c]);
    let x = line[0] + (from[0] + way[0] * t) * step(0);
    let y = line[1] + (from[1] + way[1] * t) * step(1);
    let z = line[2] + (from[2] + way[2] * t) * step(2);
    let w = line[3] + (from[3] + way[3] * t) * step(3);

    let one = f32x16::splat(simd, 1.0);
    let length = x * x + y * y + z * z + w * w;
    let over_length = one / length.sqrt();
    let mut turn = [
        x * over_length,
        y * over_length,
        z * over_length,
        w * over_length,
    ];
    let is_short = length.simd_lt(SHORTEST);
    if is_short.any_true() {
        let zero = f32x16::splat(simd, 0.0);
        for (c, unit) in [zero, zero, zero, one].into_iter().enumerate() {
            turn[c] = is_short.select(unit, turn[c]);
        }
    }
    turn
}

/// The same one by one.
#[inline(never)]
fn wide_rotations<S: Simd>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    block: &RotationBlock,
    at: [usize; 2],
) -> [f32x16<S>; 4] {
    let mut rows = [[0.0; BLOCK]; 4];
    let mut bits = [8 * at[0], 8 * at[1]];
    for (nth, &lane) in block.lanes.iter().enumerate() {
        let turn = scalar::rotation_of(motion, moment, block, nth, &mut bits);
        for (row, c) in rows.iter_mut().zip(turn) {
            row[usize::from(lane)] = c;
        }
    }
    [
        f32x16::load_array_ref(simd, &rows[0]),
        f32x16::load_array_ref(simd, &rows[1]),
        f32x16::load_array_ref(simd, &rows[2]),
        f32x16::load_array_ref(simd, &rows[3]),
    ]
}

/// One component between two knots.
#[inline(always)]
fn line<S: Simd>(
    simd: S,
    block: &RotationBlock,
    component: usize,
    a: f32x16<S>,
    b: f32x16<S>,
    u: f32x16<S>,
) -> f32x16<S> {
    let low = f32x16::load_array_ref(simd, &block.low[component]);
    let scale = f32x16::load_array_ref(simd, &block.scale[component]);
    low + scale * (a + (b - a) * u)
}

/// Sixty-four bytes from a place, as sixteen words.
#[inline(always)]
fn words<S: Simd>(simd: S, bytes: &[u8], at: usize) -> u32x16<S> {
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

/// Where the codes of a block's tracks stand, and how to take them apart.
struct Codes<S: Simd> {
    /// For each lane, the four bytes in which its code begins.
    bytes: u8x64<S>,
    /// Where each component begins in there.
    shifts: [u32x16<S>; 4],
    masks: [u32x16<S>; 4],
    /// The middle of each range.
    middles: [f32x16<S>; 4],
}

impl<S: Simd> Codes<S> {
    #[inline(always)]
    fn new(simd: S, motion: &Motion<'_>, segment: usize, block: &RotationBlock) -> Self {
        let first = segment * motion.rotation_tracks + block.first_track;
        let mut places = u32x16::from_slice(simd, &motion.places[first..first + BLOCK]);
        if block.has_track != u16::MAX {
            let lanes = mask32x16::from_bitmask(simd, u64::from(block.has_track));
            places = simd.expand_u32x16(places, lanes);
        }
        let spread = u8x64::from_slice(simd, &SPREAD);
        let first_bytes: u8x64<S> = places.bitcast();
        let bytes = first_bytes.swizzle_dyn_within_blocks(spread) + u8x64::from_slice(simd, &COUNT);
        let x = (places >> 8) & 7;
        let widths = [
            (places >> 11) & 15,
            (places >> 15) & 15,
            (places >> 19) & 15,
            places >> 23,
        ];
        let y = x + widths[0];
        let z = y + widths[1];
        let w = z + widths[2];
        let one = u32x16::splat(simd, 1);
        let masks = [
            simd.shlv_u32x16(one, widths[0]) - one,
            simd.shlv_u32x16(one, widths[1]) - one,
            simd.shlv_u32x16(one, widths[2]) - one,
            simd.shlv_u32x16(one, widths[3]) - one,
        ];
        Self {
            bytes,
            shifts: [x, y, z, w],
            middles: [
                float(masks[0]) * 0.5,
                float(masks[1]) * 0.5,
                float(masks[2]) * 0.5,
                float(masks[3]) * 0.5,
            ],
            masks,
        }
    }

    /// The components of a frame's codes.
    #[inline(always)]
    fn levels(&self, simd: S, bytes: &[u8], at: usize) -> [f32x16<S>; 4] {
        let found: u32x16<S> = window(simd, bytes, at).swizzle_dyn(self.bytes).bitcast();
        let [x, y, z, w] = self.shifts;
        [
            float(simd.shrv_u32x16(found, x) & self.masks[0]),
            float(simd.shrv_u32x16(found, y) & self.masks[1]),
            float(simd.shrv_u32x16(found, z) & self.masks[2]),
            float(simd.shrv_u32x16(found, w) & self.masks[3]),
        ]
    }

    /// The same from the middle of their range.
    #[inline(always)]
    fn steps(&self, levels: [f32x16<S>; 4]) -> [f32x16<S>; 4] {
        difference(levels, self.middles)
    }
}

#[inline(always)]
fn difference<S: Simd>(a: [f32x16<S>; 4], b: [f32x16<S>; 4]) -> [f32x16<S>; 4] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
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
