//! A motion chunk as it is sampled: small tables that say where in the borrowed bytes everything stands. `read` makes them.

use super::basis::{SPACINGS, Spacing};
use crate::clip::track::Track;
use crate::pose::{BLOCK, LocalPose};
use sinew_math::simd::Row;
use sinew_math::transform::Transform;
use std::borrow::Cow;

/// Max number of frames: as far as an `f32` counts.
pub const MOST_FRAMES: usize = 1 << 24;
/// Frames that share their heads.
pub const SEGMENT: usize = 16;
/// Zero bytes at the end, so that as many can be read from any place before them.
pub const TAIL: usize = 64;
/// The clip's keys are `model_from_joint`.
pub(super) const MODEL_SPACE: u32 = 1;

/// Marks where a group's codes begin when some of them have more than [`super::code::NARROW`] bits.
pub(super) const HAS_WIDE: u32 = 1 << 31;

/// The way in which a channel of a joint is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As in the rest pose.
    Rest,
    /// One value.
    Constant,
    /// Knots and residuals.
    Packed,
    /// Its keys as they are.
    Raw,
}

impl Kind {
    pub(super) fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Rest,
            1 => Self::Constant,
            2 => Self::Packed,
            _ => Self::Raw,
        }
    }
}

/// One of a joint's three channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Translation,
    Rotation,
    Scale,
}

pub(super) const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Numbers at the front of the chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// The number of joints that it has channels of.
    pub joints: usize,
    /// The number of frames of its packed tracks.
    pub frames: usize,
    /// Time of the first frame.
    pub start_secs: f64,
    /// Rate of the frames.
    pub frames_per_sec: f64,
    /// Length of the clip.
    pub duration_secs: f32,
    /// Distance from the joints at which the error was measured.
    pub shell: f32,
    /// The error that was asked for.
    pub max_error: f32,
    /// The error that was measured.
    pub measured_error: f32,
    /// None are known but that of clips in model space.
    pub flags: u32,
}

/// Up to sixteen rotation tracks whose joints stand in one block of the pose, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct RotationBlock {
    /// Index of the block of the pose.
    pub block: usize,
    /// Its first track; the others follow.
    pub first_track: usize,
    /// The lane of each of its tracks, ascending.
    pub lanes: Vec<u8>,
    /// A bit for each lane that has a track.
    pub has_track: u16,
    pub low: [Row; 4],
    /// Of the four bytes of a knot where they stand in a word.
    pub scale: [Row; 4],
    /// Half of a step: residuals are found doubled.
    pub half_step: [Row; 4],
    pub spacing: [Spacing; BLOCK],
    /// Its tracks by their spacing.
    pub rows: Vec<KnotRow>,
}

/// The tracks of a block whose knots are equally far apart, and so stand side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnotRow {
    pub spacing: Spacing,
    /// A bit for each of their lanes.
    pub lanes: u16,
    /// Location of their first knots.
    pub at: usize,
    /// Distance to the next ones, in bytes.
    pub stride: usize,
}

impl KnotRow {
    /// Location of the first knot of one of its lanes.
    pub fn at_lane(&self, lane: usize) -> usize {
        let before = self.lanes & ((1 << lane) - 1);
        self.at + 4 * before.count_ones() as usize
    }
}

/// Up to sixteen translation and scale tracks that follow each other in the file, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct VectorGroup {
    /// Its first track, of all; the others follow.
    pub first_track: usize,
    pub tracks: Vec<VectorTrack>,
    /// A bit for each lane that has a track.
    pub has_track: u16,
    pub low: [Row; 3],
    pub scale: [Row; 3],
    /// Half of a step, as in a block.
    pub half_step: [Row; 3],
}

/// A translation or scale track.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorTrack {
    pub joint: usize,
    pub channel: Channel,
    pub spacing: Spacing,
    pub knots_at: usize,
}

/// Frames that share their heads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Location of its first frame.
    pub frames_at: usize,
    /// Bytes a frame.
    pub stride: usize,
}

