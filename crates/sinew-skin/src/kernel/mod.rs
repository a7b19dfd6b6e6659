//! The vertex loops, written once for every instruction set.
//!
//! Blocks are mapped by parts of a register each on AVX2, whose sixteen registers then hold a whole map, and in one part of
//! sixteen lanes elsewhere, so that broadcasts serve all of it. [`shared`] and [`mixed`] blend the maps of a block's joints, [`blended`] applies the blend.
//!
//! Arrays are written out and not mapped over, here and in `blended`: closures given to array methods
//! are not always inlined, and a call in these loops costs ten times the work.
//!
//! No change adds a body. [`skin`] is compiled for each of three maps, with and without normals, on each instruction set:
//! eighteen bodies on x86-64, which are most of what this crate takes to compile. What differs otherwise is a branch for
//! each block (tangents, addresses to write to, a scale of 1) or goes through memory ([`stored`]). Functions take their
//! target features by [`Simd::vectorize`](fearless_simd::Simd::vectorize): the attribute of `fearless_simd_macros`
//! compiles each body for every level, and leaves to the optimiser to drop all but one.

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
