//! Skeleton with limbs, and its conversion to a character.

use super::limb::Limb;
use super::net;
use glam::Vec3;
use sinew::mesh::Primitive;
use sinew::{Affine, Character, Joint, Mesh, Node, Skeleton, Skin, Transform};

/// Skeleton and limbs of a body.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    /// Name of the body.
    pub name: &'static str,
    /// Name, name of the parent (empty for the root) and model-space position of each joint.
    pub joints: Vec<(String, String, Vec3)>,
    /// Rounded limbs that form the surface.
    pub limbs: Vec<Limb>,
    /// Prefixes of the names of joints that must not move vertices.
    pub still: Vec<&'static str>,
    /// Approximate edge length of the quads of the surface, in metres.
    pub cell: f32,
    /// True if every limb is a separate closed mesh.
    pub in_pieces: bool,
    /// Clothes: open meshes with their names.
    pub clothes: Vec<(String, Primitive)>,
}

impl Body {
    /// Creates a body without joints and limbs. `cell` is the edge length of its quads, in metres.
    pub fn new(name: &'static str, cell: f32) -> Self {
        Self {
            name,
            cell,
            ..Self::default()
        }
    }

    /// Adds a joint at a model-space position. `above` is the name of its parent.
    pub fn joint(&mut self, name: &str, above: &str, at: [f32; 3]) {
        self.joints
            .push((name.to_owned(), above.to_owned(), at.into()));
    }

    /// Adds a limb from one point to another.
    pub fn limb(
        &mut self,
        name: &str,
        from: [f32; 3],
        to: [f32; 3],
        radius: f32,
        follows: &[&str],
    ) {
        self.limbs.push(Limb {
            name: name.to_owned(),
            from: from.into(),
            to: to.into(),
            radius,
            follows: follows.iter().map(|&name| name.to_owned()).collect(),
        });
    }

    /// Converts the body to a character without weights. It has one mesh, or a mesh per limb.
    ///
    /// # Panics
    /// If the joints do not form a tree.
    ///
    /// ```
    /// let dog = sinew_samples::bodies::dog().character();
    /// assert_eq!(dog.meshes.len(), 1);
    /// ```
    pub fn character(&self) -> Character {
        let mut meshes = if self.in_pieces {
            let piece = |limb: &Limb| {
                let mesh = net::net(std::slice::from_ref(limb), self.cell);
                (limb.name.clone(), mesh)
            };
            self.limbs.iter().map(piece).collect()
        } else {
            vec![("skin".to_owned(), net::net(&self.limbs, self.cell))]
        };
        meshes.extend(self.clothes.iter().cloned());
        self.with_meshes(meshes)
    }

    fn with_meshes(&self, meshes: Vec<(String, Primitive)>) -> Character {
        let index_of = |name: &str| self.joints.iter().position(|joint| joint.0 == name);
        let joint = |(name, above, at): &(String, String, Vec3)| {
            let parent = index_of(above);
            let from = parent.map_or(Vec3::ZERO, |parent| self.joints[parent].2);
            Joint::new(name, parent, Transform::from_translation(*at - from))
        };
        let skeleton = Skeleton::new(self.joints.iter().map(joint).collect());
        let (skeleton, _) = skeleton.expect("a body's joints are a tree");
        let skin = Skin::bound_at(skeleton.rest_model().as_slice());
        let mut character = Character::from_skeleton(skeleton);
        character.skins.push(skin);
        for (name, primitive) in meshes {
            character.nodes.push(Node {
                name: name.clone(),
                parent: None,
                parent_from_node: Affine::IDENTITY,
                joint: None,
                mesh: Some(character.meshes.len()),
                skin: None,
                morph_weights: Vec::new(),
                light: None,
            });
            character.meshes.push(Mesh {
                name,
                primitives: vec![primitive],
                ..Mesh::default()
            });
        }
        character
    }
}
