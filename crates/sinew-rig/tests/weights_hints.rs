//! Hints of the axes and names of a skin's joints.

use glam::{Quat, Vec3};
use sinew::{Influences, Joint, Skeleton, Skin, Transform};
use sinew_rig::weights::{BindOptions, Bones, Flesh, Surface, bind};

type JointSpec<'a> = (&'a str, Option<usize>, [f32; 3]);

fn bones(joints: &[JointSpec<'_>], turn: Quat) -> Bones {
    let joint = |&(name, parent, place): &JointSpec<'_>| {
        let above = parent.map_or(Vec3::ZERO, |parent: usize| joints[parent].2.into());
        let (away, rotation) = match parent {
            Some(_) => (turn.inverse() * (Vec3::from(place) - above), Quat::IDENTITY),
            None => (place.into(), turn),
        };
        let rest = Transform {
            translation: away,
            rotation,
            ..Transform::IDENTITY
        };
        Joint::new(name, parent, rest)
    };
    let (skeleton, _) = Skeleton::new(joints.iter().map(joint).collect()).unwrap();
    Bones::of_skin(&skeleton, &Skin::bound_at(skeleton.rest_model().as_slice()))
        .expect("of this skeleton")
}

fn boxed(low: [f32; 3], high: [f32; 3]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const STEPS: u32 = 8;
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for side in 0..6 {
        let (axis, first) = (side / 2, positions.len() as u32);
        for (i, j) in (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |j| (i, j))) {
            let mut at = [(side % 2) as f32; 3];
            at[(axis + 1) % 3] = i as f32 / STEPS as f32;
            at[(axis + 2) % 3] = j as f32 / STEPS as f32;
            positions.push(low + (high - low) * Vec3::from(at));
            if i < STEPS && j < STEPS {
                let v = |di, dj| first + (i + di) * (STEPS + 1) + j + dj;
                triangles.extend([[v(0, 0), v(1, 0), v(1, 1)], [v(0, 0), v(1, 1), v(0, 1)]]);
            }
        }
    }
    (positions, triangles)
}

fn bound((positions, triangles): &(Vec<Vec3>, Vec<[u32; 3]>), bones: &Bones) -> Influences {
    let surface = Surface {
        positions,
        triangles,
    };
    bind(&surface, bones, &BindOptions::default()).unwrap()
}

fn weight(influences: &Influences, positions: &[Vec3], at: [f32; 3], joint: usize) -> f32 {
    let away = |p: &Vec3| p.distance_squared(at.into());
    let near = (0..positions.len())
        .min_by(|&a, &b| away(&positions[a]).total_cmp(&away(&positions[b])))
        .unwrap();
    let mut row = influences.get(near).filter(|r| r.0 == joint);
    row.next().map_or(0.0, |r| r.1)
}

#[test]
fn breasts_that_begin_at_the_spine_move_what_bulges_on_their_side_of_the_front() {
    let names = |left: &'static str, right: &'static str| -> [JointSpec<'static>; 8] {
        [
            ("hips", None, [0.0, 0.0, 0.0]),
            ("spine", Some(0), [0.0, 0.5, 0.0]),
            ("chest", Some(1), [0.0, 1.0, 0.0]),
            ("neck", Some(2), [0.0, 1.8, 0.0]),
            (left, Some(1), [0.0, 1.0, 0.0]),
            (right, Some(1), [0.0, 1.0, 0.0]),
            ("arm.L", Some(2), [0.3, 1.7, 0.0]),
            ("arm.R", Some(2), [-0.3, 1.7, 0.0]),
        ]
    };
    let trunk = boxed([-0.3, 0.0, -0.2], [0.3, 2.0, 0.2]);
    let told = bones(&names("Breast.L", "Breast.R"), Quat::IDENTITY);
    let influences = bound(&trunk, &told);
    for (joint, side) in [(4, 1.0), (5, -1.0)] {
        let Flesh::Bulge(direction) = told.flesh[joint] else {
            panic!("{:?}", told.flesh[joint]);
        };
        assert!(direction.z > 0.8 && direction.x * side > 0.3, "{direction}");
        let at = |x: f32, z: f32| weight(&influences, &trunk.0, [x, 0.75, z], joint);
        assert!(at(0.3 * side, 0.2) > 0.3, "{}", at(0.3 * side, 0.2));
        let elsewhere = at(-0.3 * side, 0.2).max(at(0.3 * side, -0.2));
        assert!(elsewhere < 0.1, "{elsewhere}");
    }
    let untold = bones(&names("a.L", "a.R"), Quat::IDENTITY);
    assert_eq!(untold.flesh, [Flesh::Around; 8]);
    let influences = bound(&trunk, &untold);
    assert_eq!(weight(&influences, &trunk.0, [0.3, 0.75, 0.2], 4), 0.0);
}

#[test]
fn a_jaw_has_bones_of_its_own_in_a_face() {
    let face = |jaw: &'static str| -> [JointSpec<'static>; 9] {
        [
            ("neck", None, [0.0, 0.0, 0.0]),
            ("head", Some(0), [0.0, 0.5, 0.0]),
            (jaw, Some(1), [0.0, 0.4, 0.2]),
            ("chin", Some(2), [0.0, 0.2, 0.5]),
            ("lid.a", Some(1), [0.1, 0.8, 0.5]),
            ("lid.b", Some(1), [0.2, 0.8, 0.5]),
            ("lid.c", Some(1), [0.3, 0.8, 0.5]),
            ("lid.d", Some(1), [-0.1, 0.8, 0.5]),
            ("lid.e", Some(1), [-0.2, 0.8, 0.5]),
        ]
    };
    let head = boxed([-0.5, 0.1, -0.5], [0.5, 1.2, 0.5]);
    let moved = |jaw: &'static str, at: [f32; 3]| {
        let influences = bound(&head, &bones(&face(jaw), Quat::IDENTITY));
        weight(&influences, &head.0, at, 2)
    };
    assert!(moved("Jaw", [0.0, 0.375, 0.5]) > 0.5);
    assert_eq!(moved("Jaw", [0.0, 1.2, -0.5]), 0.0);
    assert_eq!(moved("lip", [0.0, 0.375, 0.5]), 0.0);
}

