//! Times of frames that are not evenly spaced, such as keys at rounded times.

use super::basis::Spacing;

/// Times of the frames of a chunk, in seconds, ascending. At least two.
#[derive(Clone, Copy, Debug)]
pub struct UnevenTimes<'t>(pub &'t [f32]);

impl UnevenTimes<'_> {
    /// Frame at or before a time in seconds, plus the passed fraction of the interval after it. NaN becomes the start.
    pub fn frame_at(self, time_secs: f64) -> f64 {
        let after = self.0.partition_point(|&t| f64::from(t) <= time_secs);
        match after.checked_sub(1) {
            None => 0.0,
            Some(frame) if after == self.0.len() => frame as f64,
            Some(frame) => {
                let (from, to) = (self.secs(frame), self.secs(after));
                frame as f64 + (time_secs - from) / (to - from)
            }
        }
    }

    /// Interval between knots at the time `frame + t`, in frames, and the fraction of its seconds that has passed. A
    /// line in seconds stays near a smooth motion; a line in frames would not.
    pub fn locate(
        self,
        spacing: Spacing,
        frame: usize,
        t: f32,
        last_interval: usize,
    ) -> (usize, f32) {
        let interval = (frame >> spacing.log2).min(last_interval);
        let secs = self.secs(frame);
        let secs = secs + f64::from(t) * (self.secs(frame + 1) - secs);
        let [from, to] = [interval, interval + 1].map(|knot| self.secs(knot << spacing.log2));
        (interval, ((secs - from) / (to - from)) as f32)
    }

    /// Time of a frame. Frames past the last one are a mean interval apart.
    fn secs(self, frame: usize) -> f64 {
        let last = self.0.len() - 1;
        let [first_secs, last_secs] = [self.0[0], self.0[last]].map(f64::from);
        match self.0.get(frame) {
            Some(secs) => f64::from(*secs),
            None => last_secs + (last_secs - first_secs) * (frame - last) as f64 / last as f64,
        }
    }
}
