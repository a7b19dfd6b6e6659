use crate::character::{Character, Node};
use crate::mesh::{Mesh, Primitive, Topology};
use crate::skeleton::{Joint, Skeleton};
use glam::{Vec3, Vec4};
use sinew_math::transform::{Affine, Transform};
use sinew_skin::{Bounds, Vertices, VerticesMut, unit_or};
use std::sync::Arc;

/// Primitive of a node, with its moved vertices in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformedPrimitive {
    /// Index of the node.
    pub node: usize,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Positions in model space, in the vertex order of the mesh.
    pub positions: Vec<Vec3>,
    /// Unit normals in model space, if the mesh has normals.
    pub normals: Option<Vec<Vec3>>,
    /// Unit tangents in model space, with handedness in w, if the mesh has tangents.
    pub tangents: Option<Vec<Vec4>>,
    /// True if the node mirrors the primitive, which reverses the winding of its triangles.
    pub mirrored: bool,
}

/// Moved vertices of a character at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformed {
    /// Map `model_from_node` of every node, in file order.
    pub node_worlds: Vec<Affine>,
    /// Primitives of all nodes that have a mesh.
    pub primitives: Vec<DeformedPrimitive>,
}

impl Deformed {
    /// Bounding box of all vertices, in model space. `None` without vertices.
    pub fn bounds(&self) -> Option<Bounds> {
        let points = self.primitives.iter().flat_map(|part| &part.positions);
        let boxes = points.map(|&point| Bounds {
            min: point,
            max: point,
        });
        boxes.reduce(|a, b| a.union(&b))
    }

    /// Character like `source` with the moved vertices, without skins, morph targets and clips.
    ///
    /// # Panics
    /// If `source` lacks a node or mesh of the deformed character.
    pub fn to_character(&self, source: &Character) -> Character {
        let root = Joint::new("root", None, Transform::IDENTITY);
        let (skeleton, _) = Skeleton::new(vec![root]).expect("a single joint is a skeleton");
        let mut still = Character {
            materials: source.materials.clone(),
            textures: source.textures.clone(),
            images: source.images.clone(),
            nodes: Vec::new(),
            ..Character::from_skeleton(skeleton)
        };
        for part in &self.primitives {
            let (node, mesh) = (&source.nodes[part.node], &source.meshes[part.mesh]);
            if part.primitive == 0 {
                still.nodes.push(Node {
                    parent: None,
                    parent_from_node: Affine::IDENTITY,
                    joint: None,
                    mesh: Some(still.meshes.len()),
                    skin: None,
                    morph_weights: Vec::new(),
                    name: node.name.clone(),
                    light: None,
                });
                still.meshes.push(Mesh {
                    name: mesh.name.clone(),
                    ..Mesh::default()
                });
            }
            let primitive = &mesh.primitives[part.primitive];
            let indices = match (part.mirrored, primitive.topology) {
                (true, Topology::Triangles) => {
                    let corners = part.triangles(primitive).flatten();
                    Some(Arc::new(corners.map(|v| v as u32).collect()))
                }
                _ => primitive.indices.clone(),
            };
            let moved = Primitive {
                indices,
                positions: Arc::new(part.positions.clone()),
                normals: part.normals.clone().map(Arc::new),
                tangents: part.tangents.clone().map(Arc::new),
                influences: None,
                morphs: Vec::new(),
                ..primitive.clone()
            };
            if let Some(mesh) = still.meshes.last_mut() {
                mesh.primitives.push(moved);
            }
        }
        still
    }
}

pub(crate) fn morphed(mesh: &Mesh, index: usize, weights: &[f32]) -> DeformedPrimitive {
    let primitive: &Primitive = &mesh.primitives[index];
    let mut part = DeformedPrimitive {
        node: 0,
        mesh: 0,
        primitive: index,
        positions: primitive.positions.to_vec(),
        normals: primitive.normals.as_ref().map(|n| n.to_vec()),
        tangents: primitive.tangents.as_ref().map(|t| t.to_vec()),
        mirrored: false,
    };
    for (morph, &weight) in primitive.morphs.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        if let Some(deltas) = &morph.positions {
            deltas.add_to(weight, &mut part.positions);
        }
        if let (Some(deltas), Some(normals)) = (&morph.normals, &mut part.normals) {
            deltas.add_to(weight, normals);
        }
        if let (Some(deltas), Some(tangents)) = (&morph.tangents, &mut part.tangents) {
            let mut vectors: Vec<Vec3> = tangents.iter().map(|t| t.truncate()).collect();
            deltas.add_to(weight, &mut vectors);
            for (tangent, vector) in tangents.iter_mut().zip(vectors) {
                *tangent = vector.extend(tangent.w);
            }
        }
    }
    part
}

impl DeformedPrimitive {
    /// Triangles of the primitive `source`, wound for an outward surface.
    pub fn triangles(&self, source: &Primitive) -> impl Iterator<Item = [usize; 3]> {
        let mapped = |[a, b, c]: [usize; 3]| {
            if self.mirrored { [a, c, b] } else { [a, b, c] }
        };
        source.triangles().map(mapped)
    }

    pub(super) fn as_input(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: self.normals.as_deref(),
            tangents: self.tangents.as_deref(),
        }
    }

    pub(super) fn as_output(&mut self) -> VerticesMut<'_> {
        VerticesMut {
            positions: &mut self.positions,
            normals: self.normals.as_deref_mut(),
            tangents: self.tangents.as_deref_mut(),
        }
    }

    /// Moves an unskinned mesh with its node. A mirroring node reverses the winding, as in glTF.
    pub(super) fn transform(&mut self, model_from_node: &Affine) {
        let outward = model_from_node.determinant().signum();
        self.mirrored = outward < 0.0;
        for p in &mut self.positions {
            *p = model_from_node.transform_point(*p);
        }
        for n in self.normals.iter_mut().flatten() {
            *n = unit_or(model_from_node.transform_area(*n) * outward, *n);
        }
        for t in self.tangents.iter_mut().flatten() {
            let vector = model_from_node.transform_vector(t.truncate());
            *t = unit_or(vector, t.truncate()).extend(t.w);
        }
    }
}