#[test]
fn last_bones_lie_along_the_axis_that_bones_of_a_rig_lie_along() {
    let chain: [JointSpec<'_>; 4] = [
        ("a", None, [0.0, 0.0, 0.0]),
        ("b", Some(0), [1.0, 0.0, 0.0]),
        ("c", Some(1), [2.0, 0.0, 0.0]),
        ("d", Some(2), [3.0, 0.0, 0.0]),
    ];
    // y of every joint is the model's x.
    let along = Quat::from_rotation_arc(Vec3::Y, Vec3::X);
    let tail = bones(&chain, along).tails[3].unwrap();
    assert!(tail.distance(Vec3::X * 4.0) < 1e-5, "{tail}");
    // A foot points forward at the leg's last joint.
    let mut foot = chain;
    foot[3].2 = [2.0, 0.5, 0.0];
    assert!(bones(&foot, along).tails[3].is_some());
    // Two of three are a majority; one of three is not.
    foot[2].2 = [1.0, 0.5, 0.5];
    assert_eq!(bones(&foot, along).tails, [None; 4]);
}

#[test]
fn controls_and_ends_are_known_by_the_names_that_programs_give_them() {
    let deforming = |names: &[&'static str]| -> Vec<bool> {
        let joint = |(index, &name): (usize, &&'static str)| -> JointSpec<'static> {
            (name, index.checked_sub(1).map(|_| 0), [index as f32; 3])
        };
        let joints: Vec<JointSpec<'_>> = names.iter().enumerate().map(joint).collect();
        bones(&joints, Quat::IDENTITY).deforms
    };
    let still = [
        "hips",
        // Blender's users and Rigify.
        "kneeIK.l",
        "IK-foot.l",
        "hand_ik.L",
        "thigh_ik_target.L",
        "PoleTarget.L",
        "KneePole.R",
        "control-toe-roll.l",
        "MCH-foot_roll.L",
        "ORG-shin.L",
        "foot.L_end",
        "head_end_001",
        "neutral_bone",
        // Mixamo.
        "mixamorig:HeadTop_End",
        "mixamorig:LeftToe_End",
        "mixamorig:LeftHandThumb4",
        // 3ds Max.
        "Bip01 Footsteps",
        "Bip001 HeadNub",
        "Bip01 L Finger0Nub",
        "CATRigLLegPlatform",
        // Unreal and Maya.
        "ik_foot_root",
        "ik_hand_gun",
        "VB foot_l",
        "center_of_mass",
        "L_arm_CTRL",
        "handslot.l",
        "weapon_socket",
    ];
    let deforms = deforming(&still);
    for (name, deforms) in still.iter().zip(deforms).skip(1) {
        assert!(!deforms, "{name}");
    }
    let flesh = [
        "hips",
        "Spike",
        "bike_frame",
        "LeftForeArmRoll",
        "upperarm_twist_01_l",
        "eye_socket.L",
        "flag_pole",
        "Bend",
        "Legend",
        "Friend",
        "mixamorig:LeftHandThumb3",
        "Bip01 L Finger0",
        "weapon_l",
        "Head.tip",
        "DEF-spine",
    ];
    let deforms = deforming(&flesh);
    for (name, deforms) in flesh.iter().zip(deforms) {
        assert!(deforms, "{name}");
    }
    // With Rigify's mechanisms, only its marked joints deform.
    let rigify = ["ORG-a", "DEF-a", "DEF-b", "DEF-c", "hand_fk", "torso"];
    assert_eq!(deforming(&rigify), [false, true, true, true, false, false]);
    // If no joint would remain, the names mean something else.
    assert_eq!(deforming(&["ctrl_a", "ctrl_b"]), [true, true]);
}

#[test]
fn an_end_tells_how_long_the_last_bone_is_and_takes_nothing() {
    let chain = |last: &'static str, at: f32| -> [JointSpec<'static>; 4] {
        [
            ("a", None, [0.0, 0.0, 0.0]),
            ("b", Some(0), [0.0, 1.0, 0.0]),
            ("eye", Some(1), [0.3, 1.2, 0.0]),
            (last, Some(1), [0.0, at, 0.0]),
        ]
    };
    let pillar = boxed([-0.3, 0.0, -0.3], [0.3, 3.0, 0.3]);
    let told = bones(&chain("b_end", 3.0), Quat::IDENTITY);
    assert_eq!(told.deforms, [true, true, true, false]);
    assert_eq!(told.flesh[3], Flesh::End);
    let influences = bound(&pillar, &told);
    // The bone of b ends there, so the top does not belong to the eye.
    assert!(weight(&influences, &pillar.0, [0.3, 3.0, 0.3], 1) > 0.9);
    // A joint named end with a bone below it still deforms.
    let mut tail = chain("tip", 2.0);
    tail[1].0 = "tail_end";
    assert_eq!(bones(&tail, Quat::IDENTITY).deforms, [true; 4]);
    // A joint at its parent's position without an end has no length.
    let mut point = chain("extra", 1.0);
    assert!(!bones(&point, Quat::IDENTITY).deforms[3]);
    point[3].2 = [0.0, 1.1, 0.0];
    assert!(bones(&point, Quat::IDENTITY).deforms[3]);
}
