//! Automatic weights on bodies of many kinds: every limb follows its own joints, roots and targets move
//! nothing, and nothing tears.

use crate::made_bodies::{Body, worst_tear};
use glam::Vec3;
use sinew::{Affine, Character};
use sinew_rig::weights::{BindCharacterError, BindOptions, BindReport, Unweighted, bind_character};

/// How near to another limb a place is that may follow it too, in radii of that limb.
const NEAR: f32 = 1.0;
/// The same for pieces that are stuck into each other.
const OVERLAP: f32 = 0.25;

fn bind(character: &mut Character) -> BindReport {
    let report = bind_character(character, &BindOptions::default()).unwrap();
    character.check().unwrap();
    report
}

/// Whether every vertex follows a joint of its own limb most, or of one that it is near to.
fn check(body: &Body, character: &Character, still: &[&str]) {
    let name = |joint: usize| character.skeleton.name(character.skins[0].joints[joint]);
    for mesh in &character.meshes {
        let primitive = &mesh.primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        let own = body.limbs.iter().find(|limb| limb.name == mesh.name);
        for (vertex, &place) in primitive.positions.iter().enumerate() {
            let near = body.limbs.iter().filter(|limb| match own {
                Some(own) => limb.name == own.name || limb.distance(place) < OVERLAP * limb.radius,
                None => limb.distance(place) < NEAR * limb.radius,
            });
            let near: Vec<_> = near.collect();
            let follows = |joint: usize| {
                let mut joints = near.iter().flat_map(|limb| &limb.follows);
                joints.any(|begin| name(joint).starts_with(begin))
            };
            let row: Vec<(usize, f32)> = influences.get(vertex).collect();
            let most = row.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
            let limbs: Vec<&str> = near.iter().map(|limb| limb.name.as_str()).collect();
            assert!(follows(most), "{place} of {limbs:?} follows {}", name(most));
            for &(joint, _) in &row {
                let is_still = still.iter().any(|begin| name(joint).starts_with(begin));
                assert!(!is_still, "{place} follows {}", name(joint));
            }
        }
    }
    let (tear, edge) = worst_tear(character);
    assert!(tear < 3.0, "{edge} tears by {tear}");
}

/// A person's joints, with a root on the floor, targets and ends.
fn person() -> Body {
    let mut body = Body::default();
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("hips", "root", [0.0, 0.95, 0.0]);
    body.joint("spine", "hips", [0.0, 1.1, 0.0]);
    body.joint("chest", "spine", [0.0, 1.3, 0.0]);
    body.joint("head", "chest", [0.0, 1.55, 0.0]);
    body.joint("head_end", "head", [0.0, 1.8, 0.0]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        body.joint(&name("arm"), "chest", [0.2 * x, 1.42, 0.0]);
        body.joint(&name("forearm"), &name("arm"), [0.48 * x, 1.42, 0.0]);
        body.joint(&name("hand"), &name("forearm"), [0.74 * x, 1.42, 0.0]);
        body.joint(&name("thigh"), "hips", [0.1 * x, 0.9, 0.0]);
        body.joint(&name("shin"), &name("thigh"), [0.1 * x, 0.5, 0.0]);
        body.joint(&name("foot"), &name("shin"), [0.1 * x, 0.08, 0.0]);
        body.joint(&name("toe"), &name("foot"), [0.1 * x, 0.04, 0.14]);
        body.joint(&name("foot_target"), "root", [0.1 * x, 0.08, 0.0]);
        body.joint(&name("knee_pole"), "root", [0.1 * x, 0.5, 0.6]);
    }
    body
}

const STILL: [&str; 4] = ["root", "head_end", "foot_target", "knee_pole"];

