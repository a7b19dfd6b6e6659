//! Weights on many bodies: limbs follow their joints, roots and targets do nothing, nothing tears.

use crate::made_bodies::worst_tear;
use glam::Vec3;
use sinew::{Affine, Character};
use sinew_rig::weights::{
    BindCharacterError, BindOptions, BindReport, BindWarning, Unweighted, bind_character,
};
use sinew_samples::bodies::{self, Body};

/// Distance at which a vertex may follow another limb too, in radii of that limb.
const NEAR: f32 = 1.0;
const OVERLAP: f32 = 0.25;

fn bind(character: &mut Character) -> BindReport {
    let report = bind_character(character, &BindOptions::default()).unwrap();
    character.check().unwrap();
    report
}

fn check(body: &Body, character: &Character) {
    let name = |joint: usize| character.skeleton.name(character.skins[0].joints[joint]);
    let is_worn = |name: &str| body.clothes.iter().any(|worn| worn.0 == name);
    for mesh in character.meshes.iter().filter(|mesh| !is_worn(&mesh.name)) {
        let primitive = &mesh.primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        let own = body.limbs.iter().find(|limb| limb.name == mesh.name);
        for (vertex, &position) in primitive.positions.iter().enumerate() {
            let near = body.limbs.iter().filter(|limb| match own {
                Some(own) => {
                    limb.name == own.name || limb.distance(position) < OVERLAP * limb.radius
                }
                None => limb.distance(position) < NEAR * limb.radius,
            });
            let near: Vec<_> = near.collect();
            let follows = |joint: usize| {
                let mut joints = near.iter().flat_map(|limb| &limb.follows);
                joints.any(|begin| name(joint).starts_with(begin))
            };
            let row: Vec<(usize, f32)> = influences.get(vertex).collect();
            let most = row.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
            let limbs: Vec<&str> = near.iter().map(|limb| limb.name.as_str()).collect();
            assert!(
                follows(most),
                "{}: {position} of {limbs:?} follows {}",
                body.name,
                name(most)
            );
            for &(joint, _) in &row {
                let is_still = body
                    .still
                    .iter()
                    .any(|begin| name(joint).starts_with(begin));
                assert!(
                    !is_still,
                    "{}: {position} follows {}",
                    body.name,
                    name(joint)
                );
            }
        }
    }
    let (tear, edge) = worst_tear(character);
    assert!(tear < 3.0, "{}: {edge} tears by {tear}", body.name);
}

#[test]
fn every_body_follows_its_own_joints_and_nothing_tears() {
    for body in bodies::all() {
        let mut character = body.character();
        let report = bind(&mut character);
        check(&body, &character);
        let torn = |warning: &BindWarning| matches!(warning, BindWarning::Torn { .. });
        assert!(
            !report.warnings.iter().any(torn),
            "{}: {:?}",
            body.name,
            report.warnings
        );
        let root = (0, Unweighted::Root);
        let has_root = body
            .still
            .iter()
            .any(|still| ["root", "master"].contains(still));
        assert_eq!(report.unweighted.contains(&root), has_root, "{}", body.name);
    }
}

#[test]
fn a_person_in_centimetres_whose_armature_is_scaled_to_metres() {
    let mut metres = bodies::person().character();
    bind(&mut metres);
    let mut character = bodies::person().character();
    // The mesh in centimetres; inverse binds map to joints in metres.
    let positions = character.meshes[0].primitives[0].positions.iter();
    let positions: Vec<Vec3> = positions.map(|&position| position * 100.0).collect();
    character.meshes[0].primitives[0].positions = std::sync::Arc::new(positions);
    let to_metres = Affine::from_axes(Vec3::X * 0.01, Vec3::Y * 0.01, Vec3::Z * 0.01, Vec3::ZERO);
    for joint_from_model in &mut character.skins[0].joint_from_model {
        *joint_from_model = *joint_from_model * to_metres;
    }
    bind(&mut character);
    let rows = |character: &Character| {
        character.meshes[0].primitives[0]
            .influences
            .clone()
            .unwrap()
    };
    let (here, there) = (rows(&metres), rows(&character));
    for vertex in 0..here.len() {
        for (joint, weight) in here.get(vertex) {
            let other = there
                .get(vertex)
                .find(|row| row.0 == joint)
                .map_or(0.0, |row| row.1);
            assert!(
                (weight - other).abs() < 1e-3,
                "{vertex} {joint}: {weight} {other}"
            );
        }
    }
}

