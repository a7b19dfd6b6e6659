//! Bodies other than an upright person in metres: four-legged, or under an armature node.

use glam::{Quat, Vec3};
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, Transform};

/// Names of the limbs of an animal.
#[derive(Clone, Copy, PartialEq)]
pub enum Names {
    /// Arms and legs, as for a person.
    Person,
    /// Front and back legs.
    Beast,
}

/// A four-legged animal as long as it is tall, facing z: its spine is level.
pub fn beast(names: Names) -> Skeleton {
    let mut joints: Vec<(String, Option<usize>, Vec3)> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, at: Vec3| {
        joints.push((name.to_owned(), parent, at));
        joints.len() - 1
    };
    let root = add("root", None, Vec3::ZERO);
    let hips = add("hips", Some(root), Vec3::new(0.0, 0.8, -0.5));
    let spine = add("spine_1", Some(hips), Vec3::new(0.0, 0.82, -0.2));
    let chest = add("spine_2", Some(spine), Vec3::new(0.0, 0.8, 0.2));
    let neck = add("neck", Some(chest), Vec3::new(0.0, 0.85, 0.45));
    add("head", Some(neck), Vec3::new(0.0, 1.0, 0.6));
    let tail = add("tail_1", Some(hips), Vec3::new(0.0, 0.75, -0.7));
    add("tail_2", Some(tail), Vec3::new(0.0, 0.6, -0.9));
    for (side, x) in [("L", 0.15), ("R", -0.15)] {
        let [front, back] = match names {
            Names::Person => [["upper_arm", "forearm", "hand"], ["thigh", "shin", "foot"]],
            Names::Beast => [
                ["front_leg_1", "front_leg_2", "front_paw"],
                ["back_leg_1", "back_leg_2", "back_paw"],
            ],
        };
        for (part, from, places) in [
            (front, chest, [[0.7, 0.25], [0.4, 0.15], [0.05, 0.2]]),
            (back, hips, [[0.75, -0.5], [0.45, -0.4], [0.1, -0.55]]),
        ] {
            let mut above = from;
            for (name, [y, z]) in part.into_iter().zip(places) {
                above = add(&format!("{name}.{side}"), Some(above), Vec3::new(x, y, z));
            }
            let [y, z] = places[2];
            let tip = Vec3::new(x, 0.0, z + 0.12);
            let name = if part == back { "toes" } else { "claw" };
            add(
                &format!("{name}.{side}"),
                Some(above),
                Vec3::new(tip.x, y.min(tip.y), tip.z),
            );
        }
    }
    let of = |(name, parent, at): &(String, Option<usize>, Vec3)| {
        let above = parent.map_or(Vec3::ZERO, |p| joints[p].2);
        Joint::new(name, *parent, Transform::from_translation(*at - above))
    };
    Skeleton::new(joints.iter().map(of).collect())
        .expect("a tree")
        .0
}

/// The same body with other names.
pub fn renamed(skeleton: &Skeleton, name: impl Fn(&str) -> String) -> Skeleton {
    let mut joints = skeleton.joints();
    joints.iter_mut().for_each(|j| j.name = name(&j.name));
    Skeleton::new(joints).expect("a tree").0
}

/// A horse, `size` times as large, of 42 joints without names of a person. Its hooves are goals.
pub fn horse(size: f32) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, offset: [f32; 3]| {
        let rest = Transform::from_translation(size * Vec3::from(offset));
        joints.push(Joint::new(name, parent, rest));
        joints.len() - 1
    };
    let ground = add("Ground".to_owned(), None, [0.0; 3]);
    let stern = add("Stern".to_owned(), Some(ground), [0.0, 1.2, -0.5]);
    let mut chain = |name: &str, count: usize, from: usize, offset: [f32; 3]| {
        let next = |above, k| add(format!("{name}{k}"), Some(above), offset);
        (1..=count).fold(from, next)
    };
    let withers = chain("Barrel", 4, stern, [0.0, 0.0, 0.25]);
    let skull = chain("Mane", 4, withers, [0.0, 0.15, 0.1]);
    chain("Rudder", 8, stern, [0.0, -0.05, -0.1]);
    for (side, x) in [("L", 0.2), ("R", -0.2)] {
        chain(&format!("Aerial.{side}"), 2, skull, [0.5 * x, 0.1, 0.0]);
        for (leg, from) in [("FrontLeg", withers), ("RearLeg", stern)] {
            chain(&format!("{leg}.{side}"), 4, from, [0.25 * x, -0.25, 0.0]);
            let at = if from == stern { -0.5 } else { 0.5 };
            chain(&format!("{leg}Hoof.{side}"), 1, ground, [x, 0.1, at]);
        }
    }
    Skeleton::new(joints).expect("a tree").0
}

