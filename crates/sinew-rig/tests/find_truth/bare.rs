//! A mesh without skeleton, and the labels of its vertices.

use glam::{DAffine3, DMat3, DVec3, Vec3};
use sinew::{Affine, Character};

/// Limb that moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limb {
    Trunk,
    Head,
    /// 0 left, 1 right.
    Arm(usize),
    Leg(usize),
    FrontLeg(usize),
}

/// Mesh of all primitives in model space.
#[derive(Clone, Debug, Default)]
pub struct Bare {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Joint with the largest weight of each vertex.
    pub heaviest: Vec<usize>,
}

pub fn wide(map: &Affine) -> DAffine3 {
    let linear = DMat3::from_cols_array_2d(&map.linear_f64()).transpose();
    DAffine3::from_mat3_translation(linear, map.translation().as_dvec3())
}

impl Bare {
    /// Skins a character by linear blending. `posed` are the model-space frames of the joints.
    /// Nodes whose names contain a word of `held` stay out.
    pub fn new(character: &Character, posed: &[DAffine3], held: &[&str]) -> Self {
        let rest = character.skeleton.rest_model();
        let worlds = character.node_worlds(&rest);
        let mut bare = Self::default();
        for (index, node) in character.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            if held.iter().any(|word| node.name.contains(word)) {
                continue;
            }
            for primitive in &character.meshes[mesh].primitives {
                let first = bare.positions.len() as u32;
                let skin = node.skin.map(|skin| &character.skins[skin]);
                if let (Some(skin), Some(influences)) = (skin, &primitive.influences) {
                    let maps: Vec<DAffine3> = (skin.joints.iter())
                        .zip(&skin.joint_from_model)
                        .map(|(&joint, inverse)| posed[joint] * wide(inverse))
                        .collect();
                    for (vertex, p) in primitive.positions.iter().enumerate() {
                        let moved: DVec3 = influences
                            .get(vertex)
                            .map(|(j, w)| maps[j].transform_point3(p.as_dvec3()) * f64::from(w))
                            .sum();
                        let heaviest = influences.heaviest(vertex);
                        bare.positions.push(moved.as_vec3());
                        bare.heaviest
                            .push(heaviest.map_or(0, |(j, _)| skin.joints[j]));
                    }
                } else {
                    let mut above = Some(index);
                    while above.is_some_and(|n| character.nodes[n].joint.is_none()) {
                        above = above.and_then(|n| character.nodes[n].parent);
                    }
                    let joint = above.and_then(|n| character.nodes[n].joint).unwrap_or(0);
                    let map = posed[joint] * wide(rest.get(joint)).inverse() * wide(&worlds[index]);
                    for p in primitive.positions.iter() {
                        bare.positions
                            .push(map.transform_point3(p.as_dvec3()).as_vec3());
                        bare.heaviest.push(joint);
                    }
                }
                let corners = primitive.triangles();
                bare.triangles
                    .extend(corners.map(|t| t.map(|v| v as u32 + first)));
            }
        }
        bare
    }

    /// Lowest and highest corner of the triangles.
    pub fn bounds(&self) -> [Vec3; 2] {
        let used = self.triangles.iter().flatten();
        let empty = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        used.fold(empty, |[low, high], &v| {
            let p = self.positions[v as usize];
            [low.min(p), high.max(p)]
        })
    }

    /// Adds a piece.
    pub fn add(&mut self, piece: &Self) {
        let first = self.positions.len() as u32;
        self.positions.extend(&piece.positions);
        self.triangles
            .extend(piece.triangles.iter().map(|t| t.map(|v| v + first)));
    }
}
