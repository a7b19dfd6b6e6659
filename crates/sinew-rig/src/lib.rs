//! Makes characters: from nothing but a mesh and a skeleton, or from nothing at all.

pub mod mocap;
pub mod retarget;
mod solid;
pub mod template;
pub mod units;
pub mod weights;

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
