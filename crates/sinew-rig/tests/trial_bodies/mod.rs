//! Bodies whose weights deserve a warning, and bodies whose weights do not: made by code, and from foreign files.

use crate::foreign::foreign_files;
use glam::{Quat, Vec3};
use sinew::skeleton::{Role, Side};
use sinew::{Character, Transform};
use sinew_rig::retarget::find_roles;
use sinew_rig::template::Biped;
use sinew_rig::weights::{BindOptions, BindReport, bind_character, bind_to_skeleton, unbind};
use sinew_samples::bodies::{self, Body};
use sinew_samples::mannequin::Mannequin;
use std::sync::Arc;

/// A person whose arms go from the shoulders by way of these elbows to these hands, mirrored.
pub fn arms_at(elbow: [f32; 3], hand: [f32; 3]) -> Body {
    let mut body = bodies::person();
    body.limbs.retain(|limb| !limb.name.starts_with("arm"));
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let at = |[far, y, z]: [f32; 3]| [x * far, y, z];
        for (name, place) in [("forearm", elbow), ("hand", hand)] {
            let joint = body
                .joints
                .iter_mut()
                .find(|joint| joint.0 == format!("{name}.{side}"));
            joint.unwrap().2 = at(place).into();
        }
        let arm = [
            format!("arm.{side}"),
            format!("forearm.{side}"),
            format!("hand.{side}"),
        ];
        let arm = arm.each_ref().map(String::as_str);
        body.limb(
            &format!("arm.{side}"),
            at([0.14, 1.42, 0.0]),
            at(elbow),
            0.05,
            &arm,
        );
        body.limb(&format!("arm.{side}"), at(elbow), at(hand), 0.045, &arm);
        let end = |k: usize| hand[k] + 0.35 * (hand[k] - elbow[k]);
        body.limb(
            &format!("arm.{side}"),
            at(hand),
            at([end(0), end(1), end(2)]),
            0.045,
            &arm,
        );
    }
    body
}

/// Arms that hang beside the body, free of it.
pub fn hanging() -> Body {
    arms_at([0.29, 1.16, 0.0], [0.34, 0.92, 0.0])
}

/// A jacket so wide that the hands are in it.
pub fn jacket() -> Body {
    let mut body = hanging();
    body.limb("jacket", [0.0, 1.0, 0.0], [0.0, 0.9, 0.0], 0.3, &["hips"]);
    body
}

/// Hands on the hips, grown together with a dress.
pub fn dress() -> Body {
    let mut body = arms_at([0.48, 1.2, 0.0], [0.26, 1.02, 0.04]);
    body.limb("dress", [0.0, 1.05, 0.0], [0.0, 0.95, 0.0], 0.19, &["hips"]);
    body.limb("dress", [0.0, 0.95, 0.0], [0.0, 0.76, 0.0], 0.21, &["hips"]);
    body
}

/// Wings without joints on a person's back.
pub fn winged() -> Body {
    let mut body = bodies::person();
    for x in [1.0, -1.0] {
        for k in 0..6_u8 {
            let down = 0.09 * f32::from(k);
            let (from, to) = (
                [0.06 * x, 1.4 - 0.5 * down, -0.14],
                [0.75 * x, 1.75 - 1.6 * down, -0.3],
            );
            body.limb("wing", from, to, 0.04, &["chest"]);
        }
    }
    body
}

pub fn with_biped(mut character: Character) -> (Character, BindReport) {
    unbind(&mut character);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for node in &character.nodes {
        let Some(mesh) = node.mesh else { continue };
        for primitive in &character.meshes[mesh].primitives {
            let first = positions.len();
            triangles.extend(primitive.triangles().map(|t| t.map(|v| (first + v) as u32)));
            positions.extend_from_slice(&primitive.positions);
        }
    }
    let person = Biped::default().embedded(&positions, &triangles).unwrap();
    let person = Character::from_skeleton(person.skeleton().unwrap());
    character.clips.clear();
    let report = bind_to_skeleton(&mut character, &person, &BindOptions::default()).unwrap();
    (character, report)
}

pub fn bound(mut character: Character) -> (Character, BindReport) {
    unbind(&mut character);
    let report = bind_character(&mut character, &BindOptions::default()).unwrap();
    (character, report)
}

/// An arm at the bind pose, and the direction of the ground.
struct Arm {
    /// Positions of shoulder, elbow, hand, and of the thigh on its side.
    at: [Vec3; 4],
    down: Vec3,
    /// True for joints of the arm, and for joints of the forearm.
    of_arm: [Vec<bool>; 2],
}

