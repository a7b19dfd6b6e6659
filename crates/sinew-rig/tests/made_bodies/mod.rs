//! Effect of joint rotations on bodies.

use glam::{Quat, Vec3};
use sinew::Character;

/// Vertices of every mesh after a rotation in model space of a joint and its descendants.
pub fn turned(character: &Character, index: usize, turn: Quat) -> Vec<Vec<Vec3>> {
    let skin = &character.skins[0];
    let skeleton = &character.skeleton;
    let hangs = |mut other: usize| loop {
        if other == skin.joints[index] {
            return true;
        }
        match skeleton.parent(other) {
            Some(parent) => other = parent,
            None => return false,
        }
    };
    let moves: Vec<bool> = skin.joints.iter().map(|&other| hangs(other)).collect();
    let pivot = skin.bind_position(index);
    let meshes = character.meshes.iter().map(|mesh| {
        let primitive = &mesh.primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        let at = |(vertex, &place): (usize, &Vec3)| {
            let rows = influences.get(vertex).filter(|row| moves[row.0]);
            let moved: f32 = rows.map(|row| row.1).sum();
            place.lerp(pivot + turn * (place - pivot), moved)
        };
        primitive.positions.iter().enumerate().map(at).collect()
    });
    meshes.collect()
}

/// Max stretch of an edge when a joint of the skin rotates by 60° about a model axis, with names.
pub fn worst_tear(character: &Character) -> (f32, String) {
    let mut worst = (1.0, String::new());
    for (index, &joint) in character.skins[0].joints.iter().enumerate() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let turn = Quat::from_axis_angle(axis, 60.0_f32.to_radians());
            let places = turned(character, index, turn);
            for (mesh, places) in character.meshes.iter().zip(&places) {
                let primitive = &mesh.primitives[0];
                for [a, b, c] in primitive.triangles() {
                    for (a, b) in [(a, b), (b, c), (c, a)] {
                        let before = primitive.positions[a].distance(primitive.positions[b]);
                        let longer = places[a].distance(places[b]) / before;
                        if longer > worst.0 {
                            let influences = primitive.influences.as_ref().unwrap();
                            let rows = [a, b].map(|v| influences.get(v).collect::<Vec<_>>());
                            let at = primitive.positions[a];
                            let name = character.skeleton.name(joint);
                            worst = (longer, format!("{at} under {name} {axis}: {rows:?}"));
                        }
                    }
                }
            }
        }
    }
    worst
}
