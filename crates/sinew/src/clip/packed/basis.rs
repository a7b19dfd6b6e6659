//! Uniform B-splines (de Boor 1978), linear or cubic: the smooth part of a track. Knots stand every
//! 1 to 128 frames, so that one set of weights serves every track with the same knots.

/// A degree and a spacing of knots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Basis {
    /// The spacing is 2 to this.
    pub log2_spacing: u8,
    /// Straight between knots, or cubic.
    pub is_linear: bool,
}

impl Basis {
    pub const LINEAR_1: Self = Self {
        log2_spacing: 0,
        is_linear: true,
    };

    pub fn from_bits(bits: u8) -> Option<Self> {
        (bits < 16).then_some(Self {
            log2_spacing: bits & 7,
            is_linear: bits & 8 != 0,
        })
    }

    pub fn bits(self) -> u8 {
        self.log2_spacing | u8::from(self.is_linear) << 3
    }

    pub fn degree(self) -> usize {
        if self.is_linear { 1 } else { 3 }
    }

    /// The last interval between knots, where clips of so many frames end.
    pub fn last_interval(self, frames: usize) -> usize {
        let steps = frames.saturating_sub(1);
        steps.div_ceil(1 << self.log2_spacing).max(1) - 1
    }

    /// How many knots a track of so many frames has.
    pub fn knots(self, frames: usize) -> usize {
        self.last_interval(frames) + 1 + self.degree()
    }

    /// The interval of a frame, and how far into it the frame stands.
    pub fn locate(self, frame: usize, last_interval: usize) -> (usize, f32) {
        let interval = (frame >> self.log2_spacing).min(last_interval);
        let into = frame - (interval << self.log2_spacing);
        (interval, into as f32 * self.over_spacing())
    }

    /// One over the spacing of knots.
    pub fn over_spacing(self) -> f32 {
        1.0 / (1_u32 << self.log2_spacing) as f32
    }

    /// The weights of the four knots from the interval's own on, so far into it. The decoder does the
    /// same in vectors.
    pub fn weights(self, u: f32) -> [f32; 4] {
        let s = 1.0 - u;
        if self.is_linear {
            return [s, u, 0.0, 0.0];
        }
        let first = s * s * s * SIXTH;
        let second = (u * u * (u * 3.0 - 6.0) + 4.0) * SIXTH;
        let fourth = u * u * u * SIXTH;
        [first, second, 1.0 - first - second - fourth, fourth]
    }
}

pub(super) const SIXTH: f32 = 1.0 / 6.0;
