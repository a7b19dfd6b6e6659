//! Vertices from polygon corners: triangles, attributes, and the control point of each vertex.

use crate::fbx::error::FbxError;
use crate::fbx::load::{Memory, bounded};
use crate::fbx::plain;
use glam::{Vec2, Vec3, Vec4};
use sinew::Primitive;
use std::sync::Arc;
use ufbx::{Matrix, Mesh, VertexStream};

pub(in crate::fbx) const MAX_SETS: usize = 8;

/// Bytes of memory per corner: its number, control point, position, normal, tangent and index.
const BYTES_OF_CORNER: usize = 8 + 4 + 12 + 12 + 16 + 4;

/// Transform of control points to the bind pose, or no transform.
pub(in crate::fbx) struct Placement {
    /// `model_from_geometry` of a skinned mesh.
    pub(in crate::fbx) matrix: Option<Matrix>,
}

impl Placement {
    pub(in crate::fbx) fn point(&self, p: ufbx::Vec3) -> Vec3 {
        plain::vec3(match &self.matrix {
            Some(matrix) => ufbx::transform_position(matrix, p),
            None => p,
        })
    }

    pub(in crate::fbx) fn offset(&self, v: ufbx::Vec3) -> Vec3 {
        plain::vec3(match &self.matrix {
            Some(matrix) => ufbx::transform_direction(matrix, v),
            None => v,
        })
    }

    pub(in crate::fbx) fn normal(&self, n: ufbx::Vec3) -> Vec3 {
        plain::vec3(match &self.matrix {
            Some(matrix) => {
                let area = ufbx::matrix_for_normals(matrix);
                let size = ufbx::matrix_determinant(&area).abs().cbrt();
                let n = ufbx::transform_direction(&area, n);
                let [x, y, z] = [n.x, n.y, n.z].map(|part| part / size);
                ufbx::Vec3 { x, y, z }
            }
            None => n,
        })
    }

    fn mirrors(&self) -> bool {
        let determinant = self.matrix.as_ref().map(ufbx::matrix_determinant);
        determinant.is_some_and(|determinant| determinant < 0.0)
    }
}

struct Corners {
    points: Vec<u32>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    texcoords: Vec<Vec<Vec2>>,
    colors: Vec<Vec<Vec4>>,
}

/// Triangles of the faces, and the control point of each vertex. `None` without triangles.
pub(in crate::fbx) fn primitive_of(
    mesh: &Mesh,
    faces: impl Iterator<Item = usize>,
    placement: &Placement,
    memory: &mut Memory,
) -> Result<Option<(Primitive, Vec<u32>)>, FbxError> {
    let mut corners = triangles(mesh, faces);
    if corners.is_empty() {
        return Ok(None);
    }
    if placement.mirrors() {
        corners.chunks_exact_mut(3).for_each(|t| t.swap(1, 2));
    }
    let sets = mesh.uv_sets.count.min(MAX_SETS) + 2 * mesh.color_sets.count.min(MAX_SETS);
    memory.take(corners.len().saturating_mul(BYTES_OF_CORNER + 8 * sets))?;
    let mut values = read(mesh, &corners, placement);
    let mut indices = vec![0_u32; corners.len()];
    let count = join(&mut values, &mut indices)?;
    let position = |point: &u32| {
        let point = mesh.vertices.get(*point as usize).copied();
        placement.point(point.unwrap_or_default())
    };
    values.points.truncate(count);
    let positions = values.points.iter().map(position).collect();
    let shared = |mut list: Vec<Vec3>| {
        list.truncate(count);
        Arc::new(list)
    };
    let primitive = Primitive {
        positions: Arc::new(positions),
        normals: Some(values.normals).filter(|n| !n.is_empty()).map(shared),
        tangents: Some(values.tangents)
            .filter(|t| !t.is_empty())
            .map(|mut t| {
                t.truncate(count);
                Arc::new(t)
            }),
        texcoords: cut(values.texcoords, count),
        colors: cut(values.colors, count),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    };
    Ok(Some((primitive, values.points)))
}

fn cut<T>(sets: Vec<Vec<T>>, count: usize) -> Vec<Arc<Vec<T>>> {
    let sets = sets.into_iter().map(|mut set| {
        set.truncate(count);
        Arc::new(set)
    });
    sets.collect()
}

