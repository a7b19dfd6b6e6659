//! Computes posed vertices: rigid, linear blend, or dual quaternion skinning with scale.
//!
//! The functions here are the scalar reference, and every faster path must agree with them. They
//! are plain loops with `f32` in and out. Input positions are in model space at the bind pose,
//! output positions in model space at the current pose. Normals are mapped by the cofactor matrix
//! of the blended map, so they follow the triangles (a mirrored bone reverses both). Output normals
//! have unit length. They ignore gradients of the weights, so on a bent limb they are approximate.
//! [`exact_normals_linear`], [`exact_normals_dual_quat`] and [`mesh_normals`] give exact normals.

#![cfg_attr(
    sinew_unoptimised,
    allow(
        dead_code,
        unused_imports,
        unused_mut,
        reason = "vector kernels are left out then"
    )
)]

mod error;
mod influences;
mod job;
mod kernel;
mod palette;
mod plan;
mod reference;
mod vertices;
mod weld;
mod write;

pub use error::SkinError;
pub use influences::{InfluenceError, InfluenceRepairs, Influences};
pub use job::SkinJob;
pub use kernel::bounds::Bounds;
pub use palette::{DualQuatJoint, DualQuatPalette, Palette, PaletteRef, Skin};
pub use plan::{Block, SkinPlan, Streams, WeightFormat};
pub use reference::{
    WeightGradients, dual_quat, exact_normals_dual_quat, exact_normals_linear, linear,
    mesh_normals, quaternion, rigid,
};
#[doc(hidden)]
pub use vertices::unit_or;
pub use vertices::{Method, Vertices, VerticesMut};
pub use weld::{CREASE_DEG, Weld};
pub use write::{Directions, Layout, Order, Previous, VertexLayout, VertexSink};

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
