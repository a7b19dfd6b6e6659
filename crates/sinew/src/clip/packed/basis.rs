//! Straight lines between knots, which are 1 to 128 frames apart.

pub(super) const SPACINGS: usize = 8;

/// Distance between the knots of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// Base-2 logarithm of the distance in frames, 0 to 7.
    pub log2: u8,
}

impl Spacing {
    /// All spacings, from the closest to the widest.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SPACINGS as u8).map(|log2| Self { log2 })
    }

    pub(super) fn from_bits(bits: u8) -> Option<Self> {
        (usize::from(bits) < SPACINGS).then_some(Self { log2: bits })
    }

    /// Index of the last interval between knots, in a clip of `frames` frames.
    pub fn last_interval(self, frames: usize) -> usize {
        let steps = frames.saturating_sub(1);
        steps.div_ceil(1 << self.log2).max(1) - 1
    }

    /// Number of knots of a track with `frames` frames.
    pub fn knots(self, frames: usize) -> usize {
        self.last_interval(frames) + 2
    }

    /// Interval at the time `frame + t`, in frames, and the fraction of it that has passed.
    #[inline(always)]
    pub fn locate(self, frame: usize, t: f32, last_interval: usize) -> (usize, f32) {
        let interval = (frame >> self.log2).min(last_interval);
        let into = (frame - (interval << self.log2)) as f32 + t;
        // 2^−log2, exactly, from its exponent.
        let over_spacing = f32::from_bits((127 - u32::from(self.log2)) << 23);
        (interval, into * over_spacing)
    }
}
