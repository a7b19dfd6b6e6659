use crate::clip::packed::basis::{SPACINGS, Spacing};
use crate::clip::packed::code::CodeLocation;
use crate::clip::packed::motion::{HAS_WIDE, Motion, SEGMENT, Segment};
use crate::clip::packed::uneven::UnevenTimes;

/// Max distance in frames at which a time snaps to a frame, because key times are rounded to `f32`.
const AT_FRAME: f64 = 1.0 / 4096.0;

pub(super) struct Moment {
    /// Segments of the frames before and after the time.
    pub segments: [usize; 2],
    frames_at: [usize; 2],
    /// Fraction of the time between the two frames, in [0, 1].
    pub t: f32,
    /// Interval between knots and the passed fraction of it, per spacing.
    pub intervals: [(usize, f32); SPACINGS],
}

impl Moment {
    #[inline(always)]
    pub fn new(motion: &Motion<'_>, time_secs: f64) -> Self {
        let last = motion.head.frames - 1;
        // NaN becomes the start of the clip.
        let frame_at = motion.frame_at(time_secs).max(0.0).min(last as f64);
        let nearest = frame_at.round();
        let frame_at = if (frame_at - nearest).abs() < AT_FRAME {
            nearest
        } else {
            frame_at
        };
        let frame = frame_at as usize;
        let t = (frame_at - frame as f64) as f32;
        let frames = [frame, (frame + 1).min(last)];
        let mut moment = Self {
            segments: [frames[0] / SEGMENT, frames[1] / SEGMENT],
            frames_at: [0; 2],
            t,
            intervals: [(0, 0.0); SPACINGS],
        };
        for side in 0..2 {
            let Segment { frames_at, stride } = motion.segments[moment.segments[side]];
            moment.frames_at[side] = frames_at + frames[side] % SEGMENT * stride;
        }
        for log2 in 0..SPACINGS {
            let spacing = Spacing { log2: log2 as u8 };
            let last = motion.last_intervals[log2];
            moment.intervals[log2] = if motion.times.is_empty() {
                spacing.locate(frame, t, last)
            } else {
                UnevenTimes(&motion.times).locate(spacing, frame, t, last)
            };
        }
        moment
    }

    /// First byte of the codes of a group in each frame, and true if codes may be wide.
    #[inline(always)]
    pub fn codes_at(&self, motion: &Motion<'_>, group: usize) -> ([usize; 2], bool) {
        let [a, b] = self.segments;
        let row = motion.blocks.len() + motion.vectors.len();
        let a = motion.codes_at[a * row + group];
        let b = motion.codes_at[b * row + group];
        let at = [
            self.frames_at[0] + (a & !HAS_WIDE) as usize,
            self.frames_at[1] + (b & !HAS_WIDE) as usize,
        ];
        (at, (a | b) & HAS_WIDE != 0)
    }

    /// Location of a track's code in its group, in the frame before (0) or after (1) the time.
    pub fn location(&self, motion: &Motion<'_>, side: usize, track: usize) -> CodeLocation {
        CodeLocation(motion.locations[self.segments[side] * motion.tracks() + track])
    }
}
