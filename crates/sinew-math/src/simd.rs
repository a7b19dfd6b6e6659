//! Choice of the instruction set at run time, and code that kernels share.
//!
//! Kernels are written once with `fearless_simd` and compiled for each [`Level`]. Skinning may fuse
//! operations, so its last bits may differ. Pose kernels give the same bits on all levels.

use bytemuck::{Pod, Zeroable};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{f32x8, f32x16};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Evaluates an expression with the token of a [`Level`]. On x86: AVX-512, AVX2 and SSE2 (also for
/// SSE4.2, to save code). Unoptimised crates (see the build script) use only SSE2: three copies
/// took 5 GB of memory to compile.
#[doc(hidden)]
#[macro_export]
#[cfg(target_arch = "x86_64")]
macro_rules! dispatch {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level.0 {
            #[cfg(not(sinew_unoptimised))]
            fearless_simd::Level::Avx512($simd) => $op,
            #[cfg(not(sinew_unoptimised))]
            fearless_simd::Level::Avx2($simd) => $op,
            level => match level.as_sse2() {
                Some($simd) => $op,
                None => unreachable!("x86-64 has SSE2"),
            },
        }
    };
}

/// Evaluates an expression with the token of a [`Level`], whose type is the instruction set.
#[doc(hidden)]
#[macro_export]
#[cfg(not(target_arch = "x86_64"))]
macro_rules! dispatch {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level.0 {
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon($simd) => $op,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128($simd) => $op,
            #[cfg(not(any(
                target_arch = "aarch64",
                target_arch = "x86",
                all(target_arch = "wasm32", target_feature = "simd128")
            )))]
            fearless_simd::Level::Fallback($simd) => $op,
            #[cfg(target_arch = "x86")]
            level if level.as_sse2().is_some() => match level.as_sse2() {
                Some($simd) => $op,
                None => unreachable!("the guard has seen SSE2"),
            },
            _ => unreachable!("every level of this target has an arm"),
        }
    };
}

/// Number of values in a [`Row`].
pub const LANES: usize = 16;

/// One number for each of sixteen vertices, in one cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Default, Pod, Zeroable)]
pub struct Row(pub [f32; LANES]);

/// Instruction set that this machine supports.
#[derive(Clone, Copy, Debug)]
pub struct Level(#[doc(hidden)] pub fearless_simd::Level);

/// Error for an instruction set that this machine does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this machine cannot run \"{requested}\"; it has {available}")]
pub struct NoSuchLevel {
    requested: String,
    available: String,
}

impl Level {
    /// Best instruction set of the machine.
    pub fn best() -> Self {
        Self(fearless_simd::Level::new())
    }

    /// All instruction sets of the machine, the best first.
    pub fn all() -> Vec<Self> {
        let best = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            use fearless_simd::Level as L;
            let levels = [
                best.as_avx512().map(L::Avx512),
                best.as_avx2().map(L::Avx2),
                best.as_sse2().map(L::Sse2),
            ];
            levels.into_iter().flatten().map(Self).collect()
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        vec![Self(best)]
    }

    /// Name that [`Level::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512(_) => "avx512",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2(_) => "avx2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Sse4_2(_) | fearless_simd::Level::Sse2(_) => "sse2",
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
            requested: name.to_owned(),
            available: names(),
        })
    }
}

