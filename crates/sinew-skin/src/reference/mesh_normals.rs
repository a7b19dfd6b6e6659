//! Normals of the moved triangles. Exact for every method, but need a pass over the triangles.
//!
//! The normal of a vertex is the mean of the normals of its triangles, weighted by the angle of
//! each triangle at the vertex (Thürmer and Wüthrich 1998, "Computing vertex normals from polygonal
//! facets"). So the division of a face into triangles does not matter.

use crate::error::SkinError;
use crate::vertices::{check_lengths, unit_or};
use crate::weld::Weld;
use glam::Vec3;

/// Writes the unit normals of `triangles` at `positions`.
///
/// `weld` defines the vertices that share a normal. [`Weld::smooth`] of the bind pose keeps
/// surfaces smooth across seams, and keeps hard edges. A point whose triangles all have no area
/// takes the normal of its first vertex in `fallback`.
///
/// ```
/// use glam::Vec3;
/// use sinew::mesh::{Weld, shapes};
/// let ball = shapes::sphere(2.0, 32, 32);
/// let weld = Weld::by_position(&ball.positions);
/// let up = vec![Vec3::Y; ball.len()];
/// let mut normals = up.clone();
/// sinew::skin::mesh_normals(&weld, ball.triangles(), &ball.positions, &up, &mut normals)?;
/// assert!(normals[40].angle_between(ball.positions[40]) < 0.02);
/// # Ok::<(), sinew::skin::SkinError>(())
/// ```
pub fn mesh_normals(
    weld: &Weld,
    triangles: impl Iterator<Item = [usize; 3]>,
    positions: &[Vec3],
    fallback: &[Vec3],
    out: &mut [Vec3],
) -> Result<(), SkinError> {
    let expected = positions.len();
    let lengths = [
        ("the weld", Some(weld.len())),
        ("the fallback", Some(fallback.len())),
        ("the normal output", Some(out.len())),
    ];
    check_lengths(&lengths, expected)?;
    out.fill(Vec3::ZERO);
    for triangle in triangles {
        let corners = triangle.map(|v| positions[v]);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for (vertex, angle) in triangle.into_iter().zip(corner_angles(corners)) {
            out[weld.first(vertex)] += normal * angle;
        }
    }
    for vertex in 0..expected {
        // The first vertex of a point precedes the others, so its normal is complete.
        out[vertex] = match weld.first(vertex) {
            first if first < vertex => out[first],
            _ => unit_or(out[vertex], fallback[vertex]),
        };
    }
    Ok(())
}

/// The angle at each corner of a triangle, in radians. Zero for a triangle without area.
pub(super) fn corner_angles([a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let double_area = (b - a).cross(c - a).length();
    let angle = |u: Vec3, v: Vec3| {
        if double_area > 0.0 {
            double_area.atan2(u.dot(v))
        } else {
            0.0
        }
    };
    [
        angle(b - a, c - a),
        angle(c - b, a - b),
        angle(a - c, b - c),
    ]
}
