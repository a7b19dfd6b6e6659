use super::basis::{SPACINGS, Spacing};
use super::uneven::UnevenTimes;
use crate::clip::track::Track;
use crate::pose::{BLOCK, LocalPose};
use sinew_math::simd::Row;
use sinew_math::transform::Transform;
use std::borrow::Cow;

/// Max number of frames: the largest count that an `f32` holds exactly.
pub const MAX_FRAMES: usize = 1 << 24;
/// Number of frames in a segment. The frames of a segment share the bit widths of their codes.
pub const SEGMENT: usize = 16;
/// Number of zero bytes at the end, so that reads past the codes stay in bounds.
pub const TAIL: usize = 64;
/// Flag of a chunk: keys hold `model_from_joint`.
pub(super) const MODEL_SPACE: u32 = 1;
/// Flag of a chunk: its frames have their own times.
pub const UNEVEN: u32 = 2;

/// Flag of a group's offset: some codes have more than [`super::code::NARROW`] bits.
pub(super) const HAS_WIDE: u32 = 1 << 31;

/// Storage of a channel of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rest pose. Nothing is stored.
    Rest,
    /// One value for all times.
    Constant,
    /// Knots and residuals.
    Packed,
    /// Original keys.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Translation,
    Rotation,
    Scale,
}

pub(super) const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Numbers at the start of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Number of joints with channels.
    pub joints: usize,
    /// Number of frames of the packed tracks.
    pub frames: usize,
    /// Time of the first frame, in seconds.
    pub start_secs: f64,
    /// Frames per second.
    pub frames_per_sec: f64,
    /// Duration of the clip, in seconds.
    pub duration_secs: f32,
    /// Shell distance at which the error was measured, in units of the skeleton.
    pub shell: f32,
    /// Max error that was requested, in units of the skeleton.
    pub max_error: f32,
    /// Error that was measured, in units of the skeleton.
    pub measured_error: f32,
    /// Flags: [`MODEL_SPACE`] and [`UNEVEN`].
    pub flags: u32,
}

/// Up to sixteen rotation tracks, in lanes, of the joints in one block of the pose.
#[derive(Clone, Debug)]
pub(super) struct RotationBlock {
    /// Index of the block in the pose.
    pub block: usize,
    /// Index of the first track. The other tracks follow it.
    pub first_track: usize,
    /// Lane of each track, ascending.
    pub lanes: Vec<u8>,
    /// One bit per lane, set if the lane has a track.
    pub has_track: u16,
    pub low: [Row; 4],
    /// Scale of the bytes of a knot at their position in a word.
    pub scale: [Row; 4],
    /// Half a quantization step per component, because residuals are doubled.
    pub half_step: [Row; 4],
    pub spacing: [Spacing; BLOCK],
    /// Tracks, grouped by the spacing of their knots.
    pub rows: Vec<KnotRow>,
}

/// Tracks of a block with the same spacing. Their knots are stored side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnotRow {
    pub spacing: Spacing,
    /// One bit per lane, set if the lane has a track.
    pub lanes: u16,
    /// Byte offset of the first knots.
    pub at: usize,
    /// Number of bytes to the next knots.
    pub stride: usize,
}

impl KnotRow {
    /// Byte offset of the first knot of a lane.
    pub fn at_lane(&self, lane: usize) -> usize {
        let before = self.lanes & ((1 << lane) - 1);
        self.at + 4 * before.count_ones() as usize
    }
}

/// Up to sixteen translation and scale tracks, in file order, in lanes.
#[derive(Clone, Debug)]
pub(super) struct VectorGroup {
    /// Index of the first track. The other tracks follow it.
    pub first_track: usize,
    pub tracks: Vec<VectorTrack>,
    /// One bit per lane, set if the lane has a track.
    pub has_track: u16,
    pub low: [Row; 3],
    pub scale: [Row; 3],
    /// Half a quantization step per component, because residuals are doubled.
    pub half_step: [Row; 3],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct VectorTrack {
    pub joint: usize,
    pub channel: Channel,
    pub spacing: Spacing,
    pub knots_at: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Byte offset of the first frame.
    pub frames_at: usize,
    /// Number of bytes per frame.
    pub stride: usize,
}

#[derive(Clone, Debug)]
pub(super) struct RawTrack {
    pub joint: usize,
    pub channel: Channel,
    pub track: Track,
}

impl RawTrack {
    /// Writes the channel to a pose.
    pub fn sample(&self, time_secs: f64, pose: &mut LocalPose) {
        let mut local = pose.get(self.joint);
        self.sample_onto(time_secs, &mut local);
        pose.set(self.joint, local);
    }

