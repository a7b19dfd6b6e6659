//! The mesh that weights are found for.

use glam::Vec3;

/// The surface to bind: all vertices that one skin moves, at the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// The positions of the vertices; several at one position get the same weights.
    pub positions: &'a [Vec3],
    /// Corners of triangles; those past the last vertex are left out.
    pub triangles: &'a [[u32; 3]],
}
