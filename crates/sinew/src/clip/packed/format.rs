//! Parts that the encoder, which is the crate `sinew-pack`, shares with the decoder: numbers of the format, how few bits stand
//! for a number, and the chunks of a clip.
//!
//! Not part of the stable interface; for `sinew-pack`.

pub use super::basis::Spacing;
pub use super::code::{Code, small_float};
pub use super::file::{MAGIC, NO_PARENT, VERSION, VERSION_WITH_FINER};
pub use super::finite::is_finite;
pub use super::motion::{Head, Kind, MOST_FRAMES, SEGMENT, TAIL, low_from_code};
pub use super::read::limits::turn_kind;

use super::clip::PackedClip;
use super::motion::Motion;
use super::read::bytes::PackedError;
use super::read::extras::Extras;
use crate::clip::keyed::Clip;
use crate::clip::track::Track;
use crate::skeleton::Skeleton;
use std::borrow::Cow;

/// A motion chunk of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'c>(&'c Motion<'c>);

impl<'c> Chunk<'c> {
    /// As it stands in a file.
    pub fn bytes(self) -> &'c [u8] {
        &self.0.bytes
    }

    /// Numbers at its front.
    pub fn head(self) -> &'c Head {
        &self.0.head
    }

    /// Translation, rotation and scale of every joint.
    pub fn kinds(self) -> &'c [[Kind; 3]] {
        &self.0.kinds
    }

    /// The times of its frames; none where it has no packed track.
    pub fn frame_times(self) -> Vec<f32> {
        self.0.frame_times()
    }
}

/// The main chunk of a clip, then those of finer frames.
pub fn chunks<'c>(clip: &'c PackedClip<'_>) -> impl Iterator<Item = Chunk<'c>> {
    clip.motions().map(Chunk)
}

/// A clip of these motion chunks, and of the source's name, events, curves and morph weights.
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

/// The key at or before a time, and how far along it is to the next: 0 to 1.
pub fn locate(track: &Track, time_secs: f64) -> (usize, f64) {
    track.locate(time_secs)
}
