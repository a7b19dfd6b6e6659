//! The only place that chooses an instruction set, and the small pieces that kernels share.
//!
//! Kernels are written once with `fearless_simd` and compiled for every instruction set; which one
//! runs is decided here, at run time. Skinning may fuse multiplications and additions and so may
//! differ in the last bits between instruction sets; poses may not and do not come through here.

use bytemuck::{Pod, Zeroable};
use fearless_simd::prelude::*;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How many vertices stand side by side in a [`Row`].
pub const LANES: usize = 16;

/// One number of sixteen vertices: a cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Default, Pod, Zeroable)]
pub struct Row(pub [f32; LANES]);

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Level(pub(crate) fearless_simd::Level);

/// Why an instruction set cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this machine cannot run \"{wanted}\"; it has {available}")]
pub struct NoSuchLevel {
    wanted: String,
    available: String,
}

impl Level {
    /// The best that the machine has.
    pub fn best() -> Self {
        Self(fearless_simd::Level::new())
    }

    /// The best for kernels of eight lanes: there AVX-512 only tempts the compiler into detours.
    pub(crate) fn best_of_eight_lanes() -> Self {
        let best = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(avx2) = best.as_avx2() {
            return Self(fearless_simd::Level::Avx2(avx2));
        }
        Self(best)
    }

    /// All that the machine has, the best first.
    pub fn all() -> Vec<Self> {
        let best = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            use fearless_simd::Level as L;
            let levels = [
                best.as_avx512().map(L::Avx512),
                best.as_avx2().map(L::Avx2),
                best.as_sse4_2().map(L::Sse4_2),
                best.as_sse2().map(L::Sse2),
            ];
            levels.into_iter().flatten().map(Self).collect()
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        vec![Self(best)]
    }

    /// Its name, as [`Level::from_str`] reads it.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512(_) => "avx512",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2(_) => "avx2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse4_2(_) => "sse4.2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse2(_) => "sse2",
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon(_) => "neon",
            _ => "portable",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(name: &str) -> Result<Self, NoSuchLevel> {
        let levels = Self::all();
        let names = || {
            levels
                .iter()
                .map(|l| l.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let found = levels.iter().find(|l| l.name() == name);
        found.copied().ok_or_else(|| NoSuchLevel {
            wanted: name.to_owned(),
            available: names(),
        })
    }
}

/// 1/√x for positive normal numbers, off by 6e-6 at most: a guess from the exponent (Lomont 2003) and
/// three terms of the series in what is left. Much cheaper than a root and a division, and shorter in
/// a chain of operations than two Newton steps. Zero gives a large finite number.
#[inline(always)]
pub(crate) fn reciprocal_sqrt<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let bits: S::u32s = x.bitcast();
    let guess: S::f32s = (S::u32s::splat(simd, 0x5f37_5a86) - (bits >> 1)).bitcast();
    let left = (-x).mul_add(guess * guess, S::f32s::splat(simd, 1.0));
    let series = left.mul_add(S::f32s::splat(simd, 0.3125), S::f32s::splat(simd, 0.375));
    let series = left.mul_add(series, S::f32s::splat(simd, 0.5));
    (guess * left).mul_add(series, guess)
}

/// 2/x to the last bit or two: the machine's estimate and two Newton steps.
#[inline(always)]
pub(crate) fn twice_reciprocal<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let two = S::f32s::splat(simd, 2.0);
    let r = x.approximate_recip();
    let r = r * (-x).mul_add(r, two);
    let r = r * (-x).mul_add(r, two);
    r + r
}
