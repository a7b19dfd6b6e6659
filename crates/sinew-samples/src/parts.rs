//! Parts shared by several samples.

use glam::{Vec3, Vec4};
use sinew::character::{Character, Material, Node};
use sinew::mesh::{Mesh, Primitive};
use sinew::skeleton::Skeleton;
use sinew::skin::{Method, Skin};
use sinew::transform::Affine;

pub(crate) fn painted(
    shape: Primitive,
    center: Vec3,
    color: [f32; 3],
) -> (Primitive, Affine, Vec4) {
    let transform = Affine::from_translation(center);
    (shape, transform, Vec3::from_array(color).extend(1.0))
}

/// Character with one mesh, which is bound at rest to all joints of a skeleton. Its weights are made
/// for dual quaternions.
pub(crate) fn skinned_character(name: &str, skeleton: Skeleton, surface: Primitive) -> Character {
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut character = Character::from_skeleton(skeleton);
    character.stated_method = Some(Method::DualQuat);
    character.skins.push(skin);
    character.materials.push(Material {
        name: name.to_owned(),
        metallic: 0.0,
        roughness: 0.6,
        ..Material::default()
    });
    character.meshes.push(Mesh {
        name: name.to_owned(),
        primitives: vec![Primitive {
            material: Some(0),
            ..surface
        }],
        ..Mesh::default()
    });
    character.nodes.push(Node {
        name: name.to_owned(),
        parent: None,
        parent_from_node: Affine::IDENTITY,
        joint: None,
        mesh: Some(0),
        skin: Some(0),
        morph_weights: Vec::new(),
        light: None,
    });
    character
}
