//! What `decode` does for sixteen joints, for one: the same operations in the same order, the same bits.
//!
//! Translations and scales come this way too: few joints have them.

use super::code::{self, Code};
use super::decode::Moment;
use super::motion::{Channel, Motion, RotationBlock, VectorTrack, WIDE};
use glam::{Quat, Vec3};

/// One joint's rotation, when it has a packed track.
pub(super) fn rotation(motion: &Motion<'_>, time_secs: f64, joint: usize) -> Option<Quat> {
    let index = motion
        .blocks
        .binary_search_by_key(&(joint / WIDE), |b| b.pair)
        .ok()?;
    let block = &motion.blocks[index];
    let lane = block
        .lanes
        .iter()
        .position(|&l| usize::from(l) == joint % WIDE)?;
    let moment = Moment::new(motion, time_secs);
    let (mut bits, _) = moment.block_bits(motion, index);
    let mut turn = [0.0; 4];
    for lane in 0..=lane {
        turn = rotation_lane(motion, &moment, block, lane, &mut bits);
    }
    Some(Quat::from_array(turn))
}

/// One joint's translation or scale, when it has a packed track.
pub(super) fn vector_of(
    motion: &Motion<'_>,
    time_secs: f64,
    joint: usize,
    channel: Channel,
) -> Option<Vec3> {
    let wanted = |t: &VectorTrack| t.joint == joint && t.channel == channel;
    let index = motion.vectors.iter().position(wanted)?;
    let moment = Moment::new(motion, time_secs);
    let (mut bits, _) = moment.block_bits(motion, motion.blocks.len());
    let mut value = [0.0; 3];
    for (index, track) in motion.vectors[..=index].iter().enumerate() {
        value = vector(
            motion,
            &moment,
            track,
            motion.rotation_tracks + index,
            &mut bits,
        );
    }
    Some(Vec3::from_array(value))
}

/// One track's residual on either side, in steps.
fn residual(
    motion: &Motion<'_>,
    moment: &Moment,
    track: usize,
    bits: &mut [usize; 2],
) -> [[f32; 3]; 2] {
    let bytes = &*motion.bytes;
    let mut steps = [[0.0; 3]; 2];
    for side in 0..2 {
        let code = Code::of(moment.head(bytes, side, track));
        let digits = code.digits(code::read_bits(bytes, bits[side], code.bits()));
        for c in 0..3 {
            steps[side][c] = digits[c] as f32 - (code.bases[c] as f32 - 1.0) * 0.5;
        }
        bits[side] += code.bits() as usize;
    }
    steps
}

/// What [`rotate_block`] does for one of the block's tracks.
fn rotation_lane(
    motion: &Motion<'_>,
    moment: &Moment,
    block: &RotationBlock,
    index: usize,
    bits: &mut [usize; 2],
) -> [f32; 4] {
    let lane = usize::from(block.lanes[index]);
    let steps = residual(motion, moment, block.first_track + index, bits);
    let basis = block.basis[lane];
    let last = block.last_interval[lane] as usize;
    let (interval, into) = basis.locate(moment.frames[0], last);
    let at = block.knots_at[lane] as usize + 4 * interval;
    let into = [into, into + moment.step() * basis.over_spacing()];
    let turn = |side: usize| {
        let [rx, ry, rz] = [0, 1, 2].map(|c| steps[side][c] * block.step[c][lane]);
        let weights = basis.weights(into[side]);
        let spline = |c: usize| {
            let at = |k: usize| f32::from(motion.bytes[at + 4 * k + c]) * weights[k];
            block.low[c][lane] + block.scale[c][lane] * (at(0) + at(1) + at(2) + at(3))
        };
        let (px, py, pz, pw) = (spline(0), spline(1), spline(2), spline(3));
        [
            px + pw * rx + py * rz - pz * ry,
            py + pw * ry + pz * rx - px * rz,
            pz + pw * rz + px * ry - py * rx,
            pw - px * rx - py * ry - pz * rz,
        ]
    };
    let square = |q: &[f32; 4]| q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let (a, b) = (turn(0), turn(1));
    let from = (1.0 - moment.t) * square(&b).sqrt();
    let to = moment.t * square(&a).sqrt();
    let joined = [0, 1, 2, 3].map(|c| a[c] * from + b[c] * to);
    let length = square(&joined);
    if length > 0.0 && length < f32::INFINITY {
        let over_length = 1.0 / length.sqrt();
        joined.map(|c| c * over_length)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// A translation or scale.
pub(super) fn vector(
    motion: &Motion<'_>,
    moment: &Moment,
    track: &VectorTrack,
    index: usize,
    bits: &mut [usize; 2],
) -> [f32; 3] {
    let steps = residual(motion, moment, index, bits);
    let last = track.basis.last_interval(motion.head.frames);
    let (interval, into) = track.basis.locate(moment.frames[0], last);
    let into = [into, into + moment.step() * track.basis.over_spacing()];
    let at = track.knots_at + 6 * interval;
    let component = |side: usize, c: usize| {
        let weights = track.basis.weights(into[side]);
        // A linear track has no third and fourth knot, and what stands there weighs nothing.
        let knot = |k: usize| {
            let at = at + 6 * k + 2 * c;
            let code = motion.bytes.get(at..at + 2);
            let code = code.map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
            f32::from(code) * weights[k]
        };
        let spline = track.low[c] + track.scale[c] * (knot(0) + knot(1) + knot(2) + knot(3));
        spline + steps[side][c] * track.step[c]
    };
    [0, 1, 2].map(|c| {
        let (a, b) = (component(0, c), component(1, c));
        a + (b - a) * moment.t
    })
}
