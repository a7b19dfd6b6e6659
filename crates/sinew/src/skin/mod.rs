//! From a pose to moved vertices: rigid, linear blend, dual quaternion with scale.
//!
//! This is the scalar reference that every faster path is held to: plain loops, `f32` in and out.
//! Positions are in model space at the bind pose and come out in model space at the pose. Normals
//! are carried by the cofactor matrix of the vertex's own blended map, so they follow the triangles
//! (a mirrored bone turns both inside out), and are of unit length; gradients of the weights are
//! left out, so on a bent limb they are an approximation; [`exact_normals_linear`],
//! [`exact_normals_dual_quat`] and [`mesh_normals`] are not.

mod blended;
mod dual_quat;
mod dual_quat_palette;
mod job;
mod kernel;
mod lanes;
mod linear;
mod mesh_normals;
mod normals;
mod palette;
mod plan;
mod quaternion;
mod streams;
mod weight_gradients;

pub use dual_quat::dual_quat;
pub use dual_quat_palette::{DualQuatJoint, DualQuatPalette};
pub use job::{Bounds, Layout, Order, PaletteRef, SkinJob};
pub use linear::{linear, rigid};
pub use mesh_normals::mesh_normals;
pub use normals::{exact_normals_dual_quat, exact_normals_linear};
pub use palette::{Palette, Skin};
pub use plan::{SkinPlan, WeightFormat};
pub use quaternion::quaternion;
pub use streams::{Block, Streams};
pub use weight_gradients::WeightGradients;

use crate::mesh::Influences;
use glam::{Vec3, Vec4};
use thiserror::Error;

/// How several joints share a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The heaviest joint takes it: cracks at the joints.
    Rigid,
    /// The weighted mean of where each would take it: collapses when twisted.
    #[default]
    Linear,
    /// The weighted mean of the motions themselves: keeps volume when twisted, bulges when bent.
    DualQuat,
    /// Rotations and translations blended apart: for comparison with dual quaternions only.
    Quaternion,
}

/// Vertices before skinning.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    /// Bind positions.
    pub positions: &'a [Vec3],
    /// Bind normals, one a position.
    pub normals: Option<&'a [Vec3]>,
    /// Bind tangents with handedness, one a position.
    pub tangents: Option<&'a [Vec4]>,
}

impl Vertices<'_> {
    /// Whether every stream has `wanted` elements.
    fn check_lengths(&self, wanted: usize) -> Result<(), SkinError> {
        let lengths = [
            ("the position stream", Some(self.positions.len())),
            ("the normal stream", self.normals.map(<[_]>::len)),
            ("the tangent stream", self.tangents.map(<[_]>::len)),
        ];
        check_lengths(&lengths, wanted)
    }
}

/// Where skinned vertices go; slices as long as the input's. A normal or tangent that is asked for
/// must be given.
#[derive(Debug)]
pub struct VerticesMut<'a> {
    /// Posed positions.
    pub positions: &'a mut [Vec3],
    /// Posed unit normals.
    pub normals: Option<&'a mut [Vec3]>,
    /// Posed unit tangents, handedness kept.
    pub tangents: Option<&'a mut [Vec4]>,
}

/// Why vertices were not skinned; the output is untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SkinError {
    /// Streams of different lengths.
    #[error("{what} has {found} elements where the mesh has {wanted} vertices")]
    Length {
        /// Which stream.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of positions.
        wanted: usize,
    },
    /// An output stream without its input.
    #[error("{what} are asked for, but the mesh has none")]
    Missing {
        /// Which stream.
        what: &'static str,
    },
    /// A dual quaternion palette made from matrices, whose signs only the scalar loop can choose.
    #[error("the palette's signs are not fixed; make it with DualQuatPalette::new")]
    SignsNotFixed,
    /// A vertex layout whose parts overlap or reach past its stride, or a buffer too short for it.
    #[error("the vertex layout does not fit: {why}")]
    Layout {
        /// What is wrong.
        why: &'static str,
    },
    /// An influence of a joint that the palette does not have.
    #[error("influences name joint {joint}, but the palette has only {len}")]
    NoSuchJoint {
        /// The highest joint named.
        joint: usize,
        /// The palette's length.
        len: usize,
    },
    /// Weight gradients of other influences.
    #[error("{found} weight gradients do not belong to {wanted} influences")]
    Gradients {
        /// How many gradients there are.
        found: usize,
        /// How many influences there are.
        wanted: usize,
    },
}

/// What one vertex's blended map does to its three vectors.
trait VertexMap {
    fn position(&self, p: Vec3) -> Vec3;
    fn normal(&self, n: Vec3) -> Vec3;
    fn tangent(&self, t: Vec3) -> Vec3;
}

/// Checks everything, then maps every vertex by what `map_of` makes of it.
fn map_vertices<M: VertexMap>(
    palette_len: usize,
    influences: &Influences,
    vertices: &Vertices,
    out: &mut VerticesMut,
    map_of: impl Fn(usize) -> M,
) -> Result<(), SkinError> {
    check(palette_len, influences, vertices, out)?;
    for vertex in 0..vertices.positions.len() {
        let map = map_of(vertex);
        out.positions[vertex] = map.position(vertices.positions[vertex]);
        if let (Some(out), Some(normals)) = (&mut out.normals, vertices.normals) {
            out[vertex] = unit_or(map.normal(normals[vertex]), normals[vertex]);
        }
        if let (Some(out), Some(tangents)) = (&mut out.tangents, vertices.tangents) {
            let t = tangents[vertex];
            out[vertex] = unit_or(map.tangent(t.truncate()), t.truncate()).extend(t.w);
        }
    }
    Ok(())
}

/// `v` at unit length, or `fallback` where a map has flattened it to nothing. In `f64`, because an
/// area goes with the square of the scale, and its own square with the fourth power.
pub(crate) fn unit_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let wide = v.as_dvec3();
    let length = wide.length();
    if length > 0.0 && length.is_finite() {
        (wide / length).as_vec3()
    } else {
        fallback
    }
}

fn check(
    palette_len: usize,
    influences: &Influences,
    vertices: &Vertices,
    out: &VerticesMut,
) -> Result<(), SkinError> {
    let wanted = vertices.positions.len();
    vertices.check_lengths(wanted)?;
    let lengths = [
        ("the influence list", Some(influences.len())),
        ("the position output", Some(out.positions.len())),
        ("the normal output", out.normals.as_ref().map(|n| n.len())),
        ("the tangent output", out.tangents.as_ref().map(|t| t.len())),
    ];
    check_lengths(&lengths, wanted)?;
    if out.normals.is_some() && vertices.normals.is_none() {
        return Err(SkinError::Missing { what: "normals" });
    }
    if out.tangents.is_some() && vertices.tangents.is_none() {
        return Err(SkinError::Missing { what: "tangents" });
    }
    match influences.max_joint() {
        Some(joint) if joint >= palette_len => Err(SkinError::NoSuchJoint {
            joint,
            len: palette_len,
        }),
        _ => Ok(()),
    }
}

fn check_lengths(
    lengths: &[(&'static str, Option<usize>)],
    wanted: usize,
) -> Result<(), SkinError> {
    for &(what, found) in lengths {
        if let Some(found) = found.filter(|&f| f != wanted) {
            return Err(SkinError::Length {
                what,
                found,
                wanted,
            });
        }
    }
    Ok(())
}