/// The limbs of a person of flesh.
fn flesh(body: &mut Body) {
    let trunk = ["hips", "spine", "chest"];
    body.limb("trunk", [0.0, 0.98, 0.0], [0.0, 1.36, 0.0], 0.15, &trunk);
    body.limb(
        "head",
        [0.0, 1.52, 0.0],
        [0.0, 1.7, 0.0],
        0.1,
        &["head", "chest"],
    );
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let arm = [name("arm"), name("forearm"), name("hand")];
        let arm = arm.each_ref().map(String::as_str);
        body.limb(
            &name("arm"),
            [0.16 * x, 1.42, 0.0],
            [0.86 * x, 1.42, 0.0],
            0.05,
            &arm,
        );
        let leg = [name("thigh"), name("shin"), name("foot"), name("toe")];
        let leg = leg.each_ref().map(String::as_str);
        body.limb(
            &name("leg"),
            [0.1 * x, 0.9, 0.0],
            [0.1 * x, 0.07, 0.0],
            0.075,
            &leg,
        );
        body.limb(
            &name("foot"),
            [0.1 * x, 0.05, 0.0],
            [0.1 * x, 0.05, 0.18],
            0.045,
            &leg,
        );
    }
}

#[test]
fn a_person_of_one_skin() {
    let mut body = person();
    flesh(&mut body);
    let mut character = body.one_skin(0.02);
    let report = bind(&mut character);
    check(&body, &character, &STILL);
    let root = (0, Unweighted::Root);
    assert!(report.unweighted.contains(&root), "{:?}", report.unweighted);
}

