//! The arithmetic under skeletal animation.
//!
//! [`transform`] says where one frame stands in another, [`DualQuat`] how a rigid motion is blended, a
//! [`Hierarchy`] is parents before children in arrays, and [`simd`] is the only place that chooses an
//! instruction set. All of it is in a fixed order of operations, so that poses are the same bits on every
//! machine; `glam` types are storage and interchange.

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

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
