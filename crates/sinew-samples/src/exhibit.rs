//! Converts scenes of moving parts to characters: one joint and one mesh per part.

use glam::Vec4;
use sinew::character::{Character, Material, Node};
use sinew::mesh::{Mesh, Primitive, shapes};
use sinew::scene::{NodeId, Scene};
use sinew::skeleton::limits::Freedom;
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Affine, Transform};

pub(crate) struct Part {
    pub name: &'static str,
    /// Index of the parent. It is less than the index of the part.
    pub parent: Option<usize>,
    pub world_from_part: Transform,
    pub freedom: Freedom,
    /// Scene node of this part. Its descendants without their own part belong to this part too.
    pub node: Option<NodeId>,
}

pub(crate) fn character(name: &str, scene: &Scene, parts: &[Part]) -> Character {
    let joints = parts.iter().map(|part| {
        let parent = part.parent.map(|parent| parts[parent].world_from_part);
        let above = parent.and_then(|parent| parent.inverse());
        let transform = above.and_then(|above| above.compose(&part.world_from_part));
        let transform = transform.unwrap_or(part.world_from_part);
        Joint::new(part.name, part.parent, transform).with_freedom(part.freedom.clone())
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("parts are a tree, parents first");
    let mut character = Character::from_skeleton(skeleton);
    character.materials.push(Material {
        name: name.to_owned(),
        metallic: 0.0,
        roughness: 0.45,
        ..Material::default()
    });
    for (joint, part) in parts.iter().enumerate() {
        let primitives = drawn_by(scene, parts, joint);
        if primitives.is_empty() {
            continue;
        }
        let mesh = character.meshes.len();
        character.meshes.push(Mesh {
            name: part.name.to_owned(),
            primitives,
            ..Mesh::default()
        });
        character.nodes.push(Node {
            name: format!("{} mesh", part.name),
            parent: Some(joint),
            parent_from_node: Affine::IDENTITY,
            joint: None,
            mesh: Some(mesh),
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
    }
    character
}

/// Surfaces of a part in its own frame: a surface for all draw calls with a colour, and a surface
/// for each other draw call.
fn drawn_by(scene: &Scene, parts: &[Part], joint: usize) -> Vec<Primitive> {
    let part_from_world = parts[joint].world_from_part.inverse();
    let part_from_world = part_from_world.map_or(Affine::IDENTITY, |transform: Transform| {
        transform.to_affine()
    });
    let draws = scene.draws().expect("a few hundred parts at most");
    let (mut painted, mut own) = (Vec::new(), Vec::new());
    for draw in
        draws.filter(|draw| owner(scene, parts, draw.instance.unwrap_or(draw.node)) == Some(joint))
    {
        let shape = scene.geometries()[draw.geometry.index()].as_ref();
        let transform = part_from_world * draw.world_from_geometry;
        match draw.color {
            Some(color) => painted.push((shape.clone(), transform, Vec4::from_array(color))),
            None => {
                let merged = shapes::merged(&[(shape.clone(), transform, Vec4::ONE)]);
                own.push(if shape.colors.is_empty() {
                    merged
                } else {
                    Primitive {
                        colors: shape.colors.clone(),
                        ..merged
                    }
                });
            }
        }
    }
    if !painted.is_empty() {
        own.push(shapes::merged(&painted));
    }
    own.into_iter()
        .map(|primitive| Primitive {
            material: Some(0),
            ..primitive
        })
        .collect()
}

/// Index of the part of a node, or of its nearest ancestor with a part.
fn owner(scene: &Scene, parts: &[Part], node: NodeId) -> Option<usize> {
    let mut above = Some(node);
    while let Some(node) = above {
        if let Some(part) = parts.iter().position(|part| part.node == Some(node)) {
            return Some(part);
        }
        above = scene.parent(node).ok().flatten();
    }
    None
}
