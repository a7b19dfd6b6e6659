//! A lamp on a post that a hand lights: a mesh, a material and a light.

use glam::{Vec3, Vec4};
use sinew::character::{Light, LightKind, Material, Node};
use sinew::mesh::shapes::{self, Cylinder};
use sinew::mesh::{Mesh, Primitive};
use sinew::{Affine, Character};

/// Radius of the bulb.
pub const RADIUS: f32 = 0.055;

/// Adds a lamp whose bulb has its middle at a position.
pub fn stand(character: &mut Character, at: Vec3) {
    let post = Cylinder {
        length: at.y - RADIUS,
        radii: [0.022, 0.014],
        sectors: 12,
        ..Cylinder::default()
    };
    let foot = Cylinder {
        length: 0.02,
        radii: [0.12, 0.1],
        sectors: 24,
        ..Cylinder::default()
    };
    let (grey, white) = (Vec4::new(0.12, 0.12, 0.13, 1.0), Vec4::ONE);
    let here = Affine::IDENTITY;
    let stand = shapes::merged(&[(post.build(), here, grey), (foot.build(), here, grey)]);
    let up = Affine::from_translation(Vec3::Y * at.y);
    let bulb = shapes::merged(&[(shapes::sphere(RADIUS, 12, 24), up, white)]);
    let first = character.materials.len();
    for (name, roughness) in [("post", 0.4), ("bulb", 0.2)] {
        character.materials.push(Material {
            name: name.to_owned(),
            metallic: 0.0,
            roughness,
            ..Material::default()
        });
    }
    let of = |surface: Primitive, material: usize| Primitive {
        material: Some(first + material),
        ..surface
    };
    character.meshes.push(Mesh {
        name: "lamp".to_owned(),
        primitives: vec![of(stand, 0), of(bulb, 1)],
        ..Mesh::default()
    });
    character.lights.push(Light {
        name: "lamp".to_owned(),
        color: [1.0, 0.62, 0.25],
        intensity: 5.0,
        kind: LightKind::Point { range: None },
    });
    let node = |name: &str, place: Vec3| Node {
        name: name.to_owned(),
        parent: None,
        parent_from_node: Affine::from_translation(place),
        joint: None,
        mesh: None,
        skin: None,
        morph_weights: Vec::new(),
        light: None,
    };
    character.nodes.push(Node {
        mesh: Some(character.meshes.len() - 1),
        ..node("lamp", at.with_y(0.0))
    });
    character.nodes.push(Node {
        light: Some(character.lights.len() - 1),
        ..node("lamp light", at)
    });
}