#[test]
fn a_person_in_centimetres_whose_armature_is_scaled_to_metres() {
    let mut body = person();
    flesh(&mut body);
    let mut metres = body.one_skin(0.02);
    bind(&mut metres);
    let mut body = person();
    flesh(&mut body);
    let mut character = body.one_skin(0.02);
    // The mesh in centimetres; inverse binds lead from there into joints of metres.
    let positions = character.meshes[0].primitives[0].positions.iter();
    let positions: Vec<Vec3> = positions.map(|&place| place * 100.0).collect();
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
fn a_knight_of_twelve_closed_parts_that_overlap() {
    let mut body = person();
    body.limb(
        "helmet",
        [0.0, 1.62, 0.0],
        [0.0, 1.72, 0.0],
        0.13,
        &["head"],
    );
    body.limb(
        "breastplate",
        [0.0, 1.3, 0.0],
        [0.0, 1.34, 0.0],
        0.18,
        &["spine", "chest"],
    );
    body.limb(
        "faulds",
        [0.0, 0.98, 0.0],
        [0.0, 1.04, 0.0],
        0.14,
        // The legs begin in it.
        &["hips", "spine", "thigh"],
    );
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let at = |far: f32, y: f32| [far * x, y, 0.0];
        body.limb(
            &name("pauldron"),
            at(0.26, 1.42),
            at(0.44, 1.42),
            0.075,
            &[&name("arm")],
        );
        let lower = [name("forearm"), name("hand")];
        let lower = lower.each_ref().map(String::as_str);
        body.limb(
            &name("gauntlet"),
            at(0.5, 1.42),
            at(0.84, 1.42),
            0.065,
            &lower,
        );
        body.limb(
            &name("cuisse"),
            at(0.1, 0.86),
            at(0.1, 0.56),
            0.085,
            &[&name("thigh")],
        );
        let lower = [name("shin"), name("foot")];
        let lower = lower.each_ref().map(String::as_str);
        body.limb(&name("greave"), at(0.1, 0.5), at(0.1, 0.08), 0.075, &lower);
    }
    // Held before the left forearm, a little off it.
    let arm = ["forearm.l", "hand.l"];
    body.limb("shield", [0.62, 1.3, 0.12], [0.62, 1.54, 0.12], 0.03, &arm);
    assert_eq!(body.limbs.len(), 12);
    let mut character = body.pieces(0.02);
    let report = bind(&mut character);
    check(&body, &character, &STILL);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn a_robot_of_thirty_parts_with_gaps() {
    let mut body = person();
    let up = |y: f32| [0.0, y, 0.0];
    body.limb("pelvis", up(0.97), up(1.03), 0.06, &["hips"]);
    body.limb("waist", up(1.16), up(1.2), 0.06, &["spine"]);
    body.limb("torso", up(1.35), up(1.42), 0.09, &["chest"]);
    body.limb("skull", up(1.63), up(1.68), 0.06, &["head"]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |name: &str| format!("{name}.{side}");
        let mut row = |part: &str, joint: &str, from: [f32; 3], to: [f32; 3]| {
            body.limb(&name(part), from, to, 0.035, &[&name(joint)]);
        };
        let out = |far: f32| [far * x, 1.42, 0.0];
        row("shoulder", "arm", out(0.24), out(0.26));
        row("biceps", "arm", out(0.36), out(0.38));
        row("elbow", "forearm", out(0.53), out(0.55));
        row("cuff", "forearm", out(0.66), out(0.68));
        row("palm", "hand", out(0.79), out(0.81));
        row("fingers", "hand", out(0.9), out(0.92));
        let down = |y: f32| [0.1 * x, y, 0.0];
        row("hip", "thigh", down(0.85), down(0.84));
        row("thigh", "thigh", down(0.72), down(0.7));
        row("knee", "thigh", down(0.58), down(0.56));
        row("calf", "shin", down(0.42), down(0.4));
        row("ankle", "shin", down(0.26), down(0.24));
        row("heel", "foot", down(0.07), down(0.06));
        row("toes", "toe", [0.1 * x, 0.04, 0.2], [0.1 * x, 0.04, 0.22]);
    }
    assert_eq!(body.limbs.len(), 30);
    let mut character = body.pieces(0.012);
    bind(&mut character);
    check(&body, &character, &STILL);
    // Parts of machines do not bend.
    for mesh in &character.meshes {
        let influences = mesh.primitives[0].influences.as_ref().unwrap();
        let first: Vec<_> = influences.get(0).collect();
        let same = |vertex| influences.get(vertex).eq(first.iter().copied());
        assert!((0..influences.len()).all(same), "{}", mesh.name);
    }
}

#[test]
fn a_dog() {
    let mut body = Body::default();
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("hips", "root", [0.0, 0.6, -0.4]);
    body.joint("spine", "hips", [0.0, 0.62, -0.1]);
    body.joint("chest", "spine", [0.0, 0.62, 0.2]);
    body.joint("neck", "chest", [0.0, 0.68, 0.4]);
    body.joint("head", "neck", [0.0, 0.85, 0.55]);
    body.joint("tail1", "hips", [0.0, 0.64, -0.55]);
    body.joint("tail2", "tail1", [0.0, 0.74, -0.7]);
    body.joint("tail3", "tail2", [0.0, 0.84, -0.85]);
    for (side, x) in [("l", 0.11), ("r", -0.11)] {
        for (leg, above, z) in [("front", "chest", 0.3), ("hind", "hips", -0.42)] {
            let name = |part: &str| format!("{leg}_{part}.{side}");
            body.joint(&name("upper"), above, [x, 0.52, z]);
            body.joint(&name("lower"), &name("upper"), [x, 0.3, z]);
            body.joint(&name("paw"), &name("lower"), [x, 0.07, z]);
            body.joint(&format!("IK_{leg}.{side}"), "root", [x, 0.07, z]);
            let from = [x, 0.5, z];
            body.limb(
                &name("leg"),
                from,
                [x, 0.05, z],
                0.05,
                &[&format!("{leg}_")],
            );
            body.limb(
                &name("paw"),
                [x, 0.04, z],
                [x, 0.04, z + 0.08],
                0.04,
                &[&format!("{leg}_")],
            );
        }
    }
    let trunk = ["hips", "spine", "chest"];
    body.limb("trunk", [0.0, 0.6, -0.42], [0.0, 0.6, 0.3], 0.14, &trunk);
    body.limb(
        "neck",
        [0.0, 0.68, 0.36],
        [0.0, 0.85, 0.52],
        0.08,
        &["neck", "chest", "head"],
    );
    body.limb(
        "head",
        [0.0, 0.87, 0.55],
        [0.0, 0.83, 0.75],
        0.07,
        &["head"],
    );
    body.limb(
        "tail",
        [0.0, 0.64, -0.55],
        [0.0, 0.9, -0.95],
        0.03,
        &["tail"],
    );
    let mut character = body.one_skin(0.018);
    bind(&mut character);
    check(&body, &character, &["root", "IK"]);
}

#[test]
fn a_bird() {
    let mut body = Body::default();
    body.joint("master", "", [0.0, 0.0, 0.0]);
    body.joint("body", "master", [0.0, 0.3, -0.1]);
    body.joint("breast", "body", [0.0, 0.34, 0.08]);
    body.joint("neck", "breast", [0.0, 0.42, 0.18]);
    body.joint("head", "neck", [0.0, 0.52, 0.24]);
    body.joint("tail", "body", [0.0, 0.28, -0.24]);
    body.joint("tail_tip", "tail", [0.0, 0.26, -0.44]);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}.{side}");
        body.joint(&name("wing1"), "breast", [0.1 * x, 0.36, 0.05]);
        body.joint(&name("wing2"), &name("wing1"), [0.35 * x, 0.38, 0.05]);
        body.joint(&name("wing3"), &name("wing2"), [0.6 * x, 0.38, 0.03]);
        body.joint(&name("leg"), "body", [0.05 * x, 0.22, 0.0]);
        body.joint(&name("foot"), &name("leg"), [0.05 * x, 0.04, 0.0]);
        let wing = name("wing");
        // Flat: three rods side by side.
        for z in [0.08, 0.03, -0.02, -0.07] {
            let (from, to) = ([0.08 * x, 0.36, z], [0.85 * x, 0.38, z]);
            body.limb(&wing, from, to, 0.03, &["wing"]);
        }
        let leg = [name("leg"), name("foot")];
        let leg = leg.each_ref().map(String::as_str);
        body.limb(
            &leg[0].replace('.', "g."),
            [0.05 * x, 0.22, 0.0],
            [0.05 * x, 0.03, 0.0],
            0.025,
            &leg,
        );
    }
    body.limb(
        "trunk",
        [0.0, 0.3, -0.12],
        [0.0, 0.34, 0.1],
        0.1,
        &["body", "breast"],
    );
    body.limb(
        "neck",
        [0.0, 0.4, 0.15],
        [0.0, 0.52, 0.24],
        0.05,
        &["neck", "breast", "head"],
    );
    body.limb(
        "head",
        [0.0, 0.53, 0.25],
        [0.0, 0.53, 0.3],
        0.055,
        &["head"],
    );
    body.limb(
        "tail",
        [0.0, 0.28, -0.2],
        [0.0, 0.26, -0.44],
        0.03,
        &["tail", "body"],
    );
    let mut character = body.one_skin(0.012);
    let report = bind(&mut character);
    check(&body, &character, &["master", "tail_tip"]);
    assert!(
        report.unweighted.contains(&(6, Unweighted::End)),
        "{:?}",
        report.unweighted
    );
}

