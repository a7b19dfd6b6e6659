//! Bodies other than an upright person in metres: four-legged, or under an armature node.

use glam::{Quat, Vec3};
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, Transform};
use sinew_rig::template::Quadruped;

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

/// A horse whose hooves hang on controls below the root, with names that say nothing of legs.
pub fn steed() -> Skeleton {
    let mut joints: Vec<(String, Option<usize>, Vec3)> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, at: [f32; 3]| {
        joints.push((name.to_owned(), parent, Vec3::from(at)));
        joints.len() - 1
    };
    let root = add("World", None, [0.0; 3]);
    let mass = add("Mass", Some(root), [0.0, 0.9, 0.0]);
    let croup = add("Croup", Some(mass), [0.0, 3.1, -1.4]);
    let loin = add("Loin", Some(croup), [0.0, 2.8, -0.3]);
    let withers = add("Withers", Some(loin), [0.0, 2.75, 0.9]);
    let crest = add("Crest", Some(withers), [0.0, 3.2, 1.6]);
    let poll = add("Poll", Some(crest), [0.0, 3.9, 2.2]);
    add("Muzzle", Some(poll), [0.0, 4.2, 2.6]);
    let dock = add("Dock1", Some(croup), [0.0, 3.1, -1.6]);
    let dock = add("Dock2", Some(dock), [0.0, 2.6, -2.0]);
    add("Dock3", Some(dock), [0.0, 1.8, -2.1]);
    for (side, x) in [("L", 0.42), ("R", -0.42)] {
        let mut chain = |from: usize, name: &str, places: &[[f32; 2]]| {
            let numbered = places.iter().enumerate();
            numbered.fold(from, |above, (k, [y, z])| {
                add(&format!("{name}{k}.{side}"), Some(above), [x, *y, *z])
            });
        };
        chain(withers, "Fore", &[[2.35, 1.3], [1.2, 1.4]]);
        chain(croup, "Aft", &[[2.95, -1.2], [2.2, -0.95], [1.3, -1.8]]);
        chain(mass, "Aim", &[[0.9, 3.3]]);
        chain(root, "StepFore", &[[0.4, 1.3], [0.12, 1.4]]);
        chain(root, "StepAft", &[[0.4, -1.8], [0.12, -1.7]]);
    }
    let of = |(name, parent, at): &(String, Option<usize>, Vec3)| {
        let above = parent.map_or(Vec3::ZERO, |p| joints[p].2);
        Joint::new(name, *parent, Transform::from_translation(*at - above))
    };
    let joints = joints.iter().map(of).collect();
    Skeleton::new(joints).expect("a tree").0
}

/// Seconds of a cycle of a walk, part of it that a paw stands, and speed in metres per second.
const CYCLE_SECS: f32 = 1.2;
const STANCE: f32 = 0.6;
const SPEED: f32 = 0.2;

/// Phase of a leg of the walk in its cycle, in [0, 1). It stands below [`STANCE`].
pub fn phase(leg: usize, secs: f32) -> f32 {
    (secs / CYCLE_SECS + [0.0, 0.5, 0.75, 0.25][leg]).fract()
}

/// True if a leg stands, well within its stance.
pub fn stands(leg: usize, secs: f32) -> bool {
    (0.08..STANCE - 0.08).contains(&phase(leg, secs))
}

/// Angles about x of hip and knee that bring the hock to a goal, by Newton's method.
fn bent([hip, knee, hock]: [Vec3; 3], goal: Vec3) -> [f32; 2] {
    let [mut turn, mut bend] = [0.0_f32; 2];
    for _ in 0..50 {
        let at_knee = hip + Quat::from_rotation_x(turn) * (knee - hip);
        let at_hock = at_knee + Quat::from_rotation_x(turn + bend) * (hock - knee);
        let [by_turn, by_bend] = [hip, at_knee].map(|from| Vec3::X.cross(at_hock - from));
        let off = goal - at_hock;
        let whole = by_turn.y * by_bend.z - by_turn.z * by_bend.y;
        turn += (off.y * by_bend.z - off.z * by_bend.y) / whole;
        bend += (by_turn.y * off.z - by_turn.z * off.y) / whole;
    }
    let at_knee = hip + Quat::from_rotation_x(turn) * (knee - hip);
    let at_hock = at_knee + Quat::from_rotation_x(turn + bend) * (hock - knee);
    assert!((at_hock - goal).length() < 1e-4, "{at_hock} is not {goal}");
    [turn, bend]
}

/// Two cycles of the walk of a dog: the template of four-legged animals. Its legs, front left,
/// front right, hind left and hind right, stand one after the other. Its front legs are nearly straight at rest,
/// so it crouches.
pub fn walking_dog() -> (Skeleton, Clip) {
    let template = Quadruped::default().template();
    let dog = template.skeleton().expect("a skeleton");
    let joint = |name: &str| dog.find(name).expect("of the template");
    let legs: Vec<[usize; 3]> = ["left_front_", "right_front_", "left_", "right_"]
        .iter()
        .map(|leg| ["upper_leg", "lower_leg", "foot"].map(|part| joint(&format!("{leg}{part}"))))
        .collect();
    let rest = dog.rest_model();
    let world = |joint: usize| Transform::from_affine(rest.get(joint)).0.rotation;
    let times: Vec<f32> = (0..73).map(|frame| frame as f32 / 30.0).collect();
    let mut poses = Vec::new();
    for &secs in &times {
        let mut pose = dog.rest().clone();
        let body = Vec3::new(0.0, 0.01 * (secs * 10.0).sin() - 0.05, SPEED * secs);
        pose.set_translation(0, dog.rest().get(0).translation + body);
        for (leg, &[upper, lower, foot]) in legs.iter().enumerate() {
            let phase = phase(leg, secs);
            let along = match phase < STANCE {
                true => 0.5 - phase / STANCE,
                false => (phase - STANCE) / (1.0 - STANCE) - 0.5,
            };
            let lift = (phase - STANCE).max(0.0) / (1.0 - STANCE);
            let lift = 0.06 * (lift * std::f32::consts::PI).sin();
            let stride = SPEED * CYCLE_SECS * STANCE;
            let way = Vec3::new(0.0, lift, SPEED * secs + stride * along);
            let [hip, knee, hock] = [upper, lower, foot].map(|j| rest.get(j).translation());
            let goal = hock + way - body;
            let [turn, bend] = bent([hip, knee, hock], goal);
            let about_x = [turn, turn + bend, 0.0].map(Quat::from_rotation_x);
            let mut above = Quat::IDENTITY;
            for (joint, now) in [upper, lower, foot].into_iter().zip(about_x) {
                let parent = dog.parent(joint).expect("below the hips");
                let [at_rest, own] = [parent, joint].map(world);
                pose.set_rotation(joint, at_rest.inverse() * above.inverse() * now * own);
                above = now;
            }
        }
        poses.push(pose);
    }
    let mut clip = Clip::new("walk");
    for joint in 0..dog.len() {
        let turns: Vec<Quat> = poses.iter().map(|pose| pose.get(joint).rotation).collect();
        let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.expect("keys"));
    }
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.get(0).translation).collect();
    let track = Track::vectors(times, &places, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.expect("keys"));
    clip.fit_duration();
    (dog, clip)
}
