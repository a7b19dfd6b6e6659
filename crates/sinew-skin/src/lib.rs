//! From a pose to moved vertices: rigid, linear blend, dual quaternion with scale.
//!
//! This is the scalar reference that every faster path is held to: plain loops, `f32` in and out.
//! Positions are in model space at the bind pose and come out in model space at the pose. Normals
//! are carried by the cofactor matrix of the vertex's own blended map, so they follow the triangles
//! (a mirrored bone reverses both), and are of unit length; gradients of the weights are
//! left out, so on a bent limb they are an approximation; [`exact_normals_linear`],
//! [`exact_normals_dual_quat`] and [`mesh_normals`] are not.

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

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
