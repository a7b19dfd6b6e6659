//! From a pose to moved vertices: rigid, linear blend, dual quaternion with scale.
//!
//! This is the scalar reference that every faster path is held to: plain loops, `f32` in and out.
//! Positions are in model space at the bind pose and come out in model space at the pose. Normals
//! are carried by the cofactor matrix of the vertex's own blended map, so they follow the triangles
//! (a mirrored bone turns both inside out), and are of unit length; gradients of the weights are
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

mod blended;
mod bounds;
mod dual_quat;
mod dual_quat_palette;
mod error;
mod influences;
mod interleaved;
mod job;
mod kernel;
mod lanes;
mod layout;
mod linear;
#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
mod lines;
mod mesh_normals;
mod normals;
mod palette;
mod palette_ref;
mod pass;
mod plain;
mod plan;
mod quaternion;
mod sink;
mod snorm;
mod spans;
mod streams;
mod vertices;
mod weave;
mod weight_gradients;
mod weld;
#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
mod wide_writer;
mod writers;

pub use bounds::Bounds;
pub use dual_quat::dual_quat;
pub use dual_quat_palette::{DualQuatJoint, DualQuatPalette};
pub use error::SkinError;
pub use influences::{InfluenceError, InfluenceRepairs, Influences};
pub use job::SkinJob;
pub use layout::{Directions, Layout, Order, VertexLayout};
pub use linear::{linear, rigid};
pub use mesh_normals::mesh_normals;
pub use normals::{exact_normals_dual_quat, exact_normals_linear};
pub use palette::{Palette, Skin};
pub use palette_ref::PaletteRef;
pub use plan::{SkinPlan, WeightFormat};
pub use quaternion::quaternion;
pub use sink::VertexSink;
pub use streams::{Block, Streams};
#[doc(hidden)]
pub use vertices::unit_or;
pub use vertices::{Method, Vertices, VerticesMut};
pub use weight_gradients::WeightGradients;
pub use weld::{CREASE_DEG, Weld};
pub use writers::Previous;

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
