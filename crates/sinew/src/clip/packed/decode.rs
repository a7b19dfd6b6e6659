//! A pose from a motion chunk at any time: no state, no cursor, nothing allocated.
//!
//! At a frame a rotation is a spline through four-dimensional space, so that no turn is special, times a
//! small turn (ρ, 1) from the residuals, at unit length; between two frames it is their chord,
//! normalised. Sixteen joints go side by side; single joints and vectors take the way of `scalar`, which does
//! the same operations in the same order. Multiplications and additions are never fused, roots and
//! divisions are true ones: every instruction set gives the same bits.

use super::basis::SIXTH;
use super::motion::{Channel, HAS_SPLIT, Motion, RotationBlock, SEGMENT, Segment, WIDE};
use super::scalar;
use crate::pose::{BLOCK, LocalPose, PoseBlock};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, i32x16, mask32x16, u16x16, u32x4, u32x16};
use fearless_simd_macros::simd;

/// A time this near to a frame, in frames, is that frame: keys are timed in `f32`.
const AT_FRAME: f64 = 1.0 / 4096.0;

/// Which joints are wanted.
pub(super) type Mask<'m> = Option<&'m [bool]>;

/// A time in terms of the chunk.
pub(super) struct Moment {
    /// The frame before and the frame after.
    pub frames: [usize; 2],
    /// How far from one to the other.
    pub t: f32,
    /// Their segments.
    segments: [Segment; 2],
    /// Where each frame's codes begin, in bits.
    codes_at: [usize; 2],
}

impl Moment {
    #[inline(always)]
    pub fn new(motion: &Motion<'_>, time_secs: f64) -> Self {
        let head = &motion.head;
        let last = head.frames - 1;
        // A time that is not a number is the start.
        let place = ((time_secs - head.start_secs) * head.frames_per_sec).max(0.0);
        let nearest = place.round();
        let place = match (place - nearest).abs() < AT_FRAME {
            true => nearest,
            false => place,
        };
        let frame = (place as usize).min(last);
        let t = (place - frame as f64).min(1.0) as f32;
        let frames = [frame, (frame + 1).min(last)];
        let tracks = motion.rotation_tracks + motion.vectors.len();
        let mut segments = [motion.segments[0]; 2];
        let mut codes_at = [0; 2];
        for side in 0..2 {
            let segment = motion.segments[frames[side] / SEGMENT];
            let codes = 8 * (segment.heads_at + 2 * tracks);
            codes_at[side] = codes + frames[side] % SEGMENT * segment.stride;
            segments[side] = segment;
        }
        Self {
            frames,
            t,
            segments,
            codes_at,
        }
    }

    /// Where the codes of block `block` begin in each frame, and whether some are split; past the last
    /// block, those of vectors.
    #[inline(always)]
    pub fn block_bits(&self, motion: &Motion<'_>, block: usize) -> ([usize; 2], bool) {
        let row = motion.blocks.len() + 1;
        let at = |side: usize| motion.bits_at[self.frames[side] / SEGMENT * row + block];
        let [a, b] = [at(0), at(1)];
        let bits = |side: usize, at: u32| self.codes_at[side] + (at & !HAS_SPLIT) as usize;
        ([bits(0, a), bits(1, b)], (a | b) & HAS_SPLIT != 0)
    }

    /// How many frames lie between the two: one, or none at the end.
    #[inline(always)]
    pub fn step(&self) -> f32 {
        (self.frames[1] - self.frames[0]) as f32
    }

