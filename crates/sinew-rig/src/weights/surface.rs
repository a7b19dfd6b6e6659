//! Surface to bind.

use glam::Vec3;

/// Surface to bind: all vertices that one skin moves, at the bind pose.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Positions of the vertices. Equal positions get equal weights.
    pub positions: &'a [Vec3],
    /// Vertex indices of the triangles. Triangles with an index out of range are ignored.
    pub triangles: &'a [[u32; 3]],
}
