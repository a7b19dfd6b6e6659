//! Meshes at rest: vertex attributes, influences and morph targets.
//!
//! Primitives share attribute arrays, as in files. `Arc::make_mut` copies only the edited array.

pub mod shapes;
mod tangents;

pub use sinew_skin::{CREASE_DEG, InfluenceError, InfluenceRepairs, Influences, Weld};

use glam::{Vec2, Vec3, Vec4};
use sinew_skin::Vertices;
use std::sync::Arc;

/// Named set of primitives that are drawn together.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mesh {
    /// Name in the file. It need not be unique.
    pub name: String,
    /// Parts of the mesh, each with one material.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets. The list may be shorter than the number of targets.
    pub morph_names: Vec<String>,
    /// Default weight of each morph target.
    pub morph_weights: Vec<f32>,
}

impl Mesh {
    /// Number of morph targets: the max over the primitives.
    pub fn morph_targets(&self) -> usize {
        let targets = self.primitives.iter().map(|p| p.morphs.len());
        targets.max().unwrap_or(0)
    }

    /// Size of vertices and indices in memory, in bytes. Shared arrays count once.
    pub fn bytes(&self) -> usize {
        let mut arrays: Vec<(usize, usize)> = Vec::new();
        fn array<T>(arrays: &mut Vec<(usize, usize)>, values: &Arc<Vec<T>>) {
            arrays.push((Arc::as_ptr(values).addr(), values.len() * size_of::<T>()));
        }
        for primitive in &self.primitives {
            array(&mut arrays, &primitive.positions);
            primitive.normals.iter().for_each(|a| array(&mut arrays, a));
            primitive
                .tangents
                .iter()
                .for_each(|a| array(&mut arrays, a));
            primitive
                .texcoords
                .iter()
                .for_each(|a| array(&mut arrays, a));
            primitive.colors.iter().for_each(|a| array(&mut arrays, a));
            primitive.indices.iter().for_each(|a| array(&mut arrays, a));
            for custom in &primitive.custom {
                array(&mut arrays, &custom.values);
            }
            if let Some(influences) = &primitive.influences {
                arrays.push((Arc::as_ptr(influences).addr(), influences.bytes()));
            }
            for morph in &primitive.morphs {
                let deltas = [&morph.positions, &morph.normals, &morph.tangents];
                for deltas in deltas.into_iter().flatten() {
                    array(&mut arrays, &deltas.values);
                    deltas.vertices.iter().for_each(|a| array(&mut arrays, a));
                }
            }
        }
        arrays.sort_unstable();
        arrays.dedup_by_key(|a| a.0);
        arrays.iter().map(|a| a.1).sum()
    }
}

/// Shape of the elements that the indices connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Topology {
    /// One index per point.
    Points,
    /// Two indices per line.
    Lines,
    /// Three indices per triangle, counter-clockwise as seen from outside.
    #[default]
    Triangles,
}

/// Vertices and indices with one material.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Primitive {
    /// Positions: in model space at the bind pose with a skin, otherwise in the space of the node.
    pub positions: Arc<Vec<Vec3>>,
    /// Unit normals, one per vertex.
    pub normals: Option<Arc<Vec<Vec3>>>,
    /// Unit tangents with the handedness in w, one per vertex.
    pub tangents: Option<Arc<Vec<Vec4>>>,
    /// Sets of texture coordinates. Each set has one entry per vertex.
    pub texcoords: Vec<Arc<Vec<Vec2>>>,
    /// Sets of vertex colours. Each set has one entry per vertex.
    pub colors: Vec<Arc<Vec<Vec4>>>,
    /// Attributes that only the program interprets.
    pub custom: Vec<CustomAttribute>,
    /// Joints and weights of each vertex. Joints are indices in the skin.
    pub influences: Option<Arc<Influences>>,
    /// Morph targets of this primitive.
    pub morphs: Vec<Morph>,
    /// Shape of the elements that the indices connect.
    pub topology: Topology,
    /// Vertex indices. `None` uses the vertices in order.
    pub indices: Option<Arc<Vec<u32>>>,
    /// Index in [`crate::Character::materials`].
    pub material: Option<usize>,
}

/// Vertex attribute that is kept but not interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomAttribute {
    /// Name in the file.
    pub name: String,
    /// Numbers per vertex.
    pub width: usize,
    /// Values of all vertices.
    pub values: Arc<Vec<f32>>,
}

/// Morph target: differences that are multiplied by a weight and added to the vertices.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "blend shape")]
#[doc(alias = "shape key")]
pub struct Morph {
    /// Differences of positions.
    pub positions: Option<Deltas>,
    /// Differences of normals.
    pub normals: Option<Deltas>,
    /// Differences of tangents, without handedness.
    pub tangents: Option<Deltas>,
}

/// Differences of all vertices or of some vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Deltas {
    /// Vertex indices in ascending order. `None` if `values` has one entry per vertex.
    pub vertices: Option<Arc<Vec<u32>>>,
    /// Differences, one per listed vertex.
    pub values: Arc<Vec<Vec3>>,
}

impl Deltas {
    /// Adds `weight` times the differences to `out`. Skips vertices that are out of range.
    pub fn add_to(&self, weight: f32, out: &mut [Vec3]) {
        match &self.vertices {
            None => {
                for (out, delta) in out.iter_mut().zip(self.values.iter()) {
                    *out += *delta * weight;
                }
            }
            Some(vertices) => {
                for (vertex, delta) in vertices.iter().zip(self.values.iter()) {
                    if let Some(out) = out.get_mut(*vertex as usize) {
                        *out += *delta * weight;
                    }
                }
            }
        }
    }
}

impl Primitive {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Vertex streams that skinning reads.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: self.normals.as_ref().map(|n| n.as_slice()),
            tangents: self.tangents.as_ref().map(|t| t.as_slice()),
        }
    }

    /// Corners of each triangle. Empty for points and lines. Skips triangles with a bad vertex.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let count = match (&self.indices, self.topology) {
            (_, Topology::Points | Topology::Lines) => 0,
            (Some(indices), _) => indices.len() / 3,
            (None, _) => self.len() / 3,
        };
        let corner = |index: usize| match &self.indices {
            Some(indices) => indices[index] as usize,
            None => index,
        };
        (0..count)
            .map(move |t| [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)])
            .filter(|t| t.iter().all(|&v| v < self.len()))
    }
}

/// Volume of a closed surface: Σ a · (b × c) / 6. Positive if the triangles face outward.
///
/// # Panics
/// If a vertex is out of range. [`Primitive::triangles`] returns no such triangle.
pub fn volume(positions: &[Vec3], triangles: impl Iterator<Item = [usize; 3]>) -> f64 {
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|v| positions[v].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}