/// A track kept as it was.
#[derive(Clone, Debug)]
pub(super) struct RawTrack {
    pub joint: usize,
    pub channel: Channel,
    pub track: Track,
}

impl RawTrack {
    /// Writes its channel of its joint.
    pub fn sample(&self, time_secs: f64, pose: &mut LocalPose) {
        let mut local = pose.get(self.joint);
        self.sample_onto(time_secs, &mut local);
        pose.set(self.joint, local);
    }

    /// Writes its channel; readers refuse a track that has not its width.
    pub fn sample_onto(&self, time_secs: f64, local: &mut Transform) {
        let vector = || self.track.sample_vector(time_secs);
        match self.channel {
            Channel::Translation => local.translation = vector().unwrap_or(local.translation),
            Channel::Rotation => {
                let rotation = self.track.sample_rotation(time_secs);
                local.rotation = rotation.unwrap_or(local.rotation);
            }
            Channel::Scale => local.scale = vector().unwrap_or(local.scale),
        }
    }
}

/// A checked motion chunk. One with finer frames, beside the clip's main one, has packed tracks and nothing else.
#[derive(Clone, Debug)]
pub(super) struct Motion<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub head: Head,
    pub kinds: Vec<[Kind; 3]>,
    /// The pose of all that does not move; of no joints in a chunk of finer frames.
    pub still: LocalPose,
    pub rotation_tracks: usize,
    pub vector_tracks: usize,
    pub blocks: Vec<RotationBlock>,
    pub vectors: Vec<VectorGroup>,
    /// For each spacing of knots, the last interval.
    pub last_intervals: [usize; SPACINGS],
    pub segments: Vec<Segment>,
    /// For each segment, where in a frame the codes of each block begin and whether some are wide
    /// ([`HAS_WIDE`]), then of each group of vectors.
    pub codes_at: Vec<u32>,
    /// For each segment and track, the [`Place`](super::code::Place) of its codes. Sixteen can be read from any.
    pub places: Vec<u32>,
    pub raw: Vec<RawTrack>,
}

impl Motion<'_> {
    /// The same without a borrow.
    pub fn into_owned(self) -> Motion<'static> {
        Motion {
            bytes: Cow::Owned(self.bytes.into_owned()),
            head: self.head,
            kinds: self.kinds,
            still: self.still,
            rotation_tracks: self.rotation_tracks,
            vector_tracks: self.vector_tracks,
            blocks: self.blocks,
            vectors: self.vectors,
            last_intervals: self.last_intervals,
            segments: self.segments,
            codes_at: self.codes_at,
            places: self.places,
            raw: self.raw,
        }
    }

    /// The number of packed tracks.
    #[inline(always)]
    pub fn tracks(&self) -> usize {
        self.rotation_tracks + self.vector_tracks
    }

    /// The channels of one kind, in order of joints.
    pub fn channels(&self, wanted: Kind) -> impl Iterator<Item = (usize, Channel)> {
        channels(&self.kinds, wanted)
    }

    /// The time of a frame.
    pub fn frame_secs(&self, frame: usize) -> f64 {
        self.head.start_secs + frame as f64 / self.head.frames_per_sec
    }

    /// The times of its frames, if it has packed tracks.
    pub fn frame_times(&self) -> Vec<f32> {
        let frames = if self.segments.is_empty() {
            0
        } else {
            self.head.frames
        };
        (0..frames).map(|f| self.frame_secs(f) as f32).collect()
    }
}

/// The channels of one kind, in order of joints.
pub(super) fn channels(
    kinds: &[[Kind; 3]],
    wanted: Kind,
) -> impl Iterator<Item = (usize, Channel)> {
    kinds.iter().enumerate().flat_map(move |(joint, kinds)| {
        let channels = CHANNELS.into_iter().zip(*kinds);
        let channels = channels.filter(move |c| c.1 == wanted);
        channels.map(move |c| (joint, c.0))
    })
}

/// The least value of a quaternion's knots.
pub fn low_from_code(code: i16) -> f32 {
    f32::from(code) / 16384.0
}
