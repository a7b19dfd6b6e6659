//! Vertices that are the same point of the surface.
//!
//! Files split a point into several vertices where texture coordinates or normals jump. Code that
//! needs the surface itself (edges, normals, weights across it) must join the vertices again.

use glam::Vec3;
use std::collections::HashMap;

/// Angle between two bind normals, in degrees, above which an edge is hard.
pub const CREASE_DEG: f32 = 30.0;

/// For every vertex, the first vertex at the same point.
///
/// ```
/// use glam::Vec3;
/// use sinew::mesh::Weld;
/// let positions = [Vec3::ZERO, Vec3::X, Vec3::ZERO];
/// assert_eq!(Weld::by_position(&positions).first(2), 0);
/// let hard_edge = [Vec3::Y, Vec3::Y, Vec3::Z];
/// assert_eq!(Weld::smooth(&positions, Some(&hard_edge)).first(2), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Weld {
    first: Vec<u32>,
}

impl Weld {
    /// Joins all vertices at the same position.
    pub fn by_position(positions: &[Vec3]) -> Self {
        Self::smooth(positions, None)
    }

    /// Joins vertices at one position, unless given normals differ by more than [`CREASE_DEG`].
    pub fn smooth(positions: &[Vec3], normals: Option<&[Vec3]>) -> Self {
        let normal = |v: usize| normals.and_then(|n| n.get(v)).copied();
        let is_smooth = |a: usize, b: usize| match (normal(a), normal(b)) {
            (Some(a), Some(b)) => a.angle_between(b).to_degrees() <= CREASE_DEG,
            _ => true,
        };
        // Points at each position. Only hard edges have more than one.
        let mut points: HashMap<[u32; 3], Vec<u32>> = HashMap::with_capacity(positions.len());
        let first = positions.iter().enumerate().map(|(vertex, &position)| {
            // Adding 0 gives −0 and 0 the same bits.
            let key = (position + 0.0).to_array().map(f32::to_bits);
            let here = points.entry(key).or_default();
            let known = here.iter().find(|&&p| is_smooth(p as usize, vertex));
            known.copied().unwrap_or_else(|| {
                here.push(vertex as u32);
                vertex as u32
            })
        });
        Self {
            first: first.collect(),
        }
    }

    /// Appends the vertices of another mesh without joining them to earlier vertices.
    pub fn append(&mut self, other: &Self) {
        let offset = self.first.len() as u32;
        self.first.extend(other.first.iter().map(|f| f + offset));
    }

    /// The first vertex of the point that `vertex` belongs to.
    pub fn first(&self, vertex: usize) -> usize {
        self.first[vertex] as usize
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}
