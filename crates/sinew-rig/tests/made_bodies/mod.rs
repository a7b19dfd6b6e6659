//! What turning joints does to bodies.

use glam::{Quat, Vec3};
use sinew::Character;

/// The most that any edge becomes longer when any joint of the skin turns by 60 degrees about any axis
/// of the model, and which edge and joint.
pub fn worst_tear(character: &Character) -> (f32, String) {
    let skin = &character.skins[0];
    let skeleton = &character.skeleton;
    let mut worst = (1.0, String::new());
    for (index, &joint) in skin.joints.iter().enumerate() {
        let hangs = |mut other: usize| loop {
            if other == joint {
                return true;
            }
            match skeleton.parent(other) {
                Some(parent) => other = parent,
                None => return false,
            }
        };
        let moves: Vec<bool> = skin.joints.iter().map(|&other| hangs(other)).collect();
        let pivot = skin.bind_position(index);
        for primitive in character.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let influences = primitive.influences.as_ref().unwrap();
            let moved: Vec<f32> = (0..primitive.len())
                .map(|v| {
                    influences
                        .get(v)
                        .filter(|row| moves[row.0])
                        .map(|row| row.1)
                        .sum()
                })
                .collect();
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let turn = Quat::from_axis_angle(axis, 60.0_f32.to_radians());
                let at = |v: usize| {
                    let place = primitive.positions[v];
                    let turned = pivot + turn * (place - pivot);
                    place.lerp(turned, moved[v])
                };
                for [a, b, c] in primitive.triangles() {
                    for (a, b) in [(a, b), (b, c), (c, a)] {
                        let before = primitive.positions[a].distance(primitive.positions[b]);
                        let longer = at(a).distance(at(b)) / before;
                        if longer > worst.0 {
                            let rows = [a, b].map(|v| influences.get(v).collect::<Vec<_>>());
                            let (at, name) = (primitive.positions[a], skeleton.name(joint));
                            worst = (longer, format!("{at} under {name} {axis}: {rows:?}"));
                        }
                    }
                }
            }
        }
    }
    worst
}
