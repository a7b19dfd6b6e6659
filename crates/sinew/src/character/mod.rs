//! Characters: skeleton, nodes, meshes, skins, clips and materials of a file.
//!
//! The skeleton holds all joints, their ancestors and all animated nodes. A character also keeps
//! all nodes of the file, in file order. A node is either a joint or fixed to its parent.

mod bindings;
mod camera;
mod check;
mod driven;
mod light;
mod material;
mod objects;
mod shown;

pub use bindings::StageNames;
pub use camera::{Camera, Lens};
pub use check::CharacterError;
pub use driven::Driven;
pub use light::{Light, LightKind, MAX_LIGHTS};
pub use material::{
    Alpha, Anisotropy, Clearcoat, Image, MAX_TEXCOORD_SETS, Material, Sheen, Specular, Texture,
    TextureFilter, TextureUse, TextureWrap, Transmission, UV_IDENTITY, UvTransform, Volume,
};
pub use objects::binding_name;
pub use shown::{Shown, ShownError};

use crate::binding::Binding;
use crate::clip::{Clip, ClipLayers};
use crate::corrective::Corrective;
use crate::mesh::Mesh;
use crate::pose::ModelPose;
use crate::skeleton::{Joint, Skeleton};
use sinew_math::hierarchy::Hierarchy;
use sinew_math::transform::{Affine, Transform};
use sinew_skin::{Method, Skin};

/// Node of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name in the file. It need not be unique.
    pub name: String,
    /// Index of the parent node.
    pub parent: Option<usize>,
    /// Transform at rest, relative to the parent node. It can be any affine map.
    pub parent_from_node: Affine,
    /// Index of the joint of this node. `None` if the node cannot move.
    pub joint: Option<usize>,
    /// Index of the mesh on this node.
    pub mesh: Option<usize>,
    /// Index of the skin that moves the mesh.
    pub skin: Option<usize>,
    /// Morph weights that replace those of the mesh. If empty, the weights of the mesh apply.
    pub morph_weights: Vec<f32>,
    /// Index of the light on this node. The light shines along -Z.
    pub light: Option<usize>,
}

/// Skeleton, nodes, meshes, skins, clips and materials of a character.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "model")]
#[doc(alias = "avatar")]
#[doc(alias = "scene")]
pub struct Character {
    /// Skeleton with all joints. Model space is the world space of the file.
    pub skeleton: Skeleton,
    /// Nodes of the file, in file order.
    pub nodes: Vec<Node>,
    /// Meshes that nodes refer to.
    pub meshes: Vec<Mesh>,
    /// Skins: joints and inverse binds that move meshes.
    pub skins: Vec<Skin>,
    /// Motions of the character.
    pub clips: Vec<Clip>,
    /// Materials that primitives refer to.
    pub materials: Vec<Material>,
    /// Textures that materials refer to.
    pub textures: Vec<Texture>,
    /// Images that textures refer to.
    pub images: Vec<Image>,
    /// Lights that nodes refer to.
    pub lights: Vec<Light>,
    /// Cameras of the file.
    pub cameras: Vec<Camera>,
    /// Nodes that are not drawn, with everything below them, unless a curve shows them.
    pub hidden: Vec<usize>,
    /// Morph targets driven by the rotation of joints.
    pub correctives: Vec<Corrective>,
    /// Layers of clips, and the motion below them. A clip itself holds the result of its layers.
    pub layers: Vec<ClipLayers>,
    /// Targets of the curves and events of the clips.
    pub bindings: Vec<Binding>,
    /// Skinning method that the maker of the character states. [`Character::method`] has a default.
    pub stated_method: Option<Method>,
}

impl Character {
    /// Character with only a skeleton, with one node per joint.
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
            cameras: Vec::new(),
            hidden: Vec::new(),
            correctives: Vec::new(),
            layers: Vec::new(),
            bindings: Vec::new(),
            stated_method: None,
        }
    }

    /// Character with an unskinned mesh and one joint. `sinew_rig` adds joints and weights.
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

    /// Method with which the character is skinned unless a user chooses another one: the stated
    /// method, else linear, as other programs show it.
    pub fn method(&self) -> Method {
        self.stated_method.unwrap_or(Method::Linear)
    }

    /// Transforms `model_from_node` of all nodes, in file order. Joints follow `pose`, which must
    /// belong to this skeleton. Other nodes follow their parents. In a cycle, which
    /// [`Character::check`] rejects, nodes keep `parent_from_node`.
    pub fn node_worlds(&self, pose: &ModelPose) -> Vec<Affine> {
        let mut worlds = Vec::new();
        self.node_worlds_into(pose, &mut worlds);
        worlds
    }

    /// Writes [`Character::node_worlds`] into `worlds`. Allocates nothing if `worlds` has the
    /// capacity and parents come first.
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

    /// For each joint, true for a control: neither the joint nor a joint below it moves a mesh, and no
    /// joint above it is part of a skin.
    pub fn controls(&self) -> Vec<bool> {
        let hierarchy = self.skeleton.hierarchy();
        let mut is_skinned = vec![false; self.skeleton.len()];
        for &joint in self.skins.iter().flat_map(|skin| &skin.joints) {
            is_skinned[joint] = true;
        }
        let mut moves = is_skinned.clone();
        for node in self.nodes.iter().filter(|node| node.mesh.is_some()) {
            let (mut at, mut left) = (Some(node), self.nodes.len());
            while let Some(node) = at.filter(|_| left > 0) {
                left -= 1;
                if let Some(joint) = node.joint {
                    moves[joint] = true;
                    break;
                }
                at = node.parent.and_then(|parent| self.nodes.get(parent));
            }
        }
        if !moves.contains(&true) {
            return moves;
        }
        for joint in (0..moves.len()).rev() {
            if let Some(parent) = hierarchy.parent(joint) {
                moves[parent] |= moves[joint];
            }
        }
        for joint in 0..moves.len() {
            if let Some(parent) = hierarchy.parent(joint) {
                is_skinned[joint] |= is_skinned[parent];
            }
        }
        let each = moves.iter().zip(&is_skinned);
        each.map(|(moves, is_skinned)| !moves && !is_skinned)
            .collect()
    }

    /// Index of the first clip with this name. Without such a clip, the name is parsed as an index.
    pub fn find_clip(&self, name_or_index: &str) -> Option<usize> {
        let by_name = self.clips.iter().position(|c| c.name == name_or_index);
        by_name.or_else(|| {
            let index: usize = name_or_index.parse().ok()?;
            (index < self.clips.len()).then_some(index)
        })
    }

    /// Morph weights of the mesh of a node while no clip plays.
    pub fn rest_morph_weights(&self, node: usize) -> &[f32] {
        let node = &self.nodes[node];
        match node.mesh {
            Some(mesh) if node.morph_weights.is_empty() => &self.meshes[mesh].morph_weights,
            _ => &node.morph_weights,
        }
    }
}