fn arms(character: &Character) -> Option<[Arm; 2]> {
    let roles = find_roles(&character.skeleton);
    let skin = character
        .skins
        .iter()
        .max_by_key(|skin| skin.joints.len())?;
    let at = |role: Role| {
        let joint = roles.joint(role)?;
        let index = skin.joints.iter().position(|&other| other == joint)?;
        Some(skin.bind_position(index))
    };
    let leg = |side| {
        let foot = at(Role::Foot(side)).or_else(|| at(Role::LowerLeg(side)))?;
        Some((foot - at(Role::UpperLeg(side))?).normalize())
    };
    let down = (leg(Side::Left)? + leg(Side::Right)?).normalize();
    let hierarchy = character.skeleton.hierarchy();
    let below = |role: Role| -> Option<Vec<bool>> {
        let first = roles.joint(role)?;
        let is_below = |joint| hierarchy.ancestors(joint).any(|above| above == first);
        Some((0..hierarchy.len()).map(is_below).collect())
    };
    let arm = |side| {
        let elbow = at(Role::LowerArm(side))?;
        let hand = at(Role::Hand(side)).unwrap_or(elbow);
        let thigh = at(Role::UpperLeg(side))?;
        Some(Arm {
            at: [at(Role::UpperArm(side))?, elbow, hand, thigh],
            down,
            of_arm: [below(Role::UpperArm(side))?, below(Role::LowerArm(side))?],
        })
    };
    Some([arm(Side::Left)?, arm(Side::Right)?])
}

/// Rotates some joints and their surface at the bind pose, from one direction to another.
fn rotate(character: &mut Character, moves: &[bool], about: Vec3, [from, to]: [Vec3; 2]) {
    let rotation = Quat::from_rotation_arc(from.normalize(), to.normalize());
    let by = Transform::from_rotation_translation(rotation, about - rotation * about).to_affine();
    for node in &character.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let joints = &character.skins[skin].joints;
        for primitive in &mut character.meshes[mesh].primitives {
            let Some(influences) = primitive.influences.clone() else {
                continue;
            };
            let positions = Arc::make_mut(&mut primitive.positions);
            for (vertex, at) in positions.iter_mut().enumerate() {
                let rows = influences.get(vertex).filter(|row| moves[joints[row.0]]);
                let share: f32 = rows.map(|row| row.1).sum();
                *at = at.lerp(by.transform_point(*at), share);
            }
        }
    }
    let back = by.inverse().unwrap();
    for skin in &mut character.skins {
        for (&joint, joint_from_model) in skin.joints.iter().zip(&mut skin.joint_from_model) {
            if moves[joint] {
                *joint_from_model = *joint_from_model * back;
            }
        }
    }
}

/// A body with weights whose arms hang, `out_deg` away from the vertical.
fn arms_down(character: &Character, out_deg: f32) -> Option<Character> {
    let mut character = character.clone();
    let arms = arms(&character)?;
    let outward = (arms[0].at[0] - arms[1].at[0]).normalize();
    let (sin, cos) = out_deg.to_radians().sin_cos();
    for (arm, sign) in arms.iter().zip([1.0, -1.0]) {
        let to = arm.down * cos + outward * sign * sin;
        let way = [arm.at[2] - arm.at[0], to];
        rotate(&mut character, &arm.of_arm[0], arm.at[0], way);
    }
    Some(character)
}

/// A body with weights whose arms hang, and whose forearms point to the thighs.
fn hands_on_hips(character: &Character) -> Option<Character> {
    let mut character = arms_down(character, 50.0)?;
    for arm in arms(&character)? {
        if arm.at[2] == arm.at[1] {
            return None;
        }
        let way = [arm.at[2] - arm.at[1], arm.at[3] - arm.at[1]];
        rotate(&mut character, &arm.of_arm[1], arm.at[1], way);
    }
    Some(character)
}

/// Vertices of forearms and hands, each as mesh, primitive and vertex, with the nearest position of the rest of the
/// body if it is nearer than `reach` heights.
type Touching = Vec<([usize; 3], Option<Vec3>)>;

/// Finds vertices that touch the body: its vertices, or with `is_dense` also positions inside its triangles.
fn touching(character: &Character, reach: f32, is_dense: bool) -> Option<Touching> {
    let arms = arms(character)?;
    let (mut others, mut hands) = (Vec::new(), Vec::new());
    for node in &character.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let joints = &character.skins[skin].joints;
        for (k, primitive) in character.meshes[mesh].primitives.iter().enumerate() {
            let Some(influences) = &primitive.influences else {
                continue;
            };
            let share = |vertex: usize, moves: &[bool]| -> f32 {
                let rows = influences.get(vertex).filter(|row| moves[joints[row.0]]);
                rows.map(|row| row.1).sum()
            };
            let is_other = |v: usize| arms.iter().all(|arm| share(v, &arm.of_arm[0]) < 0.1);
            for (vertex, &at) in primitive.positions.iter().enumerate() {
                if arms.iter().any(|arm| share(vertex, &arm.of_arm[1]) > 0.6) {
                    hands.push(([mesh, k, vertex], at));
                } else if is_other(vertex) {
                    others.push(at);
                }
            }
            let inside = primitive.triangles().filter(|_| is_dense);
            for corners in inside.filter(|t| t.iter().all(|&v| is_other(v))) {
                let [a, b, c] = corners.map(|vertex| primitive.positions[vertex]);
                others.extend([
                    a.midpoint(b),
                    b.midpoint(c),
                    c.midpoint(a),
                    (a + b + c) / 3.0,
                ]);
            }
        }
    }
    let low = others.iter().fold(Vec3::INFINITY, |low, &at| low.min(at));
    let high = others
        .iter()
        .fold(Vec3::NEG_INFINITY, |high, &at| high.max(at));
    let reach = reach * (high - low).max_element();
    let near = |(vertex, at): &([usize; 3], Vec3)| {
        let all = others.iter().map(|other| (other.distance(*at), *other));
        let near = all.min_by(|a, b| a.0.total_cmp(&b.0));
        (
            *vertex,
            near.filter(|near| near.0 < reach).map(|near| near.1),
        )
    };
    Some(hands.iter().map(near).collect())
}

