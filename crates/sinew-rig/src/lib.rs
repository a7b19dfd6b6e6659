//! Makes characters: binds meshes to skeletons, retargets motion, fits motion capture and builds template skeletons.

pub mod mocap;
pub mod retarget;
mod solid;
pub mod template;
pub mod units;
pub mod weights;

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
