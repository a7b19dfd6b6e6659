//! Input mesh.

use glam::Vec3;

/// Surface to bind: all vertices that one skin moves, at the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Positions of the vertices; equal positions get equal weights.
    pub positions: &'a [Vec3],
    /// Vertex indices of triangles; those out of range are ignored.
    pub triangles: &'a [[u32; 3]],
}
