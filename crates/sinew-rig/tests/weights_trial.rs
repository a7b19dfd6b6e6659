//! Warnings for bodies that cannot move well: welded limbs, and skeletons of other bodies.

use crate::foreign::{foreign, foreign_files};
use sinew::Character;
use sinew_rig::template::Biped;
use sinew_rig::weights::{
    BindOptions, BindReport, BindWarning, bind_character, bind_to_skeleton, unbind,
};
use sinew_samples::bodies::{self, Body};
use sinew_samples::mannequin::Mannequin;

/// A person with arms from the shoulders over these elbows to these hands, mirrored.
fn arms_at(elbow: [f32; 3], hand: [f32; 3]) -> Body {
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
fn hanging() -> Body {
    arms_at([0.29, 1.16, 0.0], [0.34, 0.92, 0.0])
}

/// A jacket so wide that the hands are in it.
fn jacket() -> Body {
    let mut body = hanging();
    body.limb("jacket", [0.0, 1.0, 0.0], [0.0, 0.9, 0.0], 0.3, &["hips"]);
    body
}

/// Hands on the hips, grown together with a dress.
fn dress() -> Body {
    let mut body = arms_at([0.48, 1.2, 0.0], [0.26, 1.02, 0.04]);
    body.limb("dress", [0.0, 1.05, 0.0], [0.0, 0.95, 0.0], 0.19, &["hips"]);
    body.limb("dress", [0.0, 0.95, 0.0], [0.0, 0.76, 0.0], 0.21, &["hips"]);
    body
}

/// Wings without joints on the back of a person.
fn winged() -> Body {
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

fn with_biped(mut character: Character) -> (Character, BindReport) {
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

fn bound(mut character: Character) -> (Character, BindReport) {
    unbind(&mut character);
    let report = bind_character(&mut character, &BindOptions::default()).unwrap();
    (character, report)
}

/// Names of two joints in one surface and of the joint that tears it, if any.
fn welded((character, report): &(Character, BindReport)) -> Option<[&str; 3]> {
    let name = |joint: usize| {
        character
            .skeleton
            .name(character.skins[report.skin].joints[joint])
    };
    report.warnings.iter().find_map(|warning| match warning {
        BindWarning::Welded { joint, joins, .. } => Some([*joint, joins[0], joins[1]].map(name)),
        _ => None,
    })
}

fn beyond((_, report): &(Character, BindReport)) -> Option<f32> {
    report.warnings.iter().find_map(|warning| match warning {
        BindWarning::Beyond { share, .. } => Some(*share),
        _ => None,
    })
}

#[test]
fn good_bodies_give_no_reason_to_warn() {
    let made = bodies::all().into_iter().chain([hanging()]);
    let mut all: Vec<(String, Character)> = made
        .map(|body| (body.name.to_owned(), body.character()))
        .collect();
    all.push(("mannequin".to_owned(), Mannequin::default().build()));
    for (name, character) in &all {
        let (_, report) = bound(character.clone());
        assert!(report.warnings.is_empty(), "{name}: {:?}", report.warnings);
    }
    for (name, body) in [("person", bodies::person()), ("hanging", hanging())] {
        let (_, report) = with_biped(body.character());
        assert!(report.warnings.is_empty(), "{name}: {:?}", report.warnings);
    }
    let files = foreign_files("weights/stripped", &["glb"]);
    for file in files
        .into_iter()
        .chain(foreign_files("bodies/bare", &["glb"]))
    {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let bound = bound(sinew_io::import(&file).unwrap().character);
        // Its hooves hang from its root, so that its back tears them off.
        if name != "q-horse" {
            assert_eq!((welded(&bound), beyond(&bound)), (None, None), "{name}");
        }
    }
}

#[test]
fn hands_that_are_one_surface_with_the_body_are_told() {
    for (what, body) in [("jacket", jacket()), ("dress", dress())] {
        let bound = bound(body.character());
        let [_, moved, still] =
            welded(&bound).unwrap_or_else(|| panic!("{what}: {:?}", bound.1.warnings));
        println!("{what}: {:?}", bound.1.warnings);
        let is_arm = ["arm", "forearm", "hand"]
            .iter()
            .any(|part| moved.starts_with(part));
        assert!(is_arm, "{what}: {moved} and {still}");
    }
}

#[test]
fn skeletons_of_other_bodies_are_told() {
    let winged = bound(winged().character());
    println!("winged: {:?}", winged.1.warnings);
    assert!(beyond(&winged).is_some(), "{:?}", winged.1.warnings);
    for body in [bodies::dog(), bodies::spider(), bodies::sauropod()] {
        let bound = with_biped(body.character());
        println!("{}: {:?}", body.name, bound.1.warnings);
        assert!(
            beyond(&bound).is_some(),
            "{}: {:?}",
            body.name,
            bound.1.warnings
        );
    }
    let Some(horse) = foreign("bodies/bare/q-horse.glb") else {
        return;
    };
    let horse = with_biped(sinew_io::import(horse).unwrap().character);
    assert!(beyond(&horse).is_some(), "{:?}", horse.1.warnings);
}