/// 1/√x for positive normal numbers, with a relative error of up to 6.2e-5 (AVX-512) or 6e-6, much
/// faster than a root and a division. Zero gives infinity or a large number.
#[doc(hidden)]
#[inline(always)]
pub fn reciprocal_sqrt<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V) -> V {
    #[cfg(target_arch = "x86_64")]
    match simd.level() {
        fearless_simd::Level::Avx512(avx512) if V::LEN == 16 => {
            let wide = f32x16::from_slice(avx512, &lanes::<S, V, 16>(x));
            let root: f32x16<_> = x86::estimate_avx512(avx512, wide.into()).simd_into(avx512);
            return V::from_slice(simd, root.as_slice());
        }
        fearless_simd::Level::Avx2(avx2) if V::LEN >= 8 => {
            let all = lanes::<S, V, 16>(x);
            let mut root = [0.0; 16];
            for half in (0..V::LEN).step_by(8) {
                let wide = f32x8::from_slice(avx2, &all[half..half + 8]);
                let r: f32x8<_> = x86::estimate_avx2(avx2, wide.into()).simd_into(avx2);
                r.store_slice(&mut root[half..half + 8]);
            }
            let guess = V::from_slice(simd, &root[..V::LEN]);
            // One Newton step, from an estimate of twelve bits.
            let left = (-x * guess).mul_add(guess, V::splat(simd, 1.0));
            return (guess * 0.5).mul_add(left, guess);
        }
        _ => {}
    }
    // Estimate from the exponent (Lomont 2003), refined with three terms of a series. Its latency
    // is lower than that of two Newton steps.
    let bits: V::Bits = x.bitcast();
    let guess: V = (V::Bits::splat(simd, 0x5f37_5a86) - (bits >> 1)).bitcast();
    let left = (-x).mul_add(guess * guess, V::splat(simd, 1.0));
    let series = left.mul_add(V::splat(simd, 0.3125), V::splat(simd, 0.375));
    let series = left.mul_add(series, V::splat(simd, 0.5));
    (guess * left).mul_add(series, guess)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn lanes<S: Simd, V: SimdBase<S, Element = f32>, const N: usize>(x: V) -> [f32; N] {
    let mut lanes = [0.0; N];
    lanes[..V::LEN].copy_from_slice(x.as_slice());
    lanes
}

/// Estimates that `fearless_simd` does not offer portably.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256, __m512, _mm256_rsqrt_ps, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
        _mm512_rsqrt14_ps, _mm512_shuffle_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps,
    };

    fearless_simd::kernel!(
        #[inline]
        pub fn transposed_avx512(avx512: Avx512, v: [__m512; 4]) -> [__m512; 4] {
            let (xy, zw) = (
                _mm512_unpacklo_ps(v[0], v[1]),
                _mm512_unpacklo_ps(v[2], v[3]),
            );
            let (xy_high, zw_high) = (
                _mm512_unpackhi_ps(v[0], v[1]),
                _mm512_unpackhi_ps(v[2], v[3]),
            );
            [
                _mm512_shuffle_ps::<0b0100_0100>(xy, zw),
                _mm512_shuffle_ps::<0b1110_1110>(xy, zw),
                _mm512_shuffle_ps::<0b0100_0100>(xy_high, zw_high),
                _mm512_shuffle_ps::<0b1110_1110>(xy_high, zw_high),
            ]
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn transposed_avx2(avx2: Avx2, v: [__m256; 4]) -> [__m256; 4] {
            let (xy, zw) = (
                _mm256_unpacklo_ps(v[0], v[1]),
                _mm256_unpacklo_ps(v[2], v[3]),
            );
            let (xy_high, zw_high) = (
                _mm256_unpackhi_ps(v[0], v[1]),
                _mm256_unpackhi_ps(v[2], v[3]),
            );
            [
                _mm256_shuffle_ps::<0b0100_0100>(xy, zw),
                _mm256_shuffle_ps::<0b1110_1110>(xy, zw),
                _mm256_shuffle_ps::<0b0100_0100>(xy_high, zw_high),
                _mm256_shuffle_ps::<0b1110_1110>(xy_high, zw_high),
            ]
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn estimate_avx512(avx512: Avx512, x: __m512) -> __m512 {
            _mm512_rsqrt14_ps(x)
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn estimate_avx2(avx2: Avx2, x: __m256) -> __m256 {
            _mm256_rsqrt_ps(x)
        }
    );
}

/// 2/x with an error of up to two ulp: an estimate and two Newton steps.
#[doc(hidden)]
#[inline(always)]
pub fn twice_reciprocal<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V) -> V {
    let two = V::splat(simd, 2.0);
    let r = x.approximate_recip();
    let r = if cfg!(target_arch = "aarch64") {
        r * (-x).mul_add(r, two)
    } else {
        r
    };
    (r + r) * (-x).mul_add(r, two)
}

/// Transpose of four vectors of four numbers.
#[doc(hidden)]
#[inline(always)]
pub fn transposed<S: Simd>([x, y, z, w]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (xz, yw) = (x.zip_low(z), y.zip_low(w));
    let (xz_high, yw_high) = (x.zip_high(z), y.zip_high(w));
    [
        xz.zip_low(yw),
        xz.zip_high(yw),
        xz_high.zip_low(yw_high),
        xz_high.zip_high(yw_high),
    ]
}

/// Transpose of each block of four lanes: lane j of block b in vector i goes to lane i of block b in vector j.
#[doc(hidden)]
#[inline(always)]
pub fn transposed_blocks<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, v: [V; 4]) -> [V; 4] {
    #[cfg(target_arch = "x86_64")]
    match simd.level() {
        fearless_simd::Level::Avx512(avx512) if V::LEN == 16 => {
            let wide = v.map(|v| f32x16::from_slice(avx512, v.as_slice()).into());
            let wide = x86::transposed_avx512(avx512, wide);
            return wide.map(|v| {
                let v: f32x16<_> = v.simd_into(avx512);
                V::from_slice(simd, v.as_slice())
            });
        }
        fearless_simd::Level::Avx2(avx2) if V::LEN == 8 => {
            let wide = v.map(|v| f32x8::from_slice(avx2, v.as_slice()).into());
            let wide = x86::transposed_avx2(avx2, wide);
            return wide.map(|v| {
                let v: f32x8<_> = v.simd_into(avx2);
                V::from_slice(simd, v.as_slice())
            });
        }
        _ => {}
    }
    assert!(V::LEN == 4, "wider vectors are returned above");
    let four = transposed(v.map(|v| f32x4::from_slice(simd, v.as_slice())));
    four.map(|v| V::from_slice(simd, v.as_slice()))
}