#[test]
fn a_knight_of_twelve_parts_gives_no_reason_to_warn() {
    let knight = bodies::knight();
    assert_eq!(knight.limbs.len(), 12);
    let report = bind(&mut knight.character());
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn a_skirt_hangs_from_the_hips_and_blends_between_the_legs() {
    let mut character = bodies::skirt().character();
    bind(&mut character);
    let cloth = character.meshes.iter().find(|mesh| mesh.name == "skirt");
    let cloth = &cloth.unwrap().primitives[0];
    let influences = cloth.influences.as_ref().unwrap();
    let name = |joint: usize| character.skeleton.name(character.skins[0].joints[joint]);
    let mut seen = [0; 3];
    for (vertex, position) in cloth.positions.iter().enumerate() {
        let leg = |side: &str| -> f32 {
            let of_leg = ["thigh", "shin", "foot", "toe"].map(|bone| format!("{bone}.{side}"));
            let rows = influences.get(vertex);
            let rows = rows.filter(|row| of_leg.iter().any(|bone| bone == name(row.0)));
            rows.map(|row| row.1).sum()
        };
        let (left, right) = (leg("l"), leg("r"));
        if position.y > 1.0 {
            assert!(left + right < 0.3, "{position}: {left} and {right}");
            seen[0] += 1;
        } else if position.y < 0.75 && position.x.abs() > 0.12 {
            let (own, other) = if position.x > 0.0 {
                (left, right)
            } else {
                (right, left)
            };
            assert!(
                own > 0.5 && own > 2.0 * other,
                "{position}: {own} and {other}"
            );
            seen[1] += 1;
        } else if position.y < 0.75 && position.x.abs() < 0.02 {
            assert!((left - right).abs() < 0.2, "{position}: {left} and {right}");
            seen[2] += 1;
        }
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
}

#[test]
fn parts_of_machines_do_not_bend() {
    let robot = bodies::robot();
    assert_eq!(robot.limbs.len(), 30);
    let mut character = robot.character();
    bind(&mut character);
    for mesh in &character.meshes {
        let influences = mesh.primitives[0].influences.as_ref().unwrap();
        let first: Vec<_> = influences.get(0).collect();
        let same = |vertex| influences.get(vertex).eq(first.iter().copied());
        assert!((0..influences.len()).all(same), "{}", mesh.name);
    }
}

#[test]
fn the_tip_of_a_tail_is_an_end_and_a_snake_uses_all_its_joints() {
    let report = bind(&mut bodies::bird().character());
    let end = (6, Unweighted::End);
    assert!(report.unweighted.contains(&end), "{:?}", report.unweighted);
    let report = bind(&mut bodies::snake().character());
    assert_eq!(report.joints_used, 40);
}

#[test]
fn a_twist_joint_divides_the_bone_that_it_lies_on() {
    let mut body = Body::new("arm", 0.03);
    body.joint("upper", "", [0.0, 0.0, 0.0]);
    body.joint("twist", "upper", [0.5, 0.02, 0.0]);
    body.joint("lower", "upper", [1.0, 0.0, 0.0]);
    body.joint("hand", "lower", [2.0, 0.0, 0.0]);
    let all = ["upper", "twist", "lower", "hand"];
    body.limb("arm", [0.0, 0.0, 0.0], [2.4, 0.0, 0.0], 0.1, &all);
    let mut character = body.character();
    bind(&mut character);
    let primitive = &character.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let most = |from: f32, to: f32| {
        let mut sums = [0.0; 4];
        for (vertex, position) in primitive.positions.iter().enumerate() {
            if from < position.x && position.x < to {
                influences
                    .get(vertex)
                    .for_each(|(joint, weight)| sums[joint] += weight);
            }
        }
        let all: f32 = sums.iter().sum();
        sums.map(|sum| sum / all)
    };
    assert!(most(0.1, 0.3)[0] > 0.9, "{:?}", most(0.1, 0.3));
    assert!(most(0.7, 0.8)[1] > 0.9, "{:?}", most(0.7, 0.8));
    assert!(most(0.95, 1.05)[1] > 0.3 && most(0.95, 1.05)[2] > 0.3);
}

#[test]
fn axes_and_the_order_of_vertices_change_nothing() {
    let mut y_up = bodies::person().character();
    let mut z_up = bodies::person().character();
    bind(&mut y_up);
    let turned = |position: Vec3| Vec3::new(position.x, -position.z, position.y);
    let back = Affine::from_axes(Vec3::X, Vec3::NEG_Z, Vec3::Y, Vec3::ZERO);
    let primitive = &mut z_up.meshes[0].primitives[0];
    let last = primitive.len() as u32 - 1;
    let reversed = primitive
        .positions
        .iter()
        .rev()
        .map(|&position| turned(position));
    primitive.positions = std::sync::Arc::new(reversed.collect());
    let indices = primitive.indices.as_ref().unwrap();
    let indices = indices
        .iter()
        .rev()
        .map(|&vertex| last - vertex)
        .collect::<Vec<u32>>();
    let indices = indices.chunks(3).flat_map(|t| [t[2], t[1], t[0]]).collect();
    primitive.indices = Some(std::sync::Arc::new(indices));
    for joint_from_model in &mut z_up.skins[0].joint_from_model {
        *joint_from_model = *joint_from_model * back;
    }
    bind(&mut z_up);
    let rows = |character: &Character| {
        character.meshes[0].primitives[0]
            .influences
            .clone()
            .unwrap()
    };
    let (here, there) = (rows(&y_up), rows(&z_up));
    for vertex in 0..here.len() {
        for (joint, weight) in here.get(vertex) {
            let mut other = there.get(here.len() - 1 - vertex);
            let other = other.find(|row| row.0 == joint).map_or(0.0, |row| row.1);
            assert!(
                (weight - other).abs() < 2e-3,
                "{vertex} {joint}: {weight} {other}"
            );
        }
    }
}

#[test]
fn a_mesh_a_hundred_times_as_large_as_its_skeleton_is_refused() {
    let mut character = bodies::person().character();
    let positions = character.meshes[0].primitives[0].positions.iter();
    let positions: Vec<Vec3> = positions.map(|&position| position * 100.0).collect();
    character.meshes[0].primitives[0].positions = std::sync::Arc::new(positions);
    let refused = bind_character(&mut character, &BindOptions::default()).unwrap_err();
    let BindCharacterError::Size { mesh, skeleton } = refused else {
        panic!("{refused}");
    };
    assert!(mesh > 200.0 && skeleton < 3.0, "{refused}");
}