#[test]
fn a_snake_of_forty_joints() {
    let mut body = Body::default();
    let at = |joint: f32| {
        let turn = 0.35 * joint;
        [0.4 * turn.sin(), 0.05, 0.1 * joint]
    };
    for joint in 0..40_u8 {
        let above = joint
            .checked_sub(1)
            .map_or(String::new(), |above| format!("b{above:02}"));
        body.joint(&format!("b{joint:02}"), &above, at(f32::from(joint)));
        // Each stretch follows its own joint and those beside it.
        let near = joint.saturating_sub(1)..joint + 2;
        let near: Vec<String> = near.map(|other| format!("b{other:02}")).collect();
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        let (from, to) = (at(f32::from(joint)), at(f32::from(joint) + 1.0));
        body.limb(&format!("stretch{joint:02}"), from, to, 0.06, &near);
    }
    let mut character = body.one_skin(0.022);
    let report = bind(&mut character);
    check(&body, &character, &[]);
    assert_eq!(report.joints_used, 40);
}

#[test]
fn a_spider() {
    let mut body = Body::default();
    body.joint("root", "", [0.0, 0.0, 0.0]);
    body.joint("abdomen", "root", [0.0, 0.3, -0.45]);
    body.joint("thorax", "abdomen", [0.0, 0.28, 0.0]);
    for leg in 0..8_u8 {
        let x = if leg % 2 == 0 { 1.0 } else { -1.0 };
        let angle = (f32::from(leg / 2) - 1.5) * 0.45;
        let out = |far: f32, y: f32| [x * far * angle.cos(), y, far * angle.sin()];
        let name = |part: &str| format!("leg{leg}_{part}");
        body.joint(&name("hip"), "thorax", out(0.14, 0.28));
        body.joint(&name("knee"), &name("hip"), out(0.45, 0.5));
        body.joint(&name("ankle"), &name("knee"), out(0.75, 0.2));
        body.joint(&name("target"), "root", out(0.9, 0.0));
        let own = format!("leg{leg}");
        body.limb(
            &name("upper"),
            out(0.12, 0.28),
            out(0.45, 0.5),
            0.03,
            &[&own],
        );
        body.limb(
            &name("lower"),
            out(0.45, 0.5),
            out(0.75, 0.2),
            0.03,
            &[&own],
        );
        body.limb(
            &name("claw"),
            out(0.75, 0.2),
            out(0.9, 0.02),
            0.025,
            &[&own],
        );
    }
    body.limb(
        "thorax",
        [0.0, 0.28, -0.05],
        [0.0, 0.28, 0.03],
        0.12,
        &["thorax", "abdomen"],
    );
    let waist = ["thorax", "abdomen"];
    body.limb("waist", [0.0, 0.28, -0.1], [0.0, 0.3, -0.3], 0.05, &waist);
    body.limb(
        "abdomen",
        [0.0, 0.32, -0.56],
        [0.0, 0.3, -0.42],
        0.16,
        &["abdomen"],
    );
    let mut character = body.one_skin(0.016);
    bind(&mut character);
    let still: Vec<String> = (0..8).map(|leg| format!("leg{leg}_target")).collect();
    let mut still: Vec<&str> = still.iter().map(String::as_str).collect();
    still.push("root");
    check(&body, &character, &still);
}

