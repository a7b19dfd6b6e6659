//! Bytes of a motion chunk, in the order in which the decoder reads them.

use super::lines::{Residuals, RotationTrack};
use super::vectors::VectorTrack;
use crate::bytes::code::{BitWriter, word};
use crate::bytes::times::TimeArrays;
use crate::bytes::write::Write;
use glam::{Quat, Vec3};
use sinew::clip::Track;
use sinew::clip::packed::format::{Code, Head, Kind, SEGMENT, Spacing, TAIL, UNEVEN};
use sinew::pose::BLOCK;

#[derive(Clone, Debug)]
pub(crate) enum Coded<C, P> {
    Rest,
    Constant(C),
    /// Index of a row (a series of frames), and the track packed at its frames.
    Packed(usize, P),
    Raw(Track),
}

impl<C, P> Coded<C, P> {
    fn constant(&self) -> Option<&C> {
        match self {
            Self::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Track packed on this row, if any.
    pub fn packed(&self, row: usize) -> Option<&P> {
        match self {
            Self::Packed(own, track) if *own == row => Some(track),
            _ => None,
        }
    }

    pub fn raw(&self) -> Option<&Track> {
        match self {
            Self::Raw(track) => Some(track),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CodedJoint {
    pub translation: Coded<Vec3, VectorTrack>,
    pub rotation: Coded<Quat, RotationTrack>,
    pub scale: Coded<Vec3, VectorTrack>,
}

impl CodedJoint {
    /// True if a channel is packed on this row.
    pub fn is_on(&self, row: usize) -> bool {
        self.translation.packed(row).is_some()
            || self.rotation.packed(row).is_some()
            || self.scale.packed(row).is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    /// Row of the packed tracks.
    pub row: usize,
    /// True for the chunk that also holds the constant and raw tracks.
    pub is_main: bool,
}

impl Part {
    fn kind<C, P>(self, channel: &Coded<C, P>) -> u8 {
        let kind = match channel {
            Coded::Packed(row, _) if *row == self.row => Kind::Packed,
            Coded::Constant(_) if self.is_main => Kind::Constant,
            Coded::Raw(_) if self.is_main => Kind::Raw,
            _ => Kind::Rest,
        };
        kind as u8
    }
}

/// `times` are the times of the frames, which are written if the head says that they are uneven.
pub(crate) fn motion_bytes(
    head: &Head,
    times: &[f32],
    joints: &[CodedJoint],
    part: Part,
) -> Vec<u8> {
    let mut out = Vec::new();
    out.u32(head.joints);
    out.u32(head.frames);
    out.f64(head.start_secs);
    out.f64(head.frames_per_sec);
    out.f32s(&[
        head.duration_secs,
        head.shell,
        head.max_error,
        head.measured_error,
    ]);
    out.put(&head.flags.to_le_bytes());
    if head.flags & UNEVEN != 0 {
        out.f32s(times);
    }
    for joint in joints {
        let (translation, rotation) = (part.kind(&joint.translation), part.kind(&joint.rotation));
        out.u8(translation | rotation << 2 | part.kind(&joint.scale) << 4);
    }
    for joint in joints.iter().filter(|_| part.is_main) {
        if let Some(value) = joint.translation.constant() {
            out.f32s(&value.to_array());
        }
        if let Some(value) = joint.rotation.constant() {
            out.f32s(&value.to_array());
        }
        if let Some(value) = joint.scale.constant() {
            out.f32s(&value.to_array());
        }
    }
    let rotations: Vec<&RotationTrack> = joints
        .iter()
        .filter_map(|j| j.rotation.packed(part.row))
        .collect();
    let vectors: Vec<&VectorTrack> = joints
        .iter()
        .flat_map(|j| [&j.translation, &j.scale])
        .filter_map(|channel| channel.packed(part.row))
        .collect();
    for track in &rotations {
        out.u8(track.spacing.log2);
        out.put(&track.scale_codes);
        out.put(&track.step_codes);
        for low in track.low_codes {
            out.u16(low as u16);
        }
    }
    for track in &vectors {
        out.u8(track.spacing.log2);
        out.put(&track.step_codes);
        out.f32s(&track.low);
        out.f32s(&track.scale);
    }
    for spacing in Spacing::all() {
        let tracks = || rotations.iter().filter(|t| t.spacing == spacing);
        for row in 0..tracks().next().map_or(0, |t| t.knots.len()) {
            tracks().for_each(|track| out.put(&track.knots[row]));
        }
    }
    for track in &vectors {
        for knot in track.knots.as_flattened() {
            out.u16(*knot);
        }
    }
    let rotating = joints.chunks(BLOCK).map(|joints| {
        let packed = joints.iter().filter_map(|j| j.rotation.packed(part.row));
        packed.map(|track| &track.residuals).collect()
    });
    let moving = vectors.iter().map(|t| &t.residuals).collect();
    let groups: Vec<Vec<&Residuals>> = rotating.chain([moving]).collect();
    if groups.iter().any(|group| !group.is_empty()) {
        put_segments(&groups, head.frames, &mut out);
    }
    let raw: Vec<&Track> = joints
        .iter()
        .filter(|_| part.is_main)
        .flat_map(|j| [j.translation.raw(), j.rotation.raw(), j.scale.raw()])
        .flatten()
        .collect();
    let times = TimeArrays::of(&raw);
    times.write(&mut out);
    for track in raw {
        times.write_track(track, &mut out);
    }
    out.put(&[0; TAIL]);
    out
}

fn put_segments(groups: &[Vec<&Residuals>], frames: usize, out: &mut Vec<u8>) {
    for first in (0..frames).step_by(SEGMENT) {
        let segment = first / SEGMENT;
        for track in groups.iter().flatten() {
            out.u16(track.heads[segment]);
        }
        for frame in first..frames.min(first + SEGMENT) {
            for group in groups {
                let mut bits = BitWriter::default();
                for track in group {
                    let code = Code::of(track.heads[segment]);
                    bits.put(word(code, track.digits[frame]), code.bits());
                }
                out.put(&bits.finish());
            }
        }
    }
}
