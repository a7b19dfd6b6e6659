//! Scenes and characters made by code: what demos show and tests move.

mod car;
mod grove;
mod humanoid;
mod humanoid_character;
mod humanoid_shapes;
mod load;
mod motion;
mod robot_arm;
mod tube;
mod walk;

pub use car::{Car, Wheel};
pub use grove::Grove;
pub use humanoid::{Humanoid, HumanoidAngles, HumanoidPart};
pub use humanoid_character::humanoid_character;
pub use load::SkinLoad;
pub use motion::MotionLoad;
pub use robot_arm::RobotArm;
pub use tube::tube_character;

use crate::character::{Character, Material, Node};
use crate::mesh::{Mesh, Primitive};
use crate::skeleton::Skeleton;
use crate::skin::Skin;
use crate::transform::Affine;
use glam::{Vec3, Vec4};

/// A surface in its place, in linear red, green and blue.
fn painted(shape: Primitive, center: Vec3, color: [f32; 3]) -> (Primitive, Affine, Vec4) {
    let place = Affine::from_translation(center);
    (shape, place, Vec3::from_array(color).extend(1.0))
}

/// A character whose only mesh is moved by all joints of a skeleton, bound at rest.
fn skinned_character(name: &str, skeleton: Skeleton, surface: Primitive) -> Character {
    let skin = Skin::at_rest(&skeleton);
    let mut character = Character::from_skeleton(skeleton);
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
    });
    character
}
