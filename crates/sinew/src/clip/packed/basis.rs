//! Uniform B-splines (de Boor 1978), linear or cubic: the smooth part of a track. Knots stand every
//! 1 to 128 frames, so that one set of weights serves every track with the same knots.

/// How many spacings of knots there are: 1, 2, 4 … 128 frames.
pub(super) const BASES: usize = 8;

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
    pub fn last_interval(log2_spacing: usize, frames: usize) -> usize {
        let steps = frames.saturating_sub(1);
        steps.div_ceil(1 << log2_spacing).max(1) - 1
    }

    /// How many knots a track of so many frames has.
    pub fn knots(self, frames: usize) -> usize {
        Self::last_interval(self.log2_spacing.into(), frames) + 1 + self.degree()
    }

    /// The interval of a frame, and how many 128ths into it the frame stands.
    pub fn locate(log2_spacing: usize, frame: usize, last_interval: usize) -> (usize, usize) {
        let interval = (frame >> log2_spacing).min(last_interval);
        let into = frame - (interval << log2_spacing);
        (interval, into << (BASES - 1 - log2_spacing))
    }

    /// Which of the two tables of [`WEIGHTS`].
    pub fn table(self) -> usize {
        usize::from(self.is_linear)
    }
}

/// The largest spacing of knots.
pub(super) const WIDEST: usize = 1 << (BASES - 1);

/// The weights of the four knots from the interval's own on: of a cubic basis, so many 128ths of the
/// way into the interval, then of a linear one. Frames stand at such places only.
pub(super) static WEIGHTS: [[[f32; 4]; WIDEST + 1]; 2] = weights();

const fn weights() -> [[[f32; 4]; WIDEST + 1]; 2] {
    let mut table = [[[0.0; 4]; WIDEST + 1]; 2];
    let mut place = 0;
    while place <= WIDEST {
        let u = place as f64 / WIDEST as f64;
        let s = 1.0 - u;
        table[0][place] = [
            (s * s * s / 6.0) as f32,
            ((u * u * (3.0 * u - 6.0) + 4.0) / 6.0) as f32,
            ((s * s * (3.0 * s - 6.0) + 4.0) / 6.0) as f32,
            (u * u * u / 6.0) as f32,
        ];
        table[1][place] = [s as f32, u as f32, 0.0, 0.0];
        place += 1;
    }
    table
}