/// Two seconds: a horse moves three metres ahead, times `size`, and swings its legs and hooves.
pub fn trot(horse: &Skeleton, size: f32) -> Clip {
    let times: Vec<f32> = (0..61).map(|f| f as f32 / 30.0).collect();
    let mut clip = Clip::new("trot");
    for joint in 0..horse.len() {
        let (name, rest) = (horse.name(joint), horse.rest().get(joint));
        let is_hoof = name.contains("Hoof");
        if name == "Stern" || is_hoof {
            let swing = if is_hoof { 0.2 * size } else { 0.0 };
            let way = |t: &f32| Vec3::new(0.0, 0.0, 1.5 * size * t + swing * (t * 6.0).sin());
            let places: Vec<Vec3> = times.iter().map(|t| rest.translation + way(t)).collect();
            let track = Track::vectors(times.clone(), &places, Interpolation::Linear);
            clip.joint_mut(joint).translation = Some(track.expect("keys"));
        } else if name.contains("Leg") {
            let turn = |t: &f32| Quat::from_rotation_x(0.4 * (t * 6.0).sin());
            let turns: Vec<Quat> = times.iter().map(turn).collect();
            let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
            clip.joint_mut(joint).rotation = Some(track.expect("keys"));
        }
    }
    clip.fit_duration();
    clip
}

/// The same body in the axes and unit of an armature node above it.
pub fn under(armature: Transform, skeleton: &Skeleton) -> Skeleton {
    let mut joints = skeleton.joints();
    let (turn, scale) = (armature.rotation, armature.scale.x);
    for joint in &mut joints {
        if let Some(parent) = &mut joint.parent {
            *parent += 1;
            joint.rest.translation /= scale;
        } else {
            joint.parent = Some(0);
            let rest = &mut joint.rest;
            rest.translation = turn.inverse() * (rest.translation - armature.translation) / scale;
            rest.rotation = turn.inverse() * rest.rotation;
        }
    }
    joints.insert(0, Joint::new("Armature", None, armature));
    Skeleton::new(joints).expect("a tree").0
}

/// An armature with z up.
pub fn z_up() -> Transform {
    let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    Transform::from_rotation_translation(turn, Vec3::ZERO)
}

/// An armature in centimetres.
pub fn centimetres() -> Transform {
    Transform {
        scale: Vec3::splat(0.01),
        ..Transform::IDENTITY
    }
}

/// Two seconds: a person with world axes moves 3 m ahead and 1 m aside, and swings arms and legs.
pub fn glide(person: &Skeleton) -> Clip {
    let times: Vec<f32> = (0..61).map(|f| f as f32 / 30.0).collect();
    let mut clip = Clip::new("glide");
    let rest = person.rest().get(0);
    let way = |t: &f32| rest.translation + rest.rotation * Vec3::new(0.5 * t, 0.0, 1.5 * t);
    let places: Vec<Vec3> = times.iter().map(way).collect();
    let track = Track::vectors(times.clone(), &places, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.expect("keys"));
    for (name, swing) in [
        ("left_upper_arm", 0.5),
        ("right_upper_arm", -0.5),
        ("left_upper_leg", -0.4),
        ("right_upper_leg", 0.4),
    ] {
        let joint = person.find(name).expect(name);
        let rest = person.rest().get(joint).rotation;
        let turn = |t: &f32| rest * Quat::from_rotation_x(swing * (t * 6.0).sin());
        let turns: Vec<Quat> = times.iter().map(turn).collect();
        let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.expect("keys"));
    }
    clip.fit_duration();
    clip
}
