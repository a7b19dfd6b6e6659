//! Gradients of the joint weights along the surface, for exact normals.

use super::mesh_normals::corner_angles;
use crate::error::SkinError;
use crate::influences::Influences;
use crate::vertices::{Vertices, check_lengths};
use crate::weld::Weld;
use glam::Vec3;

/// Gradient ∇w of every influence, in the order of the influences, 12 bytes each.
///
/// Only the part along the surface matters. The gradients at a vertex sum to zero.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct WeightGradients {
    gradients: Vec<Vec3>,
}

impl WeightGradients {
    /// Creates gradients from known values: one per influence, by vertex and ascending joint.
    pub fn new(influences: &Influences, gradients: Vec<Vec3>) -> Result<Self, SkinError> {
        if gradients.len() != influences.total() {
            return Err(SkinError::Gradients {
                found: gradients.len(),
                expected: influences.total(),
            });
        }
        Ok(Self { gradients })
    }

    /// Estimates gradients from the triangles at the bind pose. Weights are linear on each
    /// triangle. A vertex takes the mean of its triangles, weighted by their angles there. Vertices
    /// along a seam share their triangles; vertices at a hard edge do not.
    ///
    /// The gradient of a joint without weight is zero, because the weight is at its minimum there.
    /// The gradients of the other joints are computed as if their weights alone summed to 1.
    ///
    /// ```
    /// use sinew::skin::WeightGradients;
    /// let cylinder = sinew::mesh::shapes::bend_test_cylinder();
    /// let influences = cylinder.influences.as_ref().ok_or("no influences")?;
    /// let gradients = WeightGradients::estimate(&cylinder.vertices(), cylinder.triangles(), influences)?;
    /// // The weight of the second joint goes from 0 to 1 over two units of x.
    /// let middle = gradients.get(influences, 64 * 32);
    /// assert!((middle[1].x - 0.5).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If a triangle refers to a vertex that does not exist.
    pub fn estimate(
        vertices: &Vertices<'_>,
        triangles: impl IntoIterator<Item = [usize; 3]>,
        influences: &Influences,
    ) -> Result<Self, SkinError> {
        let positions = vertices.positions;
        let lengths = [("the influence list", Some(influences.len()))];
        check_lengths(&lengths, positions.len())?;
        let weld = Weld::smooth(positions, vertices.normals);
        // Vertices of one point share their gradients if they follow the same joints.
        let owner = |vertex: usize| {
            let first = weld.first(vertex);
            let is_one = influences.slices(first) == influences.slices(vertex);
            if is_one { first } else { vertex }
        };
        let mut gradients = vec![Vec3::ZERO; influences.total()];
        let mut angles = vec![0.0_f32; positions.len()];
        for triangle in triangles {
            let corners = triangle.map(|v| positions[v]);
            let Some(rises) = corner_rises(corners) else {
                continue;
            };
            for (vertex, angle) in triangle.map(owner).into_iter().zip(corner_angles(corners)) {
                angles[vertex] += angle;
                let joints = influences.slices(vertex).0;
                for (sum, &joint) in gradients[influences.range(vertex)].iter_mut().zip(joints) {
                    for (corner, rise) in triangle.iter().zip(rises) {
                        *sum += rise * (weight_of(influences, *corner, joint) * angle);
                    }
                }
            }
        }
        for vertex in 0..positions.len() {
            let (owner, range) = (owner(vertex), influences.range(vertex));
            if owner != vertex {
                // An owner precedes its duplicates, so its gradients are complete.
                gradients.copy_within(influences.range(owner), range.start);
                continue;
            }
            let own = &mut gradients[range];
            let angle = angles[vertex].max(f32::MIN_POSITIVE);
            let total = own.iter().sum::<Vec3>() / angle;
            for (gradient, weight) in own.iter_mut().zip(influences.slices(vertex).1) {
                *gradient = *gradient / angle - total * *weight;
            }
        }
        Ok(Self { gradients })
    }

    /// Gradients of a vertex, in the order of [`Influences::get`]. `influences` must be the same.
    pub fn get(&self, influences: &Influences, vertex: usize) -> &[Vec3] {
        &self.gradients[influences.range(vertex)]
    }

    /// The number of gradients.
    pub fn len(&self) -> usize {
        self.gradients.len()
    }

    /// True if there are no gradients.
    pub fn is_empty(&self) -> bool {
        self.gradients.is_empty()
    }
}

/// Gradient of the function that is 1 at one corner and 0 at the others. `None` without area.
fn corner_rises([a, b, c]: [Vec3; 3]) -> Option<[Vec3; 3]> {
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    let rises = [c - b, a - c, b - a].map(|opposite| normal.cross(opposite) / squared);
    rises.iter().all(|r| r.is_finite()).then_some(rises)
}

fn weight_of(influences: &Influences, vertex: usize, joint: u16) -> f32 {
    let (joints, weights) = influences.slices(vertex);
    let index = joints.iter().position(|&j| j == joint);
    index.map_or(0.0, |p| weights[p])
}
