//! Parts of the format that the encoder `sinew-pack` uses too. They are not a stable interface.

pub use super::basis::Spacing;
pub use super::code::{Code, small_float};
pub use super::file::{MAGIC, NO_PARENT, VERSION, VERSION_WITH_FINER, VERSION_WITH_TIMES};
pub use super::finite::is_finite;
pub use super::motion::{Head, Kind, MAX_FRAMES, SEGMENT, TAIL, UNEVEN, low_from_code};
pub use super::read::limits::rotation_kind;
pub use super::uneven::UnevenTimes;

use super::clip::PackedClip;
use super::motion::Motion;
use super::read::bytes::PackedError;
use super::read::extras::Extras;
use crate::clip::keyed::Clip;
use crate::clip::track::Track;
use crate::skeleton::Skeleton;
use std::borrow::Cow;

/// Motion chunk of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'c>(&'c Motion<'c>);

impl<'c> Chunk<'c> {
    /// Bytes of the chunk, as in a file.
    pub fn bytes(self) -> &'c [u8] {
        &self.0.bytes
    }

    /// Numbers at the start of the chunk.
    pub fn head(self) -> &'c Head {
        &self.0.head
    }

    /// Storage of the translation, rotation and scale of each joint.
    pub fn kinds(self) -> &'c [[Kind; 3]] {
        &self.0.kinds
    }

    /// Time in frames, not clamped to the clip if frames are evenly spaced.
    pub fn frame_at(self, time_secs: f64) -> f64 {
        self.0.frame_at(time_secs)
    }

    /// True if the frames have their own times.
    pub fn is_uneven(self) -> bool {
        !self.0.times.is_empty()
    }

    /// Times of the frames, in seconds. Empty if the chunk has no packed tracks.
    pub fn frame_times(self) -> Vec<f32> {
        self.0.frame_times()
    }
}

/// Main chunk of a clip, followed by its chunks with finer frames.
pub fn chunks<'c>(clip: &'c PackedClip<'_>) -> impl Iterator<Item = Chunk<'c>> {
    clip.motions().map(Chunk)
}

/// Clip from motion chunks, with the name, events, curves and morph weights of the source clip.
pub fn clip_from_chunks(
    skeleton: &Skeleton,
    source: &Clip,
    main: Vec<u8>,
    finer: impl Iterator<Item = Vec<u8>>,
) -> Result<PackedClip<'static>, PackedError> {
    let motion = Motion::from_bytes(Cow::Owned(main), 0, skeleton.rest())?;
    let mut clip = PackedClip::new(motion, Extras::of(source));
    for bytes in finer {
        let others = clip.motions();
        let motion = Motion::finer_from_bytes(Cow::Owned(bytes), 0, others, skeleton.len())?;
        clip.finer.push(motion);
    }
    Ok(clip)
}

/// Key at or before a time in seconds, and the fraction of the segment after it, in [0, 1].
pub fn locate(track: &Track, time_secs: f64) -> (usize, f64) {
    track.locate(time_secs)
}
