//! Scenes of moving parts as characters: a joint for each part, a mesh on each joint, so that whatever plays, poses and
//! draws characters does so with machines.

use glam::Vec4;
use sinew::character::{Character, Material, Node};
use sinew::mesh::{Mesh, Primitive, shapes};
use sinew::scene::{NodeId, Scene};
use sinew::skeleton::limits::Freedom;
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Affine, Transform};

/// A part that moves.
pub(crate) struct Part {
    pub name: &'static str,
    /// Of the parts before it.
    pub parent: Option<usize>,
    pub world_from_part: Transform,
    pub freedom: Freedom,
    /// The node whose drawings it carries, with what hangs from that and from no other part.
    pub node: Option<NodeId>,
}

/// A character that stands as the scene does now.
pub(crate) fn character(name: &str, scene: &Scene, parts: &[Part]) -> Character {
    let joints = parts.iter().map(|part| {
        let parent = part.parent.map(|parent| parts[parent].world_from_part);
        let above = parent.and_then(|parent| parent.inverse());
        let place = above.and_then(|above| above.compose(&part.world_from_part));
        let place = place.unwrap_or(part.world_from_part);
        Joint::new(part.name, part.parent, place).with_freedom(part.freedom.clone())
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

/// The surfaces that a part carries, in its own frame: painted drawings as one surface, others with the colours of
/// their vertices.
fn drawn_by(scene: &Scene, parts: &[Part], joint: usize) -> Vec<Primitive> {
    let part_from_world = parts[joint].world_from_part.inverse();
    let part_from_world =
        part_from_world.map_or(Affine::IDENTITY, |place: Transform| place.to_affine());
    let draws = scene.draws().expect("a few hundred parts at most");
    let (mut painted, mut own) = (Vec::new(), Vec::new());
    for draw in
        draws.filter(|draw| owner(scene, parts, draw.instance.unwrap_or(draw.node)) == Some(joint))
    {
        let shape = scene.geometries()[draw.geometry.index()].as_ref();
        let place = part_from_world * draw.world_from_geometry;
        match draw.color {
            Some(color) => painted.push((shape.clone(), place, Vec4::from_array(color))),
            None => {
                let placed = shapes::merged(&[(shape.clone(), place, Vec4::ONE)]);
                own.push(if shape.colors.is_empty() {
                    placed
                } else {
                    Primitive {
                        colors: shape.colors.clone(),
                        ..placed
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

/// The part that a node belongs to: the nearest above it.
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
