use super::error::RigError;
use crate::character::Character;
use crate::mesh::{Influences, Primitive};
use crate::steps::pause;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_skin::{Method, SkinPlan, Streams, WeightFormat};
use std::ops::Range;
use std::sync::Arc;

/// Primitive of a node, with vertices in skinning order.
#[derive(Debug)]
pub struct Part {
    /// Index of the node in [`Character::nodes`].
    pub node: usize,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    pub(super) mover: Mover,
    pub(super) plan: SkinPlan,
    pub(super) bind: Streams,
    pub(super) source: Primitive,
    pub(super) rest_weights: Vec<f32>,
    first_vertex: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mover {
    Skin(usize),
    Node {
        joint: Option<usize>,
        joint_from_node: Affine,
    },
}

impl Mover {
    pub(super) fn follow(&self, model: &[Affine], map: &mut Affine) {
        if let Self::Node {
            joint,
            joint_from_node,
        } = self
        {
            let model_from_joint = joint.map_or(Affine::IDENTITY, |joint| model[joint]);
            *map = model_from_joint * *joint_from_node;
        }
    }
}

impl Part {
    /// Range of the vertices of this part among all vertices that an actor writes.
    pub fn vertices(&self) -> Range<usize> {
        self.first_vertex..self.first_vertex + self.plan.len()
    }

    /// Index in [`Rig::skins`](super::Rig::skins). `None` if the part follows its node.
    pub fn skin(&self) -> Option<usize> {
        match self.mover {
            Mover::Skin(skin) => Some(skin),
            Mover::Node { .. } => None,
        }
    }

    /// Surface at the bind pose, with indices and texture coordinates.
    pub fn surface(&self) -> &Primitive {
        &self.source
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        let corners = self.source.triangles().flatten();
        corners.map(|vertex| (self.first_vertex + vertex) as u32)
    }
}

pub(super) async fn parts(character: &Character, method: Method) -> Result<Vec<Part>, RigError> {
    let rest = character.skeleton.rest_model();
    let worlds = character.node_worlds(&rest);
    let mut parts = Vec::new();
    let mut first_vertex = 0;
    for (index, node) in character.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let mesh = &character.meshes[mesh_index];
        let mut rest_weights = vec![0.0; mesh.morph_targets()];
        let weights = character.rest_morph_weights(index);
        for (rest, weight) in rest_weights.iter_mut().zip(weights) {
            *rest = *weight;
        }
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            pause().await;
            let mut source = primitive.clone();
            let (mover, plan) = match (node.skin, &primitive.influences) {
                (Some(skin), Some(influences)) => (Mover::Skin(skin), plan(influences, method)),
                _ => {
                    // A mirroring node reverses the winding, but normals must point outward.
                    if worlds[index].determinant() < 0.0 {
                        let rotated =
                            |normals: Arc<Vec<Vec3>>| normals.iter().map(|n| -*n).collect();
                        source.normals = source.normals.map(rotated).map(Arc::new);
                    }
                    let alone = vec![vec![(0, 1.0)]; primitive.len()];
                    let influences = Influences::from_lists(&alone, 1);
                    let (influences, _) = influences.expect("one joint with all of the weight");
                    let plan = SkinPlan::new(&influences, WeightFormat::F32);
                    (on_joint(character, index, rest.as_slice(), &worlds), plan)
                }
            };
            pause().await;
            let bind = Streams::gather(&plan, &source.vertices());
            let bind = bind.map_err(|source| RigError::Skin {
                node: index,
                primitive: place,
                source,
            })?;
            let vertices = plan.len();
            parts.push(Part {
                node: index,
                mesh: mesh_index,
                primitive: place,
                mover,
                plan,
                bind,
                source,
                rest_weights: if primitive.morphs.is_empty() {
                    Vec::new()
                } else {
                    rest_weights.clone()
                },
                first_vertex,
            });
            first_vertex += vertices;
        }
    }
    Ok(parts)
}

fn plan(influences: &Influences, method: Method) -> SkinPlan {
    match method {
        Method::Rigid => SkinPlan::rigid(influences),
        _ => SkinPlan::new(influences, WeightFormat::F32),
    }
}

/// Nearest joint at or above a node, and the map of the node relative to the joint.
fn on_joint(character: &Character, node: usize, rest: &[Affine], worlds: &[Affine]) -> Mover {
    let above = |node: &usize| character.nodes[*node].parent;
    let mut chain = std::iter::successors(Some(node), above).take(character.nodes.len());
    let joint = chain.find_map(|node| character.nodes[node].joint);
    let joint_from_model = joint.and_then(|joint| rest[joint].inverse());
    match (joint, joint_from_model) {
        (Some(joint), Some(joint_from_model)) => Mover::Node {
            joint: Some(joint),
            joint_from_node: joint_from_model * worlds[node],
        },
        _ => Mover::Node {
            joint: None,
            joint_from_node: worlds[node],
        },
    }
}
