//! Tangents of `MikkTSpace` (Mikkelsen 2008, "Simulation of wrinkled surfaces revisited"). Most
//! tools bake normal maps for these tangents. Each corner of a triangle has a direction in which u
//! grows. Corners at one point share a tangent if they share edges and show the same side of the
//! texture. The tangent is the mean of their directions, weighted by their angles. `MikkTSpace`
//! splits a vertex at the seam of a mirrored texture. Here, the side with the larger angle decides.

use super::Primitive;
use glam::{Vec2, Vec3, Vec4};
use std::collections::HashMap;

struct Corner {
    vertex: usize,
    neighbors: [u32; 2],
    /// Direction in which u grows, in the plane of the normal. Zero for a triangle without uv area.
    along_u: Vec3,
    angle: f32,
    /// True if the front of the texture is visible. `None` for a triangle without uv area.
    is_front: Option<bool>,
}

impl Primitive {
    /// Tangents for a set of texture coordinates, as in glTF. `None` without that set or normals.
    /// The weights are those of `MikkTSpace`, but no vertex is split.
    pub fn tangents_from_texcoord(&self, texcoord: usize) -> Option<Vec<Vec4>> {
        let normals = self.normals.as_ref().filter(|n| n.len() == self.len())?;
        let uvs = self.texcoords.get(texcoord)?;
        if uvs.len() != self.len() {
            return None;
        }
        let points = points(&self.positions, normals, uvs);
        let mut corners: Vec<Vec<Corner>> = Vec::new();
        corners.resize_with(self.len(), Vec::new);
        for triangle in self.triangles() {
            let places = triangle.map(|v| self.positions[v]);
            let facing = Facing::new(places, triangle.map(|v| uvs[v]));
            for k in 0..3 {
                let [here, next, last] = [k, (k + 1) % 3, (k + 2) % 3];
                let normal = normals[triangle[here]];
                let flat = |v: Vec3| (v - normal * normal.dot(v)).normalize_or_zero();
                let angle =
                    flat(places[next] - places[here]).dot(flat(places[last] - places[here]));
                corners[points[triangle[here]] as usize].push(Corner {
                    vertex: triangle[here],
                    neighbors: [points[triangle[next]], points[triangle[last]]],
                    along_u: flat(facing.along_u),
                    angle: angle.clamp(-1.0, 1.0).acos(),
                    is_front: facing.is_front,
                });
            }
        }
        let mut tangents: Vec<Vec4> = normals.iter().map(|&n| any_across(n)).collect();
        let mut best_angle = vec![0.0; self.len()];
        for corners in corners.iter().filter(|c| !c.is_empty()) {
            share(corners, &mut tangents, &mut best_angle);
        }
        // Vertices with only degenerate triangles get the tangent of their point.
        for vertex in 0..self.len() {
            let point = points[vertex] as usize;
            if best_angle[vertex] == 0.0 && best_angle[point] > 0.0 {
                tangents[vertex] = tangents[point];
            }
        }
        Some(tangents)
    }
}

struct Facing {
    along_u: Vec3,
    is_front: Option<bool>,
}

impl Facing {
    fn new([a, b, c]: [Vec3; 3], [ua, ub, uc]: [Vec2; 3]) -> Self {
        let (to_b, to_c) = (ub - ua, uc - ua);
        let area = to_b.perp_dot(to_c);
        let along_u = (b - a) * to_c.y - (c - a) * to_b.y;
        let has_area = area.is_finite() && area.abs() > f32::MIN_POSITIVE;
        Self {
            along_u: if has_area {
                along_u * area.signum()
            } else {
                Vec3::ZERO
            },
            is_front: has_area.then_some(area > 0.0),
        }
    }
}

/// For each vertex, the first vertex with equal position, normal and uv.
fn points(positions: &[Vec3], normals: &[Vec3], uvs: &[Vec2]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(positions.len());
    let vertices = positions.iter().zip(normals).zip(uvs).enumerate();
    let point = vertices.map(|(vertex, ((p, n), uv))| {
        // −0 and 0 get the same bits.
        let bits = |v: Vec3| (v + 0.0).to_array().map(f32::to_bits);
        let uv = (*uv + 0.0).to_array().map(f32::to_bits);
        *first
            .entry((bits(*p), bits(*n), uv))
            .or_insert(vertex as u32)
    });
    point.collect()
}

fn share(corners: &[Corner], tangents: &mut [Vec4], best_angle: &mut [f32]) {
    for is_front in [true, false] {
        let sees = |c: &Corner| c.is_front.is_none_or(|front| front == is_front);
        let mut waiting: Vec<&Corner> = corners.iter().filter(|c| sees(c)).collect();
        while let Some(first) = waiting.pop() {
            let mut group = vec![first];
            let mut reached = 0;
            while let Some(&corner) = group.get(reached) {
                reached += 1;
                waiting.retain(|other| {
                    let touches = other.neighbors.iter().any(|n| corner.neighbors.contains(n));
                    if touches {
                        group.push(other);
                    }
                    !touches
                });
            }
            let sum: Vec3 = group.iter().map(|c| c.along_u * c.angle).sum();
            let angle: f32 = group
                .iter()
                .filter(|c| c.is_front.is_some())
                .map(|c| c.angle)
                .sum();
            let Some(tangent) = sum.try_normalize() else {
                continue;
            };
            // Image rows run downward but green points upward, which reverses the sign.
            let handedness = if is_front { -1.0 } else { 1.0 };
            for corner in &group {
                if angle > best_angle[corner.vertex] {
                    best_angle[corner.vertex] = angle;
                    tangents[corner.vertex] = tangent.extend(handedness);
                }
            }
        }
    }
}

fn any_across(normal: Vec3) -> Vec4 {
    let unit = normal.try_normalize().unwrap_or(Vec3::Z);
    unit.any_orthonormal_vector().extend(1.0)
}
