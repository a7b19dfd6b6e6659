//! Skeletons compared with meshes: wrong ones are told with figures, those of artists are not.

use crate::foreign::foreign_files;
use crate::trial_bodies::with_biped;
use glam::Vec3;
use sinew::{Character, Skeleton};
use sinew_rig::find::{Finding, check, joined_surface};
use sinew_rig::template::Biped;
use sinew_rig::weights::BindWarning;
use sinew_samples::bodies;
use sinew_samples::mannequin::Mannequin;

fn heads(skeleton: &Skeleton) -> Vec<Vec3> {
    let rest = skeleton.rest_model();
    rest.iter().map(|joint| joint.translation()).collect()
}

fn mannequin() -> Character {
    let mannequin = Mannequin {
        sword: false,
        ..Mannequin::default()
    };
    mannequin.build()
}

/// Findings about the mannequin's skeleton in its mesh, with some joints moved.
fn moved(moves: &[(&str, Vec3)]) -> Vec<Finding> {
    let person = mannequin();
    let (positions, triangles) = joined_surface(&person).unwrap();
    let mut heads = heads(&person.skeleton);
    for (name, by) in moves {
        heads[person.skeleton.find(name).unwrap()] += *by;
    }
    check(&person.skeleton, &heads, &positions, &triangles)
}

#[test]
fn a_skeleton_in_its_body_has_no_findings() {
    assert_eq!(moved(&[]), []);
}

#[test]
fn an_elbow_in_the_air_is_told_with_its_share() {
    let out = Vec3::new(0.0, 0.3, 0.0);
    let findings = moved(&[("left_lower_arm", out)]);
    let Some(Finding::BonesOutside { bones }) = findings
        .iter()
        .find(|finding| matches!(finding, Finding::BonesOutside { .. }))
    else {
        panic!("{findings:?}");
    };
    let named: Vec<&str> = bones.iter().map(|bone| bone.0.as_str()).collect();
    assert!(
        named.contains(&"left_upper_arm") && named.contains(&"left_lower_arm"),
        "{bones:?}"
    );
    assert!(bones.iter().all(|bone| bone.1 > 0.5), "{bones:?}");
    let said = findings[0].to_string();
    assert!(said.contains('%') || said.contains("long"), "{said}");
}

#[test]
fn sides_of_different_length_and_crossed_legs_are_told() {
    let findings = moved(&[("left_foot", Vec3::new(0.0, 0.2, 0.0))]);
    let differ = findings.iter().find_map(|finding| match finding {
        Finding::SidesDiffer { lengths, .. } => Some(*lengths),
        _ => None,
    });
    let [left, right] = differ.unwrap_or_else(|| panic!("{findings:?}"));
    assert!((right - left - 0.2).abs() < 0.02, "{left} {right}");
    let crossed = moved(&[
        ("left_foot", Vec3::new(-0.25, 0.0, 0.0)),
        ("right_foot", Vec3::new(0.25, 0.0, 0.0)),
    ]);
    let by = crossed.iter().find_map(|finding| match finding {
        Finding::LimbsCross { joints, by } => Some((joints[0].clone(), *by)),
        _ => None,
    });
    let (joint, by) = by.unwrap_or_else(|| panic!("{crossed:?}"));
    assert_eq!(joint, "left_foot");
    assert!((by - 0.29).abs() < 0.02, "{by}");
}

#[test]
fn a_skeleton_of_another_size_is_told_with_both_heights() {
    let person = mannequin();
    let (positions, triangles) = joined_surface(&person).unwrap();
    let half: Vec<Vec3> = heads(&person.skeleton).iter().map(|&p| 0.4 * p).collect();
    let findings = check(&person.skeleton, &half, &positions, &triangles);
    let Some(Finding::OtherSize { skeleton, mesh }) = findings.first() else {
        panic!("{findings:?}");
    };
    assert!(
        (mesh - 1.78).abs() < 0.03 && (skeleton - 0.63).abs() < 0.03,
        "{skeleton} {mesh}"
    );
}

#[test]
fn a_person_in_an_animal_is_told() {
    let person = Biped::default().template().skeleton().unwrap();
    for body in [bodies::dog(), bodies::sauropod()] {
        let animal = body.character();
        let (positions, triangles) = joined_surface(&animal).unwrap();
        let top = positions.iter().map(|p| p.y).fold(0.0, f32::max);
        let upright: Vec<Vec3> = heads(&person).iter().map(|&p| top / 1.8 * p).collect();
        let findings = check(&person, &upright, &positions, &triangles);
        let is_legs = |finding: &Finding| matches!(finding, Finding::MoreLegs { legs: 4 });
        assert!(findings.iter().any(is_legs), "{}: {findings:?}", body.name);
        // A template that is fitted into an animal lies in it, on its hands.
        let (_, report) = with_biped(animal);
        let is_placed = |warning: &BindWarning| matches!(warning, BindWarning::Placed(_));
        assert!(report.warnings.iter().any(is_placed), "{}", body.name);
    }
}

/// Figures of the table: the body, and if its own and a fitted skeleton are told.
#[test]
fn artists_are_not_told_and_templates_in_wrong_places_are() {
    const WRONG: [&str; 9] = [
        "CesiumMan",
        "RiggedFigure",
        "m2m-human-zombie",
        "kaykit-mage",
        "Fox",
        "m2m-dog",
        "m2m-t-rex",
        "q-horse",
        "q-husky",
    ];
    let mut files = foreign_files("weights/artist", &["glb"]);
    files.extend(foreign_files("bodies/artist", &["glb"]));
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let body = sinew_io::import(&file).unwrap().character;
        let (positions, triangles) = joined_surface(&body).unwrap();
        let own = check(
            &body.skeleton,
            &heads(&body.skeleton),
            &positions,
            &triangles,
        );
        let biped = Biped::default().embedded(&positions, &triangles).unwrap();
        let biped = biped.skeleton().unwrap();
        let fitted = check(&biped, &heads(&biped), &positions, &triangles);
        println!("| {name} | {} | {} |", own.len(), fitted.len());
        assert!(own.is_empty(), "{name}: {own:?}");
        assert!(
            !fitted.is_empty() || !WRONG.contains(&name.as_str()),
            "{name}"
        );
    }
}
