//! Limbs without known names are found below known joints.

use crate::people;

use glam::Vec3;
use people::{Person, model_places};
use sinew::{Joint, Skeleton, Transform};
use sinew_rig::retarget::{RetargetOptions, Role, Side, find_roles, pair_joints, retarget};

fn nameless(endings: &[&str]) -> Skeleton {
    let mut joints = Person::default().skeleton().joints();
    for (k, joint) in joints.iter_mut().enumerate() {
        if endings.iter().any(|ending| joint.name.ends_with(ending)) {
            joint.name = format!("Bone.{k:03}");
        }
    }
    Skeleton::new(joints).unwrap().0
}

fn roles(skeleton: &Skeleton) -> Vec<(Role, usize)> {
    let roles = find_roles(skeleton);
    let limbs = roles.iter().filter(|(r, _)| !matches!(r, Role::Finger(..)));
    limbs.collect()
}

const FINGERS: [&str; 3] = ["_1", "_2", "_3"];

#[test]
fn forearms_hands_feet_and_head_without_names_are_what_hangs_below_those_with() {
    let named = roles(&Person::default().skeleton());
    for endings in [
        &["lower_arm", "hand", "foot", "toes", "head"][..],
        &["lower_arm"],
        &["hand"],
        &["lower_leg"],
        &["lower_leg", "foot"],
        &["foot"],
        &["toes"],
        &["head"],
        &["neck", "head"],
        &["upper_arm", "lower_arm", "hand"],
    ] {
        assert_eq!(roles(&nameless(endings)), named, "{endings:?}");
        let fingers = [endings, &FINGERS].concat();
        assert_eq!(roles(&nameless(&fingers)), named, "{fingers:?}");
    }
}

#[test]
fn joints_of_a_limb_that_are_only_counted_are_its_parts_in_turn() {
    // Name, parent and offset, as in several figures of the glTF samples.
    let joints = [
        ("torso_joint_1", "", [0.0, 0.7, 0.0]),
        ("torso_joint_2", "torso_joint_1", [0.0, 0.17, 0.0]),
        ("neck_joint_1", "torso_joint_2", [0.0, 0.3, 0.0]),
        ("neck_joint_2", "neck_joint_1", [0.0, 0.07, 0.0]),
        ("arm_joint_L_1", "torso_joint_2", [0.09, 0.25, 0.0]),
        ("arm_joint_L_2", "arm_joint_L_1", [0.24, 0.0, 0.0]),
        ("arm_joint_L_3", "arm_joint_L_2", [0.19, 0.0, 0.0]),
        ("arm_joint_R_1", "torso_joint_2", [-0.09, 0.25, 0.0]),
        ("arm_joint_R_2", "arm_joint_R_1", [-0.24, 0.0, 0.0]),
        ("arm_joint_R_3", "arm_joint_R_2", [-0.19, 0.0, 0.0]),
        ("leg_joint_L_1", "torso_joint_1", [0.07, -0.07, 0.0]),
        ("leg_joint_L_2", "leg_joint_L_1", [0.0, -0.27, 0.0]),
        ("leg_joint_L_3", "leg_joint_L_2", [0.0, -0.28, 0.0]),
        ("leg_joint_L_5", "leg_joint_L_3", [0.0, -0.03, 0.07]),
        ("leg_joint_R_1", "torso_joint_1", [-0.07, -0.07, 0.0]),
        ("leg_joint_R_2", "leg_joint_R_1", [0.0, -0.27, 0.0]),
        ("leg_joint_R_3", "leg_joint_R_2", [0.0, -0.28, 0.0]),
        ("leg_joint_R_5", "leg_joint_R_3", [0.0, -0.03, 0.07]),
    ];
    let place = |name: &str| joints.iter().position(|j| j.0 == name);
    let of = |(name, parent, at): &(&str, &str, [f32; 3])| {
        Joint::new(
            *name,
            place(parent),
            Transform::from_translation(Vec3::from(*at)),
        )
    };
    let (skeleton, _) = Skeleton::new(joints.iter().map(of).collect()).unwrap();
    let roles = find_roles(&skeleton);
    let name = |role| roles.joint(role).map(|j| skeleton.name(j));
    use Role::*;
    use Side::{Left, Right};
    for (role, wanted) in [
        (Hips, "torso_joint_1"),
        (Neck(0), "neck_joint_1"),
        (Head, "neck_joint_2"),
        (UpperArm(Left), "arm_joint_L_1"),
        (LowerArm(Left), "arm_joint_L_2"),
        (Hand(Left), "arm_joint_L_3"),
        (Hand(Right), "arm_joint_R_3"),
        (UpperLeg(Right), "leg_joint_R_1"),
        (LowerLeg(Right), "leg_joint_R_2"),
        (Foot(Right), "leg_joint_R_3"),
        (Toes(Left), "leg_joint_L_5"),
    ] {
        assert_eq!(name(role), Some(wanted), "{role}");
    }
}

