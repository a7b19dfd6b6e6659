//! Uniform B-splines (de Boor 1978), linear or cubic: the smooth part of a track. Knots stand every
//! 1 to 128 frames, so that one set of weights serves every track with the same knots.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8};

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

    /// The interval of a frame, and how far into it.
    pub fn locate(self, frame: usize, last_interval: usize) -> (usize, f32) {
        let interval = (frame >> self.log2_spacing).min(last_interval);
        let into = frame - (interval << self.log2_spacing);
        (interval, into as f32 / (1_u32 << self.log2_spacing) as f32)
    }

    /// The weights of the knots from the interval's own on, so far into it.
    pub fn weights_f64(self, u: f64) -> [f64; 4] {
        if self.is_linear {
            return [1.0 - u, u, 0.0, 0.0];
        }
        let s = 1.0 - u;
        [
            s * s * s / 6.0,
            (u * u * (3.0 * u - 6.0) + 4.0) / 6.0,
            (s * s * (3.0 * s - 6.0) + 4.0) / 6.0,
            u * u * u / 6.0,
        ]
    }
}

/// The weights for one frame: of cubic bases by spacing, then of linear ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights(pub [[f32; 4]; 2 * BASES]);

impl Weights {
    /// For a frame that lies so far into its interval.
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, into: &[f32; BASES]) -> Self {
        let u = f32x8::load_array_ref(simd, into);
        let one = f32x8::splat(simd, 1.0);
        let zero = f32x8::splat(simd, 0.0);
        let mut weights = Self([[0.0; 4]; 2 * BASES]);
        let (cubics, linears) = weights.0.as_flattened_mut().split_at_mut(4 * BASES);
        store_by_fours(cubic(simd, u), cubics);
        store_by_fours([one - u, u, zero, zero], linears);
        weights
    }

    pub fn of(&self, basis: Basis) -> [f32; 4] {
        self.0[usize::from(basis.bits())]
    }
}

#[inline(always)]
fn cubic<S: Simd>(simd: S, u: f32x8<S>) -> [f32x8<S>; 4] {
    let sixth = 1.0 / 6.0;
    let s = f32x8::splat(simd, 1.0) - u;
    [
        s * s * s * sixth,
        (u * u * (u * 3.0 - 6.0) + 4.0) * sixth,
        (s * s * (s * 3.0 - 6.0) + 4.0) * sixth,
        u * u * u * sixth,
    ]
}

#[inline(always)]
fn store_by_fours<S: Simd>(rows: [f32x8<S>; 4], out: &mut [f32]) {
    let [(a, e), (b, f), (c, g), (d, h)] = [
        rows[0].split(),
        rows[1].split(),
        rows[2].split(),
        rows[3].split(),
    ];
    let (first, second) = out.split_at_mut(16);
    f32x4::store_four_interleaved([a, b, c, d], first);
    f32x4::store_four_interleaved([e, f, g, h], second);
}
