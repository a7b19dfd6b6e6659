//! Figures of separate parts: pieces follow the joints in them, and doubtful results give warnings.

use glam::Vec3;
use sinew::mesh::Primitive;
use sinew::{Affine, Character, Joint, Mesh, Node, Skeleton, Skin, Transform};
use sinew_rig::weights::{
    BindHooks, BindMethod, BindOptions, BindReport, BindWarning, Unweighted, bind_character_with,
};
use std::sync::Arc;

const METHODS: [BindMethod; 5] = [
    BindMethod::Auto,
    BindMethod::Heat,
    BindMethod::Bezier,
    BindMethod::BezierWide,
    BindMethod::Rigid,
];

type JointSpec<'a> = (&'a str, &'a str, [f32; 3]);
type Piece<'a> = (&'a str, [f32; 3], [f32; 3]);

fn boxed((_, low, high): Piece<'_>) -> Primitive {
    const STEPS: u32 = 6;
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for side in 0..6_u32 {
        let (axis, first) = ((side / 2) as usize, positions.len() as u32);
        for (i, j) in (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |j| (i, j))) {
            let mut at = [(side % 2) as f32; 3];
            at[(axis + 1) % 3] = i as f32 / STEPS as f32;
            at[(axis + 2) % 3] = j as f32 / STEPS as f32;
            positions.push(low + (high - low) * Vec3::from(at));
            if i < STEPS && j < STEPS {
                let v = |di, dj| first + (i + di) * (STEPS + 1) + j + dj;
                for [a, b, c] in [[v(0, 0), v(1, 0), v(1, 1)], [v(0, 0), v(1, 1), v(0, 1)]] {
                    indices.extend(if side % 2 == 1 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    Primitive {
        positions: Arc::new(positions),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}

fn character(joints: &[JointSpec<'_>], pieces: &[Piece<'_>]) -> Character {
    let place = |name: &str| joints.iter().position(|joint| joint.0 == name);
    let joint = |&(name, above, at): &JointSpec<'_>| {
        let parent = place(above);
        let from = parent.map_or(Vec3::ZERO, |parent| joints[parent].2.into());
        let rest = Transform::from_translation(Vec3::from(at) - from);
        Joint::new(name, parent, rest)
    };
    let (skeleton, _) = Skeleton::new(joints.iter().map(joint).collect()).unwrap();
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut character = Character::from_skeleton(skeleton);
    character.skins.push(skin);
    for (mesh, &piece) in pieces.iter().enumerate() {
        character.meshes.push(Mesh {
            name: piece.0.to_owned(),
            primitives: vec![boxed(piece)],
            ..Mesh::default()
        });
        character.nodes.push(Node {
            name: piece.0.to_owned(),
            parent: None,
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

fn bind(character: &mut Character, method: BindMethod, hooks: &BindHooks<'_>) -> BindReport {
    let options = BindOptions::default().method(method);
    let bound = bind_character_with(character, &options, hooks).unwrap();
    character.check().unwrap();
    bound
}

fn share(character: &Character, piece: &str, joints: &[&str]) -> f32 {
    let mut meshes = character.meshes.iter();
    let mesh = meshes.find(|mesh| mesh.name == piece).unwrap();
    let influences = mesh.primitives[0].influences.as_ref().unwrap();
    let is_one = |joint: usize| {
        let name = character.skeleton.name(character.skins[0].joints[joint]);
        joints.iter().any(|begin| name.starts_with(begin))
    };
    let rows = (0..influences.len()).flat_map(|vertex| influences.get(vertex));
    let sum: f32 = rows.filter(|row| is_one(row.0)).map(|row| row.1).sum();
    sum / influences.len() as f32
}

/// A person of slightly overlapping boxes, on a rig with a root on the floor, ends and controls.
fn person() -> (Vec<JointSpec<'static>>, Vec<Piece<'static>>) {
    let joints = vec![
        ("root", "", [0.0, 0.0, 0.0]),
        ("hips", "root", [0.0, 0.55, 0.0]),
        ("spine", "hips", [0.0, 0.75, 0.0]),
        ("chest", "spine", [0.0, 0.95, 0.0]),
        ("head", "chest", [0.0, 1.1, 0.0]),
        ("HeadTop_End", "head", [0.0, 1.5, 0.0]),
        ("arm.l", "chest", [0.22, 1.0, 0.0]),
        ("forearm.l", "arm.l", [0.5, 1.0, 0.0]),
        ("hand.l", "forearm.l", [0.7, 1.0, 0.0]),
        ("handslot.l", "hand.l", [0.75, 0.95, 0.0]),
        ("arm.r", "chest", [-0.22, 1.0, 0.0]),
        ("forearm.r", "arm.r", [-0.5, 1.0, 0.0]),
        ("hand.r", "forearm.r", [-0.7, 1.0, 0.0]),
        ("handslot.r", "hand.r", [-0.75, 0.95, 0.0]),
        ("thigh.l", "hips", [0.14, 0.52, 0.0]),
        ("shin.l", "thigh.l", [0.14, 0.3, 0.0]),
        ("foot.l", "shin.l", [0.14, 0.08, 0.0]),
        ("thigh.r", "hips", [-0.14, 0.52, 0.0]),
        ("shin.r", "thigh.r", [-0.14, 0.3, 0.0]),
        ("foot.r", "shin.r", [-0.14, 0.08, 0.0]),
        ("kneeIK.l", "root", [0.14, 0.3, 0.5]),
        ("kneeIK.r", "root", [-0.14, 0.3, 0.5]),
        ("elbowIK.l", "root", [0.5, 1.0, -0.5]),
        ("elbowIK.r", "root", [-0.5, 1.0, -0.5]),
        ("IK-foot.l", "root", [0.14, 0.08, 0.0]),
        ("IK-foot.r", "root", [-0.14, 0.08, 0.0]),
        ("control-toe-roll.l", "root", [0.14, 0.0, 0.1]),
        ("control-toe-roll.r", "root", [-0.14, 0.0, 0.1]),
    ];
    let pieces = vec![
        ("Body", [-0.22, 0.48, -0.12], [0.22, 1.1, 0.12]),
        ("Head", [-0.2, 1.09, -0.2], [0.2, 1.5, 0.2]),
        ("ArmLeft", [0.2, 0.93, -0.07], [0.8, 1.07, 0.07]),
        ("ArmRight", [-0.8, 0.93, -0.07], [-0.2, 1.07, 0.07]),
        ("LegLeft", [0.06, 0.0, -0.08], [0.22, 0.5, 0.12]),
        ("LegRight", [-0.22, 0.0, -0.08], [-0.06, 0.5, 0.12]),
    ];
    (joints, pieces)
}

#[test]
fn pieces_of_a_person_follow_the_joints_in_them_and_not_roots_controls_and_ends() {
    let (joints, pieces) = person();
    let own: [(&str, &[&str]); 6] = [
        ("Body", &["hips", "spine", "chest", "arm", "thigh"]),
        ("Head", &["head"]),
        ("ArmLeft", &["arm.l", "forearm.l", "hand.l"]),
        ("ArmRight", &["arm.r", "forearm.r", "hand.r"]),
        ("LegLeft", &["thigh.l", "shin.l", "foot.l"]),
        ("LegRight", &["thigh.r", "shin.r", "foot.r"]),
    ];
    let still = [
        "root", "HeadTop", "handslot", "kneeIK", "elbowIK", "IK-foot", "control",
    ];
    for method in METHODS {
        let mut person = character(&joints, &pieces);
        let bound = bind(&mut person, method, &BindHooks::default());
        for (piece, joints) in own {
            let moved = share(&person, piece, joints);
            // The rest blends with adjacent pieces.
            assert!(moved > 0.6, "{method:?} {piece}: {moved}");
            assert_eq!(share(&person, piece, &still), 0.0, "{method:?} {piece}");
        }
        assert_eq!(bound.unweighted.len(), 12, "{:?}", bound.unweighted);
        assert_eq!(bound.unweighted[0], (0, Unweighted::Root));
        assert_eq!(bound.unweighted[1], (5, Unweighted::End));
        assert!(bound.warnings.is_empty(), "{method:?} {:?}", bound.warnings);
    }
}

#[test]
fn what_a_caller_says_of_a_joint_overrules_its_name() {
    let (joints, pieces) = person();
    let mut person = character(&joints, &pieces);
    let hooks = BindHooks {
        deforms: &|name| match name {
            "HeadTop_End" | "handslot.l" => Some(true),
            "spine" => Some(false),
            _ => None,
        },
        ..BindHooks::default()
    };
    let bound = bind(&mut person, BindMethod::Auto, &hooks);
    assert!(share(&person, "Head", &["HeadTop_End"]) > 0.05);
    assert!(share(&person, "ArmLeft", &["handslot.l"]) > 0.01);
    assert_eq!(share(&person, "ArmRight", &["handslot"]), 0.0);
    assert_eq!(share(&person, "Body", &["spine"]), 0.0);
    assert!(bound.unweighted.contains(&(2, Unweighted::Requested)));
}

#[test]
fn a_root_without_flesh_is_known_by_where_it_is_and_one_in_the_flesh_stays() {
    let (mut joints, pieces) = person();
    for (joint, name) in joints.iter_mut().zip(["Bone", "b1"]) {
        joint.0 = name;
    }
    for joint in &mut joints[1..] {
        joint.1 = match joint.1 {
            "root" => "Bone",
            "hips" => "b1",
            other => other,
        };
    }
    for (joint, name) in joints[20..24].iter_mut().zip(["c1", "c2", "c3", "c4"]) {
        joint.0 = name;
    }
    let mut figure = character(&joints, &pieces);
    let bound = bind(&mut figure, BindMethod::Auto, &BindHooks::default());
    assert_eq!(bound.unweighted[0], (0, Unweighted::Root));
    let away = bound
        .unweighted
        .iter()
        .filter(|still| still.1 == Unweighted::Away);
    let away: Vec<usize> = away.map(|still| still.0).collect();
    assert_eq!(away, [20, 21, 22, 23]);
    // A tentacle stands on the floor with its root in it.
    let tentacle = [
        ("root", "", [0.0, 0.0, 0.0]),
        ("middle", "root", [0.0, 0.7, 0.0]),
        ("tip", "middle", [0.0, 1.4, 0.0]),
    ];
    let piece = [("Tentacle", [-0.2, 0.0, -0.2], [0.2, 2.0, 0.2])];
    let mut tentacle = character(&tentacle, &piece);
    let bound = bind(&mut tentacle, BindMethod::Auto, &BindHooks::default());
    assert!(bound.unweighted.is_empty(), "{:?}", bound.unweighted);
    assert!(share(&tentacle, "Tentacle", &["root"]) > 0.2);
}

#[test]
fn the_eight_legs_of_a_spider_are_no_face() {
    let legs = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let names: Vec<[String; 2]> = legs
        .iter()
        .map(|leg| [format!("hip.{leg}"), format!("knee.{leg}")])
        .collect();
    let mut joints: Vec<JointSpec<'_>> = vec![
        ("abdomen", "", [0.0, 0.5, -0.6]),
        ("thorax", "abdomen", [0.0, 0.5, 0.0]),
    ];
    let mut pieces: Vec<Piece<'_>> = vec![("Body", [-0.2, 0.35, -0.8], [0.2, 0.65, 0.3])];
    for (index, [hip, knee]) in names.iter().enumerate() {
        let (side, z) = (
            1.0 - 2.0 * (index % 2) as f32,
            0.2 * (index / 2) as f32 - 0.3,
        );
        joints.push((hip, "thorax", [0.25 * side, 0.5, z]));
        joints.push((knee, hip, [0.7 * side, 0.5, z]));
        let x = [0.22 * side, 1.2 * side];
        let low = [x[0].min(x[1]), 0.46, z - 0.04];
        pieces.push((legs[index], low, [x[0].max(x[1]), 0.54, z + 0.04]));
    }
    for method in METHODS {
        let mut spider = character(&joints, &pieces);
        let bound = bind(&mut spider, method, &BindHooks::default());
        for (leg, [hip, knee]) in legs.iter().zip(&names) {
            // The near quarter of a leg blends with the body.
            let own = share(&spider, leg, &[hip, knee]);
            assert!(own > 0.7, "{method:?} {leg}: {own}");
        }
        assert_eq!((bound.unweighted, bound.warnings), (vec![], vec![]));
    }
}

fn plate() -> (Vec<JointSpec<'static>>, Vec<Piece<'static>>) {
    let joints = vec![
        ("upper", "", [0.0, 0.0, 0.0]),
        ("lower", "upper", [1.0, 0.0, 0.0]),
        ("wing", "upper", [0.0, 0.9, 0.0]),
        ("wingtip", "wing", [1.0, 0.9, 0.0]),
    ];
    let pieces = vec![
        ("Arm", [-0.1, -0.08, -0.08], [2.0, 0.08, 0.08]),
        ("Plate", [0.2, 0.3, -0.1], [0.8, 0.34, 0.1]),
    ];
    (joints, pieces)
}

#[test]
fn a_piece_that_floats_follows_the_nearest_bone() {
    let (joints, pieces) = plate();
    for method in METHODS {
        let mut arm = character(&joints, &pieces);
        bind(&mut arm, method, &BindHooks::default());
        // 0.3 from the bone of the arm, 0.56 from the bone of the wing, which has no flesh.
        let own = share(&arm, "Plate", &["upper", "lower"]);
        assert!(own > 0.9, "{method:?}: {own}");
    }
}

#[test]
fn a_joint_that_moves_nearly_all_and_a_piece_far_from_its_joint_are_told() {
    let (joints, mut pieces) = plate();
    pieces.push(("Crumb", [1.0, -2.0, 0.0], [1.1, -1.9, 0.1]));
    let mut arm = character(&joints, &pieces);
    let bound = bind(&mut arm, BindMethod::Auto, &BindHooks::default());
    let [
        BindWarning::Far {
            mesh: 2,
            distance,
            lengths,
            vertices: 294,
            ..
        },
    ] = bound.warnings[..]
    else {
        panic!("{:?}", bound.warnings);
    };
    // The piece is 1.9 away, with a diagonal of 0.173.
    assert!((lengths - 10.97).abs() < 0.1, "{lengths}");
    assert!((distance - 1.9).abs() < 0.02, "{distance}");

    let names: Vec<String> = (0..9).map(|n| format!("finger{n}")).collect();
    let mut joints: Vec<JointSpec<'_>> = vec![("trunk", "", [0.0, 0.0, 0.0])];
    for (n, name) in names.iter().enumerate() {
        let above = n.checked_sub(1).map_or("trunk", |n| names[n].as_str());
        joints.push((name, above, [2.0 + 0.1 * n as f32, 0.0, 0.0]));
    }
    let trunk = [("Trunk", [-0.3, -0.3, -0.3], [1.9, 0.3, 0.3])];
    for method in METHODS {
        let mut lump = character(&joints, &trunk);
        let bound = bind(&mut lump, method, &BindHooks::default());
        let [BindWarning::OneJoint { joint: 0, share }] = bound.warnings[..] else {
            panic!("{method:?} {:?}", bound.warnings);
        };
        assert!(share > 0.6, "{share}");
    }
}