    /// Writes the channel to a transform. Tracks of the wrong width were rejected on reading.
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

/// Checked motion chunk. A chunk of finer frames has only packed tracks.
#[derive(Clone, Debug)]
pub(super) struct Motion<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub head: Head,
    /// Times of the frames, in seconds. Empty if they are evenly spaced.
    pub times: Vec<f32>,
    pub kinds: Vec<[Kind; 3]>,
    /// Values of all constant channels. A chunk of finer frames has none.
    pub still: LocalPose,
    pub rotation_tracks: usize,
    pub vector_tracks: usize,
    pub blocks: Vec<RotationBlock>,
    pub vectors: Vec<VectorGroup>,
    /// Index of the last interval between knots, per spacing.
    pub last_intervals: [usize; SPACINGS],
    pub segments: Vec<Segment>,
    /// Byte offset of the codes in a frame, with [`HAS_WIDE`], per segment: blocks, then vectors.
    pub codes_at: Vec<u32>,
    /// Locations of the codes per segment and track, padded so that sixteen follow each index.
    pub locations: Vec<u32>,
    pub raw: Vec<RawTrack>,
}

impl Motion<'_> {
    /// Same motion with its own copy of the bytes.
    pub fn into_owned(self) -> Motion<'static> {
        Motion {
            bytes: Cow::Owned(self.bytes.into_owned()),
            head: self.head,
            times: self.times,
            kinds: self.kinds,
            still: self.still,
            rotation_tracks: self.rotation_tracks,
            vector_tracks: self.vector_tracks,
            blocks: self.blocks,
            vectors: self.vectors,
            last_intervals: self.last_intervals,
            segments: self.segments,
            codes_at: self.codes_at,
            locations: self.locations,
            raw: self.raw,
        }
    }

    /// Number of packed tracks.
    #[inline(always)]
    pub fn tracks(&self) -> usize {
        self.rotation_tracks + self.vector_tracks
    }

    /// Channels of the kind `requested`, in order of joints.
    pub fn channels(&self, requested: Kind) -> impl Iterator<Item = (usize, Channel)> {
        channels(&self.kinds, requested)
    }

    /// Time of a frame, in seconds.
    pub fn frame_secs(&self, frame: usize) -> f64 {
        match self.times.get(frame) {
            Some(secs) => f64::from(*secs),
            None => self.head.start_secs + frame as f64 / self.head.frames_per_sec,
        }
    }

    /// Time in frames, not clamped to the clip if frames are evenly spaced.
    #[inline(always)]
    pub fn frame_at(&self, time_secs: f64) -> f64 {
        if self.times.is_empty() {
            (time_secs - self.head.start_secs) * self.head.frames_per_sec
        } else {
            UnevenTimes(&self.times).frame_at(time_secs)
        }
    }

    /// Times of the frames, in seconds. Empty if the chunk has no packed tracks.
    pub fn frame_times(&self) -> Vec<f32> {
        let frames = if self.segments.is_empty() {
            0
        } else {
            self.head.frames
        };
        (0..frames).map(|f| self.frame_secs(f) as f32).collect()
    }
}

pub(super) fn channels(
    kinds: &[[Kind; 3]],
    requested: Kind,
) -> impl Iterator<Item = (usize, Channel)> {
    kinds.iter().enumerate().flat_map(move |(joint, kinds)| {
        let channels = CHANNELS.into_iter().zip(*kinds);
        let channels = channels.filter(move |c| c.1 == requested);
        channels.map(move |c| (joint, c.0))
    })
}

/// Decodes the min value among the knots of a rotation track.
pub fn low_from_code(code: i16) -> f32 {
    f32::from(code) / 16384.0
}
