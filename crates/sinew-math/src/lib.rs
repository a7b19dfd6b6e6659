//! Arithmetic for skeletal animation: [`transform`]s, [`DualQuat`], [`Hierarchy`] and [`simd`].
//!
//! Operations have a fixed order: all machines give the same bits. `glam` types only store values.

#[doc(hidden)]
pub mod affine_lanes;
pub mod dual_quat;
pub mod hierarchy;
pub mod simd;
pub mod transform;

pub use dual_quat::DualQuat;
pub use glam;
pub use hierarchy::{Hierarchy, HierarchyError, SortedHierarchy};
pub use transform::{Affine, Transform};

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
