//! The document that ties it together: skeleton, nodes, meshes, skins, clips, materials.
//!
//! A character has one skeleton, made of the joints, their ancestors and every animated node. All
//! the nodes of the file are kept as well, in the file's order: a node either is a joint of the
//! skeleton or stands still on the node above it.

mod bindings;
mod check;
mod light;
mod material;

pub use bindings::StageNames;
pub use check::CharacterError;
pub use light::{Light, LightKind, MAX_LIGHTS};
pub use material::{
    Alpha, Anisotropy, Clearcoat, Image, MAX_TEXCOORD_SETS, Material, Sheen, Specular, Texture,
    TextureFilter, TextureUse, TextureWrap, Transmission, UV_IDENTITY, UvTransform, Volume,
};

use crate::binding::Binding;
use crate::clip::Clip;
use crate::corrective::Corrective;
use crate::mesh::Mesh;
use crate::pose::ModelPose;
use crate::skeleton::{Joint, Skeleton};
use sinew_math::hierarchy::Hierarchy;
use sinew_math::transform::{Affine, Transform};
use sinew_skin::Skin;

/// A node of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Index of the node above it.
    pub parent: Option<usize>,
    /// Where it stands on that node when nothing moves; any affine map.
    pub parent_from_node: Affine,
    /// The joint of the skeleton that it is, if it can move.
    pub joint: Option<usize>,
    /// The mesh that it carries.
    pub mesh: Option<usize>,
    /// The skin that moves that mesh.
    pub skin: Option<usize>,
    /// Morph weights in place of the mesh's own; empty when it has none.
    pub morph_weights: Vec<f32>,
    /// The light that it carries, which shines along its -Z.
    pub light: Option<usize>,
}

/// A character: skeleton, nodes, meshes, skins, clips and materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// Its joints. Model space is the file's world.
    pub skeleton: Skeleton,
    /// The nodes of the file, in its order.
    pub nodes: Vec<Node>,
    /// What nodes carry.
    pub meshes: Vec<Mesh>,
    /// Which joints move a mesh.
    pub skins: Vec<Skin>,
    /// Its motions.
    pub clips: Vec<Clip>,
    /// Its looks.
    pub materials: Vec<Material>,
    /// What materials use.
    pub textures: Vec<Texture>,
    /// What textures use.
    pub images: Vec<Image>,
    /// What nodes shine with.
    pub lights: Vec<Light>,
    /// What poses drive morph targets.
    pub correctives: Vec<Corrective>,
    /// What curves and events of its clips drive.
    pub bindings: Vec<Binding>,
}

impl Character {
    /// A character of a skeleton alone, with a node for every joint.
    pub fn from_skeleton(skeleton: Skeleton) -> Self {
        let nodes = (0..skeleton.len())
            .map(|joint| Node {
                name: skeleton.name(joint).to_owned(),
                parent: skeleton.parent(joint),
                parent_from_node: skeleton.rest().get(joint).to_affine(),
                joint: Some(joint),
                mesh: None,
                skin: None,
                morph_weights: Vec::new(),
                light: None,
            })
            .collect();
        Self {
            skeleton,
            nodes,
            meshes: Vec::new(),
            skins: Vec::new(),
            clips: Vec::new(),
            materials: Vec::new(),
            textures: Vec::new(),
            images: Vec::new(),
            lights: Vec::new(),
            correctives: Vec::new(),
            bindings: Vec::new(),
        }
    }

    /// A bare mesh on a skeleton of one joint, bound to nothing: what `sinew_rig` gives a skeleton and weights.
    pub fn from_mesh(mesh: Mesh) -> Self {
        let root = Joint::new("root", None, Transform::IDENTITY);
        let (skeleton, _) = Skeleton::new(vec![root]).expect("one joint is a skeleton");
        let mut character = Self::from_skeleton(skeleton);
        character.nodes.push(Node {
            name: mesh.name.clone(),
            parent: None,
            parent_from_node: Affine::IDENTITY,
            joint: None,
            mesh: Some(0),
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
        character.meshes.push(mesh);
        character
    }

    /// `model_from_node` of every node, in the file's order: from the pose, which must be of this
    /// skeleton, where the node is a joint, else from the node above it. If nodes name parents in a
    /// loop, which [`Character::check`] refuses, all of them stay where they are on their parents.
    pub fn node_worlds(&self, pose: &ModelPose) -> Vec<Affine> {
        let mut worlds = Vec::new();
        self.node_worlds_into(pose, &mut worlds);
        worlds
    }

    /// The same into a list of one's own. Nothing is allocated where it has the room and every node comes after the one above it.
    pub fn node_worlds_into(&self, pose: &ModelPose, worlds: &mut Vec<Affine>) {
        worlds.clear();
        worlds.extend(self.nodes.iter().map(|n| n.parent_from_node));
        let mut nodes = self.nodes.iter().enumerate();
        if nodes.all(|(index, node)| node.parent.is_none_or(|parent| parent < index)) {
            for index in 0..worlds.len() {
                self.place_node(index, pose, worlds);
            }
            return;
        }
        let parents: Vec<_> = self.nodes.iter().map(|n| n.parent).collect();
        if let Ok(sorted) = Hierarchy::sort(&parents) {
            for index in sorted.old_from_new {
                self.place_node(index, pose, worlds);
            }
        }
    }

    fn place_node(&self, index: usize, pose: &ModelPose, worlds: &mut [Affine]) {
        let node = &self.nodes[index];
        worlds[index] = match (node.joint, node.parent) {
            (Some(joint), _) => *pose.get(joint),
            (None, Some(parent)) => worlds[parent] * node.parent_from_node,
            (None, None) => node.parent_from_node,
        };
    }

    /// The first clip of that name, or the one at that index when the name is a number.
    pub fn find_clip(&self, name_or_index: &str) -> Option<usize> {
        let by_name = self.clips.iter().position(|c| c.name == name_or_index);
        by_name.or_else(|| {
            let index: usize = name_or_index.parse().ok()?;
            (index < self.clips.len()).then_some(index)
        })
    }

    /// The morph weights of a node's mesh when no clip says otherwise.
    pub fn rest_morph_weights(&self, node: usize) -> &[f32] {
        let node = &self.nodes[node];
        match node.mesh {
            Some(mesh) if node.morph_weights.is_empty() => &self.meshes[mesh].morph_weights,
            _ => &node.morph_weights,
        }
    }
}