#[test]
fn a_twist_joint_divides_the_bone_that_it_lies_on() {
    let mut body = Body::default();
    body.joint("upper", "", [0.0, 0.0, 0.0]);
    body.joint("twist", "upper", [0.5, 0.02, 0.0]);
    body.joint("lower", "upper", [1.0, 0.0, 0.0]);
    body.joint("hand", "lower", [2.0, 0.0, 0.0]);
    let all = ["upper", "twist", "lower", "hand"];
    body.limb("arm", [0.0, 0.0, 0.0], [2.4, 0.0, 0.0], 0.1, &all);
    let mut character = body.one_skin(0.03);
    bind(&mut character);
    let primitive = &character.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let most = |from: f32, to: f32| {
        let mut sums = [0.0; 4];
        for (vertex, place) in primitive.positions.iter().enumerate() {
            if from < place.x && place.x < to {
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
    let mut body = person();
    flesh(&mut body);
    let mut y_up = body.one_skin(0.025);
    let mut z_up = body.one_skin(0.025);
    bind(&mut y_up);
    let turned = |place: Vec3| Vec3::new(place.x, -place.z, place.y);
    let back = Affine::from_axes(Vec3::X, Vec3::NEG_Z, Vec3::Y, Vec3::ZERO);
    let primitive = &mut z_up.meshes[0].primitives[0];
    let last = primitive.len() as u32 - 1;
    let reversed = primitive.positions.iter().rev().map(|&place| turned(place));
    primitive.positions = std::sync::Arc::new(reversed.collect());
    let indices = primitive.indices.as_ref().unwrap();
    let indices = indices
        .iter()
        .rev()
        .map(|&vertex| last - vertex)
        .collect::<Vec<u32>>();
    // Turned round again, so that they face outward.
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
    let mut body = person();
    flesh(&mut body);
    let mut character = body.one_skin(0.05);
    let positions = character.meshes[0].primitives[0].positions.iter();
    let positions: Vec<Vec3> = positions.map(|&place| place * 100.0).collect();
    character.meshes[0].primitives[0].positions = std::sync::Arc::new(positions);
    let refused = bind_character(&mut character, &BindOptions::default()).unwrap_err();
    let BindCharacterError::Size { mesh, skeleton } = refused else {
        panic!("{refused}");
    };
    assert!(mesh > 200.0 && skeleton < 3.0, "{refused}");
}