fn with(more: &[(&str, &str, Vec3)], without: &[&str]) -> Skeleton {
    let person = Person::default().skeleton();
    let mut joints: Vec<Joint> = Vec::new();
    for joint in person.joints() {
        let parent = joint.parent.map(|p| person.name(p).to_owned());
        let gone = FINGERS
            .iter()
            .chain(without)
            .any(|e| joint.name.ends_with(e));
        if !gone || joint.name.starts_with("spine") {
            let parent = parent.and_then(|p| joints.iter().position(|j| j.name == p));
            joints.push(Joint { parent, ..joint });
        }
    }
    for (name, parent, at) in more {
        let parent = joints.iter().position(|j| j.name == *parent);
        joints.push(Joint::new(*name, parent, Transform::from_translation(*at)));
    }
    Skeleton::new(joints).unwrap().0
}

#[test]
fn helpers_and_other_parts_are_no_limbs() {
    let skeleton = with(
        &[
            ("left_lower_arm_twist", "left_lower_arm", Vec3::X * 0.1),
            ("left_hand_ik", "left_lower_arm", Vec3::X * 0.2),
            ("right_elbow_pole", "right_upper_arm", Vec3::X * 0.2),
            ("left_foot_end", "left_lower_leg", Vec3::NEG_Y * 0.4),
            ("head_end", "neck", Vec3::Y * 0.1),
        ],
        &["hand", "right_lower_arm", "foot", "toes", "head"],
    );
    let roles = find_roles(&skeleton);
    for role in [
        Role::Hand(Side::Left),
        Role::LowerArm(Side::Right),
        Role::Foot(Side::Left),
        Role::Foot(Side::Right),
        Role::Head,
    ] {
        let found = roles.joint(role).map(|j| skeleton.name(j));
        assert_eq!(found, None, "{role}");
    }
    assert!(roles.joint(Role::LowerArm(Side::Left)).is_some());
}

#[test]
fn a_hand_is_as_far_from_the_elbow_as_the_elbow_from_the_shoulder() {
    // A twist joint and an end, without known names.
    let mut more = Vec::new();
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let bone = |k: usize| format!("Bone.{side}.{k}");
        let at = Vec3::X * x;
        more.push((bone(0), format!("{side}_lower_arm"), at * 0.12));
        more.push((bone(1), bone(0), at * 0.13));
        more.push((bone(2), bone(1), at * 0.15));
    }
    let more: Vec<(&str, &str, Vec3)> = more.iter().map(|(a, b, c)| (&**a, &**b, *c)).collect();
    let skeleton = with(&more, &["hand"]);
    let roles = find_roles(&skeleton);
    let hand = roles.joint(Role::Hand(Side::Left)).unwrap();
    assert_eq!(skeleton.name(hand), "Bone.left.1");
}

#[test]
fn an_elbow_that_branches_is_no_hand() {
    let skeleton = with(
        &[
            ("Bone.001", "left_lower_arm", Vec3::X * 0.1),
            ("Bone.002", "left_lower_arm", Vec3::X * 0.25),
            ("Bone.003", "Bone.002", Vec3::X * 0.1),
        ],
        &["hand"],
    );
    let roles = find_roles(&skeleton);
    let name = |role: fn(Side) -> Role| roles.joint(role(Side::Left)).map(|j| skeleton.name(j));
    assert_eq!(name(Role::LowerArm), Some("left_lower_arm"));
    assert_eq!(name(Role::Hand), Some("Bone.002"));
}

#[test]
fn a_body_with_nameless_limbs_moves_as_the_one_with_names() {
    let from = Person::default().skeleton();
    let body = Person {
        arms_down_deg: 40.0,
        limbs: 1.1,
        ..Person::default()
    };
    let named = body.skeleton();
    let mut joints = named.joints();
    for (k, joint) in joints.iter_mut().enumerate() {
        let known = ["hips", "shoulder", "upper_arm", "upper_leg", "neck"];
        if !known.iter().any(|known| joint.name.ends_with(known)) {
            joint.name = format!("Bone.{k:03}");
        }
    }
    let (nameless, _) = Skeleton::new(joints).unwrap();
    let clip = people::dance(&from);
    let places = [&named, &nameless].map(|onto| {
        let pairs = pair_joints(&from, onto).unwrap();
        let done = retarget(&from, &clip, onto, &pairs, &RetargetOptions::default()).unwrap();
        model_places(onto, &done.clip, &people::times(&clip))
    });
    let limbs = ["lower_arm", "hand", "lower_leg", "foot", "head"];
    for (frame, (a, b)) in places[0].iter().zip(&places[1]).enumerate() {
        for joint in 0..named.len() {
            if limbs.iter().any(|limb| named.name(joint).ends_with(limb)) {
                let apart = a[joint].distance(b[joint]);
                assert!(
                    apart < 0.02,
                    "frame {frame}, {}: {apart}",
                    named.name(joint)
                );
            }
        }
    }
}
