//! What `decode` does for sixteen joints, for one: the same operations in the same order, the same bits.
//!
//! Translations and scales come this way too: few joints have them. So do blocks with wide codes.

use super::code::{self, Code};
use super::decode::{Moment, SHORTEST};
use super::motion::{Channel, Motion, RotationBlock, VectorTrack};
use crate::pose::BLOCK;
use glam::{Quat, Vec3};

/// One joint's rotation, when it has a packed track.
pub(super) fn rotation(motion: &Motion<'_>, time_secs: f64, joint: usize) -> Option<Quat> {
    let index = motion
        .blocks
        .binary_search_by_key(&(joint / BLOCK), |b| b.block)
        .ok()?;
    let block = &motion.blocks[index];
    let wanted = |lane: &u8| usize::from(*lane) == joint % BLOCK;
    let nth = block.lanes.iter().position(wanted)?;
    let moment = Moment::new(motion, time_secs);
    let mut bits = moment.codes_at(motion, index).map(|at| 8 * at);
    let mut turn = [0.0; 4];
    for nth in 0..=nth {
        turn = rotation_of(motion, &moment, block, nth, &mut bits);
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
    let nth = motion.vectors.iter().position(wanted)?;
    let moment = Moment::new(motion, time_secs);
    let mut bits = moment
        .codes_at(motion, motion.blocks.len())
        .map(|at| 8 * at);
    let mut value = [0.0; 3];
    for nth in 0..=nth {
        value = vector(motion, &moment, nth, &mut bits);
    }
    Some(Vec3::from_array(value))
}

/// One track's residual, in steps, and on to the next track's.
#[inline(always)]
fn residual(motion: &Motion<'_>, moment: &Moment, track: usize, bits: &mut [usize; 2]) -> [f32; 4] {
    let bytes = &*motion.bytes;
    let mut steps = [[0.0; 4]; 2];
    for side in 0..2 {
        let code = Code::of(moment.head(bytes, side, track));
        let digits = code.digits(code::read_bits(bytes, bits[side], code.bits()));
        for c in 0..4 {
            steps[side][c] = digits[c] as f32 - (code.bases[c] - 1) as f32 * 0.5;
        }
        bits[side] += code.bits() as usize;
    }
    let [mut a, b] = steps;
    for c in 0..4 {
        a[c] += (b[c] - a[c]) * moment.t;
    }
    a
}

/// One of a block's tracks.
pub(super) fn rotation_of(
    motion: &Motion<'_>,
    moment: &Moment,
    block: &RotationBlock,
    nth: usize,
    bits: &mut [usize; 2],
) -> [f32; 4] {
    let lane = usize::from(block.lanes[nth]);
    let steps = residual(motion, moment, block.first_track + nth, bits);
    let mut turn = [0.0; 4];
    for row in block.rows.iter().filter(|row| row.lanes >> lane & 1 != 0) {
        let (interval, u) = moment.places[usize::from(row.spacing.log2)];
        let at = row.at_lane(lane) + interval * row.stride;
        for c in 0..4 {
            let knot = |at: usize| f32::from(motion.bytes[at + c]);
            let (a, b) = (knot(at), knot(at + row.stride));
            // Where the byte stands in its word.
            let scale = block.scale[c][lane] * [1.0, 256.0, 65536.0, 1.0][c];
            let line = block.low[c][lane] + scale * (a + (b - a) * u);
            turn[c] = line + steps[c] * block.step[c][lane];
        }
    }
    let [x, y, z, w] = turn;
    let length = x * x + y * y + z * z + w * w;
    if length < SHORTEST {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let over_length = 1.0 / length.sqrt();
    turn.map(|c| c * over_length)
}

/// A translation or scale.
pub(super) fn vector(
    motion: &Motion<'_>,
    moment: &Moment,
    nth: usize,
    bits: &mut [usize; 2],
) -> [f32; 3] {
    let track = &motion.vectors[nth];
    let steps = residual(motion, moment, motion.rotation_tracks + nth, bits);
    let (interval, u) = moment.places[usize::from(track.spacing.log2)];
    let at = track.knots_at + 6 * interval;
    let mut value = [0.0; 3];
    for c in 0..3 {
        let knot =
            |at: usize| f32::from(u16::from_le_bytes([motion.bytes[at], motion.bytes[at + 1]]));
        let (a, b) = (knot(at + 2 * c), knot(at + 2 * c + 6));
        let line = track.low[c] + track.scale[c] * (a + (b - a) * u);
        value[c] = line + steps[c] * track.step[c];
    }
    value
}
