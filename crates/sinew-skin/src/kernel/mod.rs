//! The vertex loops, written once for every instruction set.
//!
//! AVX2 maps a block in parts of one register, so that its sixteen registers hold a whole map.
//! Other instruction sets map all sixteen lanes at once, so that a broadcast serves all of them.
//! [`shared`] and [`mixed`] blend the maps of a block's joints; [`blended`] applies the blend.
//!
//! Arrays are written out here and in `blended`. Closures passed to array methods are not always
//! inlined, and a call in these loops costs ten times the work.
//!
//! Do not add compiled bodies. [`skin`] is compiled for each of three maps, with and without
//! normals, for each instruction set. These eighteen bodies on x86-64 take most of the compile time
//! of this crate. Other variants are a branch per block (tangents, addresses to write to, a scale
//! of 1) or go through memory ([`stored`]). Functions get their target features from
//! [`Simd::vectorize`](fearless_simd::Simd::vectorize). The attribute of `fearless_simd_macros`
//! would compile each body for every level and rely on the optimiser to drop all but one.

mod alone;
mod blended;
pub(crate) mod bounds;
pub(crate) mod lanes;
mod mixed;
pub(crate) mod pass;
mod plain;
mod shared;
mod skin;
mod stored;