fn triangles(mesh: &Mesh, faces: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut corners = Vec::new();
    let mut of_face = Vec::new();
    for face in faces {
        let is_hole = mesh.face_hole.get(face).copied().unwrap_or(false);
        let Some(face) = mesh.faces.get(face).filter(|_| !is_hole) else {
            continue;
        };
        let count = ufbx::triangulate_face_vec(&mut of_face, mesh, *face) as usize;
        let known = |corner: &&u32| (**corner as usize) < mesh.num_indices;
        let drawn = of_face.get(..3 * count).unwrap_or_default();
        if drawn.iter().filter(known).count() == drawn.len() {
            corners.extend_from_slice(drawn);
        }
    }
    corners
}

fn read(mesh: &Mesh, corners: &[u32], placement: &Placement) -> Corners {
    let point = |corner: &u32| mesh.vertex_indices.get(*corner as usize).copied();
    let normal = |corner: &u32| {
        let normal = value(
            &mesh.vertex_normal.values,
            &mesh.vertex_normal.indices,
            *corner,
        );
        placement.normal(normal.unwrap_or_default())
    };
    let normals: Vec<Vec3> = if mesh.vertex_normal.exists {
        corners.iter().map(|c| plain::unit(normal(c))).collect()
    } else {
        Vec::new()
    };
    let uv_sets = mesh.uv_sets.iter().take(MAX_SETS);
    let texcoords = uv_sets.map(|set| {
        let uv = |corner: &u32| {
            let uv = value(&set.vertex_uv.values, &set.vertex_uv.indices, *corner);
            let uv = plain::vec2(uv.unwrap_or_default());
            // v increases upward in FBX and downward here.
            Vec2::new(uv.x, 1.0 - uv.y)
        };
        corners.iter().map(uv).collect()
    });
    let colors = mesh.color_sets.iter().take(MAX_SETS).map(|set| {
        let color = |corner: &u32| {
            let color = value(&set.vertex_color.values, &set.vertex_color.indices, *corner);
            plain::vec4(color.unwrap_or_default()).clamp(Vec4::ZERO, Vec4::ONE)
        };
        corners.iter().map(color).collect()
    });
    Corners {
        points: corners.iter().map(|c| point(c).unwrap_or(0)).collect(),
        tangents: tangents(mesh, corners, placement, &normals),
        normals,
        texcoords: texcoords.collect(),
        colors: colors.collect(),
    }
}

/// Tangents for the first set of texture coordinates. w is the sign of the bitangent.
fn tangents(mesh: &Mesh, corners: &[u32], placement: &Placement, normals: &[Vec3]) -> Vec<Vec4> {
    let Some(set) = mesh.uv_sets.first() else {
        return Vec::new();
    };
    if !set.vertex_tangent.exists || !set.vertex_bitangent.exists || normals.is_empty() {
        return Vec::new();
    }
    let tangent = |(corner, normal): (&u32, &Vec3)| {
        let along = value(
            &set.vertex_tangent.values,
            &set.vertex_tangent.indices,
            *corner,
        );
        let across = value(
            &set.vertex_bitangent.values,
            &set.vertex_bitangent.indices,
            *corner,
        );
        let along = placement.offset(along.unwrap_or_default());
        let across = placement.offset(across.unwrap_or_default());
        let along = along - *normal * normal.dot(along);
        let along = along.normalize_or(normal.any_orthonormal_vector());
        let is_left = normal.cross(along).dot(across) < 0.0;
        along.extend(if is_left { -1.0 } else { 1.0 })
    };
    corners.iter().zip(normals).map(tangent).collect()
}

fn value<T: Copy>(values: &[T], indices: &[u32], corner: u32) -> Option<T> {
    let index = indices.get(corner as usize)?;
    values.get(*index as usize).copied()
}

/// Merges equal corners and moves unique corners to the front of all arrays. Returns their number.
fn join(corners: &mut Corners, indices: &mut [u32]) -> Result<usize, FbxError> {
    let limit = 64 * indices.len() + (1 << 20);
    let mut streams = vec![VertexStream::new(&mut corners.points)];
    if !corners.normals.is_empty() {
        streams.push(VertexStream::new(&mut corners.normals));
    }
    if !corners.tangents.is_empty() {
        streams.push(VertexStream::new(&mut corners.tangents));
    }
    for set in &mut corners.texcoords {
        streams.push(VertexStream::new(set));
    }
    for set in &mut corners.colors {
        streams.push(VertexStream::new(set));
    }
    ufbx::generate_indices(&mut streams, indices, bounded(limit))
        .map_err(|error| FbxError::of(&error, limit))
}