/// The same body after the vertices of hands and forearms that touch it have become vertices of it, as in a scan.
/// `None` if fewer than one of sixteen touches.
fn grown_together(character: &Character) -> Option<Character> {
    let mut character = character.clone();
    let hands = touching(&character, 0.015, false)?;
    let touching = hands.iter().filter(|hand| hand.1.is_some()).count();
    if 16 * touching < hands.len() {
        return None;
    }
    for ([mesh, primitive, vertex], near) in hands {
        let positions = &mut character.meshes[mesh].primitives[primitive].positions;
        if let Some(near) = near {
            Arc::make_mut(positions)[vertex] = near;
        }
    }
    Some(character)
}

/// The same body with arms that hang as low as possible without touching it.
fn free(character: &Character) -> Option<Character> {
    let degrees = [10.0, 20.0, 30.0, 40.0, 50.0];
    let mut down = degrees
        .into_iter()
        .filter_map(|out_deg| arms_down(character, out_deg));
    down.find(|down| {
        let hands = touching(down, 0.02, true);
        hands.is_some_and(|hands| hands.iter().all(|hand| hand.1.is_none()))
    })
}

/// A bound body with its name, and if it deserves a warning about its shape.
pub struct Case {
    pub name: String,
    pub should_warn: bool,
    pub bound: (Character, BindReport),
}

fn case(name: &str, should_warn: bool, bound: (Character, BindReport)) -> Case {
    Case {
        name: name.to_owned(),
        should_warn,
        bound,
    }
}

/// Bodies made by code. Thresholds were chosen on these and on the odd ones of [`foreign_cases`].
pub fn made_cases() -> Vec<Case> {
    let mut cases: Vec<Case> = bodies::all()
        .into_iter()
        .chain([hanging()])
        .map(|body| case(body.name, false, bound(body.character())))
        .collect();
    let mannequin = bound(Mannequin::default().build());
    cases.push(case("mannequin", false, mannequin));
    for (name, body) in [("person", bodies::person()), ("hanging", hanging())] {
        let name = format!("{name} with biped");
        cases.push(case(&name, false, with_biped(body.character())));
    }
    for (name, body) in [
        ("jacket", jacket()),
        ("dress", dress()),
        ("winged", winged()),
    ] {
        cases.push(case(name, true, bound(body.character())));
        let name = format!("{name} with biped");
        cases.push(case(&name, true, with_biped(body.character())));
    }
    for body in [bodies::dog(), bodies::spider(), bodies::sauropod()] {
        let name = format!("{} with biped", body.name);
        cases.push(case(&name, true, with_biped(body.character())));
    }
    cases
}

/// Foreign files that show animals. The horse is here too, but its hooves hang from its root, so that its back tears
/// them off.
const ANIMALS: [&str; 7] = [
    "Fox",
    "m2m-dog",
    "m2m-eagle",
    "m2m-t-rex",
    "q-horse",
    "q-husky",
    "q-triceratops",
];

/// Bodies from foreign files, every second one. People also with hanging arms, free and grown together with the body;
/// animals also with a person's skeleton.
pub fn foreign_cases(first: usize) -> Vec<Case> {
    let mut files = foreign_files("weights/artist", &["glb"]);
    files.extend(foreign_files("bodies/artist", &["glb"]));
    let mut cases = Vec::new();
    for file in files.into_iter().skip(first).step_by(2) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let own = sinew_io::import(&file).unwrap().character;
        if name != "q-horse" {
            cases.push(case(&name, false, bound(own.clone())));
        }
        if ANIMALS.contains(&name.as_str()) {
            let name = format!("{name} with biped");
            cases.push(case(&name, true, with_biped(own)));
            continue;
        }
        if let Some(free) = free(&own) {
            cases.push(case(&format!("{name} hanging"), false, bound(free)));
        }
        let degrees = [40.0, 30.0, 20.0, 10.0, 0.0];
        let mut down = degrees
            .into_iter()
            .filter_map(|out_deg| arms_down(&own, out_deg));
        if let Some(welded) = down.find_map(|down| grown_together(&down)) {
            cases.push(case(&format!("{name} welded"), true, bound(welded)));
        }
        let on_hips = hands_on_hips(&own);
        if let Some(welded) = on_hips.and_then(|posed| grown_together(&posed)) {
            cases.push(case(
                &format!("{name} welded at the hips"),
                true,
                bound(welded),
            ));
        }
    }
    cases
}
