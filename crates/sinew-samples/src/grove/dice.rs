//! Deterministic random numbers (Steele, Lea and Flood 2014, "`SplitMix`").

pub(super) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Number in [0, 1).
    pub fn part(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    /// Number in [`low`, `high`).
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.part()
    }
}
