//! Cloth follows the body beneath it: a shirt and a loose trouser leg on synthetic people.

use crate::made_bodies::{turned, worst_tear};
use glam::{Quat, Vec3};
use sinew::mesh::Primitive;
use sinew::{Character, Influences};
use sinew_rig::weights::{BindOptions, ClothPiece, Unweighted, bind_character};
use sinew_samples::bodies::{self, Body};
use std::collections::HashMap;

fn people() -> Vec<(&'static str, Body)> {
    let worn = [
        ("shirt", bodies::shirt(&bodies::person())),
        ("trouser leg", bodies::trouser_leg(&bodies::person())),
    ];
    let dressed = worn.map(|(name, worn)| {
        let mut body = bodies::person();
        body.clothes.push((name.to_owned(), worn));
        (name, body)
    });
    dressed.into_iter().collect()
}

fn bound(body: &Body) -> Character {
    let mut character = body.character();
    let report = bind_character(&mut character, &BindOptions::default()).unwrap();
    let vertices = character.meshes[1].primitives[0].len();
    assert_eq!(report.cloth, [ClothPiece { mesh: 1, vertices }]);
    let root = (0, Unweighted::Root);
    assert!(report.unweighted.contains(&root), "{:?}", report.unweighted);
    character
}

fn parts(character: &Character) -> [(&Primitive, &Influences); 2] {
    [0, 1].map(|mesh| {
        let primitive = &character.meshes[mesh].primitives[0];
        (primitive, &**primitive.influences.as_ref().unwrap())
    })
}

fn nearest(
    skin: &Primitive,
    influences: &Influences,
    position: Vec3,
) -> (f32, HashMap<usize, f32>) {
    let mut best = (f32::INFINITY, [0; 3], [0.0; 3]);
    for triangle in skin.triangles() {
        let corners = triangle.map(|vertex| skin.positions[vertex]);
        if corners[0].distance(position) > best.0 + 0.06 {
            continue;
        }
        for i in 0..=4_u8 {
            for j in 0..=4 - i {
                let (s, t) = (0.25 * f32::from(i), 0.25 * f32::from(j));
                let parts = [1.0 - s - t, s, t];
                let at: Vec3 = corners.iter().zip(parts).map(|(c, part)| *c * part).sum();
                if at.distance(position) < best.0 {
                    best = (at.distance(position), triangle, parts);
                }
            }
        }
    }
    let mut weights = HashMap::new();
    for (vertex, part) in best.1.into_iter().zip(best.2) {
        for (joint, weight) in influences.get(vertex) {
            *weights.entry(joint).or_default() += part * weight;
        }
    }
    (best.0, weights)
}

fn apart(one: impl Iterator<Item = (usize, f32)>, mut other: HashMap<usize, f32>) -> f32 {
    for (joint, weight) in one {
        *other.entry(joint).or_default() -= weight;
    }
    other.values().map(|weight| weight.abs()).sum()
}

/// Winding number of a closed surface (van Oosterom and Strackee 1983).
fn windings(skin: &Primitive, positions: &[Vec3], position: Vec3) -> f32 {
    let mut sum = 0.0;
    for triangle in skin.triangles() {
        let [a, b, c] = triangle.map(|vertex| positions[vertex] - position);
        let [la, lb, lc] = [a, b, c].map(Vec3::length);
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        sum += f32::atan2(a.dot(b.cross(c)), below);
    }
    sum / std::f32::consts::TAU
}

#[test]
fn a_sleeve_follows_the_arm_beneath_it() {
    let (_, body) = people().swap_remove(0);
    let character = bound(&body);
    let [(skin, skin_rows), (shirt, rows)] = parts(&character);
    let name = |joint: usize| character.skeleton.name(character.skins[0].joints[joint]);
    let (mut worst, mut seen) = ((0.0, Vec3::ZERO), 0);
    for (vertex, &position) in shirt.positions.iter().enumerate() {
        let (distance, beneath) = nearest(skin, skin_rows, position);
        if distance < 0.025 {
            let off = apart(rows.get(vertex), beneath);
            if off > worst.0 {
                worst = (off, position);
            }
            seen += 1;
        }
        if position.x.abs() > 0.3 {
            let side = if position.x > 0.0 { ".l" } else { ".r" };
            for (joint, weight) in rows.get(vertex) {
                let is_arm = name(joint).ends_with(side) && !name(joint).starts_with("thigh");
                assert!(
                    is_arm || weight < 0.1,
                    "{position}: {weight} of {}",
                    name(joint)
                );
            }
        }
    }
    println!("shirt: {worst:?} from the skin beneath, of {seen}");
    assert!(seen > shirt.len() / 2, "{seen}");
    assert!(worst.0 < 0.2, "{worst:?}");
}

#[test]
fn a_trouser_leg_follows_its_own_leg() {
    let (_, body) = people().swap_remove(1);
    let character = bound(&body);
    let [_, (worn, rows)] = parts(&character);
    let name = |joint: usize| character.skeleton.name(character.skins[0].joints[joint]);
    for (vertex, position) in worn.positions.iter().enumerate() {
        for (joint, weight) in rows.get(vertex) {
            let is_other = name(joint).ends_with(".r");
            assert!(
                !is_other || weight < 0.05,
                "{position}: {weight} of {}",
                name(joint)
            );
        }
    }
}

#[test]
fn a_skirt_is_no_cloth_that_lies_on_the_skin() {
    let mut character = bodies::skirt().character();
    let report = bind_character(&mut character, &BindOptions::default()).unwrap();
    assert_eq!(report.cloth, []);
}

#[test]
fn turned_joints_tear_no_cloth() {
    for (what, body) in people() {
        let (tear, edge) = worst_tear(&bound(&body));
        println!("{what}: {tear}");
        assert!(tear < 3.0, "{what}: {edge} tears by {tear}");
    }
}

#[test]
fn the_body_stays_inside_its_clothes() {
    for (what, mut body) in people() {
        body.cell = 0.03;
        let character = bound(&body);
        let [(skin, _), (worn, _)] = parts(&character);
        let some: Vec<usize> = (0..worn.len()).step_by(worn.len() / 100).collect();
        let inside = |places: &[Vec<Vec3>]| {
            let is_in = |&&v: &&usize| windings(skin, &places[0], places[1][v]).abs() > 0.5;
            some.iter().filter(is_in).count() as f32 / some.len() as f32
        };
        let rest = [skin, worn].map(|primitive| primitive.positions.to_vec());
        let rest = inside(&rest);
        let (mut most, mut sum, mut count) = ((0.0, String::new()), 0.0, 0.0);
        for (index, &joint) in character.skins[0].joints.iter().enumerate() {
            let name = character.skeleton.name(joint);
            if name.ends_with(".r") || name.contains("target") || name.contains("pole") {
                continue;
            }
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                for degrees in [-30.0_f32, 30.0] {
                    // The left leg goes into the right leg in any case.
                    let is_leg = ["thigh.l", "shin.l"].contains(&name);
                    if is_leg && axis == Vec3::Z && degrees < 0.0 {
                        continue;
                    }
                    let turn = Quat::from_axis_angle(axis, degrees.to_radians());
                    let share = inside(&turned(&character, index, turn));
                    sum += share;
                    count += 1.0;
                    if share > most.0 {
                        most = (share, format!("{name} {axis} {degrees}"));
                    }
                }
            }
        }
        let mean = sum / count;
        println!("{what}: inside at rest {rest:.4}, at most {most:?}, mean {mean:.4}");
        assert!(most.0 <= rest + 0.05, "{what}: {rest} and {most:?}");
    }
}
