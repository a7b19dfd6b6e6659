//! Vertices at rest: attributes, influences, morph targets.
//!
//! Attribute arrays are shared (`Arc`), because files let primitives share them; an edit copies
//! only what it touches (`Arc::make_mut`).

pub mod shapes;
mod tangents;

pub use sinew_skin::{CREASE_DEG, InfluenceError, InfluenceRepairs, Influences, Weld};

use glam::{Vec2, Vec3, Vec4};
use sinew_skin::Vertices;
use std::sync::Arc;

/// A named set of primitives that are drawn together.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// Its parts, each with one material.
    pub primitives: Vec<Primitive>,
    /// Names of the morph targets, as far as the file has any.
    pub morph_names: Vec<String>,
    /// The weight of each morph target where neither node nor clip says otherwise.
    pub morph_weights: Vec<f32>,
}

impl Mesh {
    /// How many morph targets its primitives have.
    pub fn morph_targets(&self) -> usize {
        let targets = self.primitives.iter().map(|p| p.morphs.len());
        targets.max().unwrap_or(0)
    }

    /// What its vertices and indices take in memory; arrays shared between primitives count once.
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

/// The kind of primitive that the indices connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Topology {
    /// Single points.
    Points,
    /// Pairs.
    Lines,
    /// Triples, counter-clockwise from outside.
    #[default]
    Triangles,
}

/// One stream of vertices.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Primitive {
    /// In model space at the bind pose (or in the node's space when not skinned).
    pub positions: Arc<Vec<Vec3>>,
    /// Unit length, one per vertex.
    pub normals: Option<Arc<Vec<Vec3>>>,
    /// Unit length, with the handedness in w; one per vertex.
    pub tangents: Option<Arc<Vec<Vec4>>>,
    /// Sets of texture coordinates.
    pub texcoords: Vec<Arc<Vec<Vec2>>>,
    /// Sets of colours.
    pub colors: Vec<Arc<Vec<Vec4>>>,
    /// Attributes that mean something only to their maker.
    pub custom: Vec<CustomAttribute>,
    /// Which joints move each vertex; indices go into the skin's joints.
    pub influences: Option<Arc<Influences>>,
    /// Morph targets.
    pub morphs: Vec<Morph>,
    /// The kind of primitive that the indices connect.
    pub topology: Topology,
    /// Indices into the vertices; without them, vertices in order.
    pub indices: Option<Arc<Vec<u32>>>,
    /// Index into [`crate::Character::materials`].
    pub material: Option<usize>,
}

/// A vertex attribute that is carried along and not read.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomAttribute {
    /// As the file names it.
    pub name: String,
    /// Numbers a vertex.
    pub width: usize,
    /// All of them.
    pub values: Arc<Vec<f32>>,
}

/// A morph target: what it adds to the vertices at weight 1.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Morph {
    /// Added to positions.
    pub positions: Option<Deltas>,
    /// Added to normals.
    pub normals: Option<Deltas>,
    /// Added to tangents, without their handedness.
    pub tangents: Option<Deltas>,
}

/// The differences on all vertices, or on some.
#[derive(Clone, Debug, PartialEq)]
pub struct Deltas {
    /// Which vertices, ascending; `None` when `values` has one for every vertex.
    pub vertices: Option<Arc<Vec<u32>>>,
    /// One a listed vertex.
    pub values: Arc<Vec<Vec3>>,
}

impl Deltas {
    /// Adds `weight` times the differences. Vertices that do not exist, or that have no difference, are passed over.
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
    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What skinning reads of it.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: self.normals.as_ref().map(|n| n.as_slice()),
            tangents: self.tangents.as_ref().map(|t| t.as_slice()),
        }
    }

    /// Every triangle's corners; nothing for points and lines. Triangles that name vertices which do
    /// not exist are left out.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let count = match (&self.indices, self.topology) {
            (_, Topology::Points | Topology::Lines) => 0,
            (Some(indices), _) => indices.len() / 3,
            (None, _) => self.len() / 3,
        };
        let corner = |place: usize| match &self.indices {
            Some(indices) => indices[place] as usize,
            None => place,
        };
        (0..count)
            .map(move |t| [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)])
            .filter(|t| t.iter().all(|&v| v < self.len()))
    }
}

/// The volume that closed triangles enclose: Σ a · (b × c) / 6, positive when they face outward.
///
/// # Panics
/// When a triangle names a vertex that does not exist, as a slice does; [`Primitive::triangles`] gives none such.
pub fn volume(positions: &[Vec3], triangles: impl Iterator<Item = [usize; 3]>) -> f64 {
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|v| positions[v].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}