    /// The head of a track on either side.
    #[inline(always)]
    pub fn head(&self, bytes: &[u8], side: usize, track: usize) -> u16 {
        let at = self.segments[side].heads_at + 2 * track;
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
        let joint = block.pair * WIDE;
        let mut wanted = block.has_track;
        if let Some(mask) = mask {
            for &lane in &block.lanes {
                let lane = usize::from(lane);
                wanted[lane] = if mask[joint + lane] { -1 } else { 0 };
            }
            if wanted == [0; WIDE] {
                continue;
            }
        }
        let (bits, is_split) = moment.block_bits(motion, index);
        let out = &mut blocks[2 * block.pair..];
        if is_split {
            rotate_block::<S, true>(simd, motion, &moment, block, bits, wanted, out);
        } else {
            rotate_block::<S, false>(simd, motion, &moment, block, bits, wanted, out);
        }
    }
    if !motion.vectors.is_empty() {
        let (mut bits, _) = moment.block_bits(motion, motion.blocks.len());
        for (index, track) in motion.vectors.iter().enumerate() {
            let value = scalar::vector(
                motion,
                &moment,
                track,
                motion.rotation_tracks + index,
                &mut bits,
            );
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

/// Rotations of up to sixteen joints, in the first two blocks of `out`. Lanes without a track do the work of the block's first track and are
/// not written: loops over all lanes keep vectors out of memory.
#[inline(always)]
fn rotate_block<S: Simd, const SPLIT: bool>(
    simd: S,
    motion: &Motion<'_>,
    moment: &Moment,
    block: &RotationBlock,
    bits: [usize; 2],
    wanted: [i32; WIDE],
    out: &mut [PoseBlock],
) {
    let bytes = &*motion.bytes;
    // The knots around the first frame; the second is at most where the interval ends.
    let over_spacing = f32x16::load_array_ref(simd, &block.over_spacing);
    let place = f32x16::splat(simd, moment.frames[0] as f32) * over_spacing;
    let last = f32x16::load_array_ref(simd, &block.last_interval);
    let interval = place.floor().min(last);
    let into = place - interval;
    let step = f32x16::splat(simd, moment.step()) * over_spacing;
    let is_linear = i32x16::load_array_ref(simd, &block.is_linear).simd_lt(0);
    let weights = [
        weights(simd, into, is_linear),
        weights(simd, into + step, is_linear),
    ];
    let offset: u32x16<S> = i32x16::truncate_from(interval).bitcast();
    let knots_at = u32x16::load_array_ref(simd, &block.knots_at) + (offset << 2);
    let knots_at = <[u32; WIDE]>::from(knots_at);
    let mut knots = [[0_u32; 4]; WIDE];
    for lane in 0..WIDE {
        let at = knots_at[lane] as usize;
        let four: &[u8; 16] = bytes[at..at + 16].try_into().unwrap_or(&[0; 16]);
        let words: [u32; 4] = bytemuck::cast(*four);
        knots[lane] = words.map(u32::from_le);
    }
    let head = heads(simd, bytes, moment, block, 0);
    let codes = codes::<S, SPLIT>(simd, head);
    let first = residuals::<S, SPLIT>(simd, bytes, &codes, bits[0]);
    let second = if moment.segments[0].heads_at == moment.segments[1].heads_at {
        residuals::<S, SPLIT>(simd, bytes, &codes, bits[1])
    } else {
        let head = heads(simd, bytes, moment, block, 1);
        residuals::<S, SPLIT>(simd, bytes, &self::codes::<S, SPLIT>(simd, head), bits[1])
    };
    let knots = transposed(simd, &knots);
    let knots = [
        bytes_of(knots, 0),
        bytes_of(knots, 8),
        bytes_of(knots, 16),
        bytes_of(knots, 24),
    ];
    let a = turn(simd, block, &knots, &weights[0], first);
    let b = turn(simd, block, &knots, &weights[1], second);
    // Frames of the same length, joined by a chord.
    let one = f32x16::splat(simd, 1.0);
    let t = f32x16::splat(simd, moment.t);
    let from = (one - t) * square(&b).sqrt();
    let to = t * square(&a).sqrt();
    let joined = [
        a[0] * from + b[0] * to,
        a[1] * from + b[1] * to,
        a[2] * from + b[2] * to,
        a[3] * from + b[3] * to,
    ];
    let zero = f32x16::splat(simd, 0.0);
    let length = square(&joined);
    let over_length = one / length.sqrt();
    let wanted = i32x16::load_array(simd, wanted).simd_lt(0);
    let is_turn = length.simd_gt(zero) & length.simd_lt(f32::INFINITY);
    let turn = [
        is_turn.select(joined[0] * over_length, zero),
        is_turn.select(joined[1] * over_length, zero),
        is_turn.select(joined[2] * over_length, zero),
        is_turn.select(joined[3] * over_length, one),
    ];
    let (wanted_low, wanted_high) = simd.split_mask32x16(wanted);
    for i in 0..4 {
        let (low, high) = simd.split_f32x16(turn[i]);
        let row = &mut out[0].rotation[i];
        let kept = f32x8::load_array_ref(simd, row);
        wanted_low.select(low, kept).store_array(row);
        if let Some(out) = out.get_mut(1) {
            let row = &mut out.rotation[i];
            let kept = f32x8::load_array_ref(simd, row);
            wanted_high.select(high, kept).store_array(row);
        }
    }
}

/// The spline of one frame times its residual, of any length.
#[inline(always)]
fn turn<S: Simd>(
    simd: S,
    block: &RotationBlock,
    knots: &[[f32x16<S>; 4]; 4],
    weights: &[f32x16<S>; 4],
    steps: [f32x16<S>; 3],
) -> [f32x16<S>; 4] {
    let px = spline(simd, block, 0, knots, weights);
    let py = spline(simd, block, 1, knots, weights);
    let pz = spline(simd, block, 2, knots, weights);
    let pw = spline(simd, block, 3, knots, weights);
    let rx = steps[0] * f32x16::load_array_ref(simd, &block.step[0]);
    let ry = steps[1] * f32x16::load_array_ref(simd, &block.step[1]);
    let rz = steps[2] * f32x16::load_array_ref(simd, &block.step[2]);
    [
        px + pw * rx + py * rz - pz * ry,
        py + pw * ry + pz * rx - px * rz,
        pz + pw * rz + px * ry - py * rx,
        pw - px * rx - py * ry - pz * rz,
    ]
}

#[inline(always)]
fn square<S: Simd>(q: &[f32x16<S>; 4]) -> f32x16<S> {
    q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
}

/// [`super::basis::Basis::weights`].
#[inline(always)]
fn weights<S: Simd>(simd: S, u: f32x16<S>, is_linear: mask32x16<S>) -> [f32x16<S>; 4] {
    let one = f32x16::splat(simd, 1.0);
    let zero = f32x16::splat(simd, 0.0);
    let s = one - u;
    let first = s * s * s * SIXTH;
    let second = (u * u * (u * 3.0 - 6.0) + 4.0) * SIXTH;
    let fourth = u * u * u * SIXTH;
    let third = one - first - second - fourth;
    [
        is_linear.select(s, first),
        is_linear.select(u, second),
        is_linear.select(zero, third),
        is_linear.select(zero, fourth),
    ]
}

/// The heads of a block's tracks; lanes without a track have codes of no bits.
#[inline(always)]
fn heads<S: Simd>(
    simd: S,
    bytes: &[u8],
    moment: &Moment,
    block: &RotationBlock,
    side: usize,
) -> u32x16<S> {
    let at = moment.segments[side].heads_at + 2 * block.first_track;
    // Past the last head come its codes or the zeros at the end.
    let window: &[u8; 32] = bytes[at..at + 32].try_into().unwrap_or(&[0; 32]);
    let window: [u16; WIDE] = bytemuck::cast(*window);
    if block.lanes.len() == WIDE {
        let (low, high) = u16x16::load_array(simd, window.map(u16::from_le)).widen();
        return low.combine(high);
    }
    let mut heads = [0_u32; WIDE];
    for lane in 0..WIDE {
        let head = u16::from_le(window[usize::from(block.rank[lane]) % WIDE]);
        heads[lane] = u32::from(head);
    }
    let has_track: u32x16<S> = i32x16::load_array_ref(simd, &block.has_track).bitcast();
    u32x16::load_array(simd, heads) & has_track
}

/// What heads say about codes.
struct Codes<S: Simd> {
    bases: [f32x16<S>; 3],
    over_x: f32x16<S>,
    over_y: f32x16<S>,
    low_bits: [u32; WIDE],
    high_bits: [u32; WIDE],
}

#[inline(always)]
fn codes<S: Simd, const SPLIT: bool>(simd: S, heads: u32x16<S>) -> Codes<S> {
    let one = f32x16::splat(simd, 1.0);
    let is_split = (heads >> 15).simd_gt(0);
    let nx = levels::<S, SPLIT>(simd, heads & 31, is_split);
    let ny = levels::<S, SPLIT>(simd, (heads >> 5) & 31, is_split);
    let nz = levels::<S, SPLIT>(simd, (heads >> 10) & 31, is_split);
    let (low, high) = if SPLIT {
        (is_split.select(one, nz), is_split.select(nz, one))
    } else {
        (nz, one)
    };
    Codes {
        bases: [nx, ny, nz],
        over_x: one / nx,
        over_y: one / ny,
        low_bits: bits_below(nx * ny * low).into(),
        high_bits: bits_below(high).into(),
    }
}

/// The three components of each lane's code, in steps from the middle of their range.
#[inline(always)]
fn residuals<S: Simd, const SPLIT: bool>(
    simd: S,
    bytes: &[u8],
    codes: &Codes<S>,
    bit: usize,
) -> [f32x16<S>; 3] {
    let one = f32x16::splat(simd, 1.0);
    let half = f32x16::splat(simd, 0.5);
    let mut low = [0_i32; WIDE];
    let mut high = [0_i32; WIDE];
    let mut bit = bit;
    for lane in 0..WIDE {
        let at = bit / 8;
        let eight: &[u8; 8] = bytes[at..at + 8].try_into().unwrap_or(&[0; 8]);
        let word = u64::from_le_bytes(*eight) >> (bit % 8);
        let a = codes.low_bits[lane] & 31;
        low[lane] = (word as u32 & !(u32::MAX << a)) as i32;
        bit += a as usize;
        if SPLIT {
            let b = codes.high_bits[lane] & 31;
            high[lane] = ((word >> a) as u32 & !(u32::MAX << b)) as i32;
            bit += b as usize;
        }
    }
    let code = f32x16::float_from(i32x16::load_array(simd, low));
    // Exact below 2²²: the halves keep quotients away from whole numbers.
    let quotient = ((code + half) * codes.over_x).floor();
    let x = code - quotient * codes.bases[0];
    let above = ((quotient + half) * codes.over_y).floor();
    let y = quotient - above * codes.bases[1];
    let mut z = above;
    if SPLIT {
        z = above + f32x16::float_from(i32x16::load_array(simd, high));
    }
    let [nx, ny, nz] = codes.bases;
    [
        x - (nx - one) * half,
        y - (ny - one) * half,
        z - (nz - one) * half,
    ]
}

/// The logarithm rounded up, of products of bases: few bits make a base, so a product is exact.
#[inline(always)]
fn bits_below<S: Simd>(count: f32x16<S>) -> u32x16<S> {
    let bits: u32x16<S> = count.bitcast();
    ((bits + 0x007f_ffff) >> 23) - 127
}

/// [`code::levels`] or [`code::split_levels`], by putting an index where a number has its exponent and
/// the first bits of its fraction.
#[inline(always)]
fn levels<S: Simd, const SPLIT: bool>(
    simd: S,
    index: u32x16<S>,
    is_split: mask32x16<S>,
) -> f32x16<S> {
    let signed: i32x16<S> = index.bitcast();
    let few = f32x16::float_from(signed) + f32x16::splat(simd, 1.0);
    let many: f32x16<S> = ((index << 21) + 0x4020_0000).bitcast();
    let joined = index.simd_lt(3).select(few, many);
    if !SPLIT {
        return joined;
    }
    let split: f32x16<S> = ((index << 22) + 0x3f80_0000).bitcast();
    is_split.select(split, joined)
}

/// One byte of each lane's four knots.
#[inline(always)]
fn bytes_of<S: Simd>(knots: [u32x16<S>; 4], shift: u32) -> [f32x16<S>; 4] {
    [
        byte_of(knots[0], shift),
        byte_of(knots[1], shift),
        byte_of(knots[2], shift),
        byte_of(knots[3], shift),
    ]
}

#[inline(always)]
fn byte_of<S: Simd>(knot: u32x16<S>, shift: u32) -> f32x16<S> {
    let byte: i32x16<S> = ((knot >> shift) & 255).bitcast();
    f32x16::float_from(byte)
}

/// One component of the spline.
#[inline(always)]
fn spline<S: Simd>(
    simd: S,
    block: &RotationBlock,
    component: usize,
    knots: &[[f32x16<S>; 4]; 4],
    weights: &[f32x16<S>; 4],
) -> f32x16<S> {
    let k = &knots[component];
    let sum = k[0] * weights[0] + k[1] * weights[1] + k[2] * weights[2] + k[3] * weights[3];
    let low = f32x16::load_array_ref(simd, &block.low[component]);
    low + f32x16::load_array_ref(simd, &block.scale[component]) * sum
}

/// Four numbers a lane to four rows of lanes.
#[inline(always)]
fn transposed<S: Simd>(simd: S, lanes: &[[u32; 4]; WIDE]) -> [u32x16<S>; 4] {
    let flat = lanes.as_flattened();
    let [a, b, c, d] = u32x4::load_four_interleaved(simd, &flat[..16]);
    let [e, f, g, h] = u32x4::load_four_interleaved(simd, &flat[16..32]);
    let [i, j, k, l] = u32x4::load_four_interleaved(simd, &flat[32..48]);
    let [m, n, o, p] = u32x4::load_four_interleaved(simd, &flat[48..]);
    [
        a.combine(e).combine(i.combine(m)),
        b.combine(f).combine(j.combine(n)),
        c.combine(g).combine(k.combine(o)),
        d.combine(h).combine(l.combine(p)),
    ]
}
