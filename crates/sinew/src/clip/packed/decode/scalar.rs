//! Scalar decoding of one joint, with the operations of the lanes in the same order.

use super::moment::Moment;
use crate::clip::packed::code;
use crate::clip::packed::motion::{Channel, Motion};
use crate::pose::BLOCK;
use glam::{Quat, Vec3};

/// Min squared length of a rotation. Shorter rotations become the identity.
pub(super) const SHORTEST: f32 = 1e-30;

pub(in crate::clip::packed) fn rotation(
    motion: &Motion<'_>,
    time_secs: f64,
    joint: usize,
) -> Option<Quat> {
    let (lane, index) = (joint % BLOCK, joint / BLOCK);
    let index = motion
        .blocks
        .binary_search_by_key(&index, |b| b.block)
        .ok()?;
    let block = &motion.blocks[index];
    let nth = block.lanes.iter().position(|&l| usize::from(l) == lane)?;
    let moment = Moment::new(motion, time_secs);
    let steps = residual(motion, &moment, index, block.first_track + nth);
    let mut turn = [0.0; 4];
    for row in block.rows.iter().filter(|row| row.lanes >> lane & 1 != 0) {
        let (interval, u) = moment.intervals[usize::from(row.spacing.log2)];
        let at = row.at_lane(lane) + interval * row.stride;
        for c in 0..4 {
            let knot = |at: usize| f32::from(motion.bytes[at + c]);
            let (a, b) = (knot(at), knot(at + row.stride));
            let scale = block.scale[c].0[lane] * [1.0, 256.0, 65536.0, 1.0][c];
            let line = block.low[c].0[lane] + scale * (a + (b - a) * u);
            turn[c] = line + steps[c] * (2.0 * block.half_step[c].0[lane]);
        }
    }
    let [x, y, z, w] = turn;
    let length = x * x + y * y + z * z + w * w;
    if length < SHORTEST {
        return Some(Quat::IDENTITY);
    }
    let over_length = 1.0 / length.sqrt();
    Some(Quat::from_array(turn.map(|c| c * over_length)))
}

pub(in crate::clip::packed) fn vector(
    motion: &Motion<'_>,
    time_secs: f64,
    joint: usize,
    channel: Channel,
) -> Option<Vec3> {
    let mut tracks = motion.vectors.iter().flat_map(|group| &group.tracks);
    let nth = tracks.position(|t| t.joint == joint && t.channel == channel)?;
    let (index, lane) = (nth / BLOCK, nth % BLOCK);
    let group = &motion.vectors[index];
    let track = &group.tracks[lane];
    let moment = Moment::new(motion, time_secs);
    let index = motion.blocks.len() + index;
    let steps = residual(motion, &moment, index, group.first_track + lane);
    let (interval, u) = moment.intervals[usize::from(track.spacing.log2)];
    let at = track.knots_at + 6 * interval;
    let mut value = [0.0; 3];
    for c in 0..3 {
        let knot =
            |at: usize| f32::from(u16::from_le_bytes([motion.bytes[at], motion.bytes[at + 1]]));
        let (a, b) = (knot(at + 2 * c), knot(at + 2 * c + 6));
        let line = group.low[c].0[lane] + group.scale[c].0[lane] * (a + (b - a) * u);
        value[c] = line + steps[c] * (2.0 * group.half_step[c].0[lane]);
    }
    Some(Vec3::from_array(value))
}

fn residual(motion: &Motion<'_>, moment: &Moment, group: usize, track: usize) -> [f32; 4] {
    let (at, _) = moment.codes_at(motion, group);
    let mut steps = [[0.0; 4]; 2];
    for side in 0..2 {
        let location = moment.location(motion, side, track);
        let code = location.code();
        let bit = 8 * at[side] + location.bit();
        let digits = code.digits(code::read_bits(&motion.bytes, bit, code.bits()));
        for c in 0..4 {
            steps[side][c] = digits[c] as f32 - (code.bases[c] - 1) as f32 * 0.5;
        }
    }
    let [mut a, b] = steps;
    for c in 0..4 {
        a[c] += (b[c] - a[c]) * moment.t;
    }
    a
}
