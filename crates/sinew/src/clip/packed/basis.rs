//! The straight lines between knots that a track is predicted by. Knots stand every 1 to 128 frames, and one
//! place between two of them serves every track with the same spacing.

/// How many spacings there are.
pub(super) const SPACINGS: usize = 8;

/// How far apart knots stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// The number of frames is 2 to this.
    pub log2: u8,
}

impl Spacing {
    /// From the closest to the farthest.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SPACINGS as u8).map(|log2| Self { log2 })
    }

    pub(super) fn from_bits(bits: u8) -> Option<Self> {
        (usize::from(bits) < SPACINGS).then_some(Self { log2: bits })
    }

    /// The last interval between knots, where clips of so many frames end.
    pub fn last_interval(self, frames: usize) -> usize {
        let steps = frames.saturating_sub(1);
        steps.div_ceil(1 << self.log2).max(1) - 1
    }

    /// How many knots a track of so many frames has.
    pub fn knots(self, frames: usize) -> usize {
        self.last_interval(frames) + 2
    }

    /// The interval of a frame, and how far into it lies what is `t` of a frame later.
    #[inline(always)]
    pub fn locate(self, frame: usize, t: f32, last_interval: usize) -> (usize, f32) {
        let interval = (frame >> self.log2).min(last_interval);
        let into = (frame - (interval << self.log2)) as f32 + t;
        // A power of two, exactly: its exponent.
        let over_spacing = f32::from_bits((127 - u32::from(self.log2)) << 23);
        (interval, into * over_spacing)
    }
}
