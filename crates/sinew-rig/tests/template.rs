//! Templates: what is refused, edits that leave joints where they are, fits.

use glam::Vec3;
use sinew::Skeleton;
use sinew_rig::template::{Biped, BoneChain, Template, TemplateError};
use std::collections::BTreeMap;

fn places(skeleton: &Skeleton) -> BTreeMap<String, Vec3> {
    let rest = skeleton.rest_model();
    let place = |j: usize| (skeleton.name(j).to_owned(), rest.get(j).translation());
    (0..skeleton.len()).map(place).collect()
}

/// Every joint that both have is where it was.
fn assert_kept(before: &Template, after: &Template) {
    let [before, after] = [before, after].map(|t| places(&t.skeleton().unwrap()));
    let mut both = 0;
    for (name, place) in &after {
        if let Some(old) = before.get(name) {
            assert!(old.distance(*place) < 1e-6, "{name}: {old} and {place}");
            both += 1;
        }
    }
    assert!(both > 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let biped = Biped::default().template();
    let nowhere = [("tail_1".to_owned(), Vec3::ZERO)].into();
    assert!(matches!(
        biped.placed(&nowhere),
        Err(TemplateError::NoSuchJoint { .. })
    ));
    let endless = [("head".to_owned(), Vec3::NAN)].into();
    assert!(matches!(
        biped.placed(&endless),
        Err(TemplateError::NotFinite { .. })
    ));
    assert!(matches!(
        biped.merged(&["hips"]),
        Err(TemplateError::Root { .. })
    ));
    assert!(matches!(
        biped.renamed("head", "neck"),
        Err(TemplateError::NameTaken { .. })
    ));
    for pieces in [0, 1, 65] {
        assert_eq!(
            biped.split("neck", pieces),
            Err(TemplateError::Pieces { pieces })
        );
    }
    let flat = (Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0));
    for (min, max) in [flat, (Vec3::ONE, Vec3::ZERO), (Vec3::ZERO, Vec3::INFINITY)] {
        assert_eq!(
            Biped::default().fitted(min, max),
            Err(TemplateError::EmptyBox)
        );
    }
    let message = biped.find("nose").unwrap_err().to_string();
    assert!(
        message.contains("hips") && message.contains("more"),
        "{message}"
    );
}

#[test]
fn options_change_the_number_of_joints() {
    let count = |fingers, toes, spine| {
        let biped = Biped {
            fingers,
            toes,
            spine,
        };
        biped.template().skeleton().unwrap().len()
    };
    assert_eq!(count(true, true, 2), 52);
    assert_eq!(count(false, true, 2), 22);
    assert_eq!(count(false, false, 2), 20);
    assert_eq!(count(false, false, 0), 18);
    assert_eq!(count(true, true, 5), 55);
}

#[test]
fn template_edits_keep_joints_where_they_are() {
    let four = Biped {
        spine: 4,
        ..Biped::default()
    }
    .template();
    let one = four.merged(&["spine_2", "spine_3", "spine_4"]).unwrap();
    assert_eq!(one.joints().len(), four.joints().len() - 3);
    assert_kept(&four, &one);
    let spine = one.find("spine_1").unwrap();
    let chest = one.find("chest").unwrap();
    assert_eq!(one.joints()[chest].parent, Some(spine));
    // Its bone now ends where the last one's did.
    assert_eq!(one.joints()[spine].points_at, Some(chest));

    let split = one.split("left_lower_arm", 3).unwrap();
    assert_kept(&one, &split);
    let hand = split.find("left_hand").unwrap();
    let last = split.find("left_lower_arm_part_3").unwrap();
    assert_eq!(split.joints()[hand].parent, Some(last));
    let at = split.positions();
    let third = at["left_lower_arm"].lerp(at["left_hand"], 1.0 / 3.0);
    assert!(at["left_lower_arm_part_2"].distance(third) < 1e-6);
    // What was split can be merged again.
    let merged = split
        .merged(&["left_lower_arm_part_2", "left_lower_arm_part_3"])
        .unwrap();
    assert!(merged.skeleton() == one.skeleton());

    let renamed = one.renamed("spine_1", "waist").unwrap();
    assert_kept(&one, &renamed);
    let other = renamed.skeleton().unwrap();
    assert!(other.find("waist").is_some() && other.find("spine_1").is_none());
}

#[test]
fn joints_go_where_a_file_of_positions_says() {
    let biped = Biped::default().template();
    let wanted: BTreeMap<String, Vec3> = [
        ("left_lower_leg".to_owned(), Vec3::new(0.12, 0.47, 0.03)),
        ("left_hand".to_owned(), Vec3::new(0.6, 1.3, 0.1)),
    ]
    .into();
    let placed = places(&biped.placed(&wanted).unwrap().skeleton().unwrap());
    for (name, place) in places(&biped.skeleton().unwrap()) {
        let wanted = wanted.get(&name).copied().unwrap_or(place);
        assert!(placed[&name].distance(wanted) < 1e-6, "{name}");
    }
}

#[test]
fn a_biped_is_fitted_into_the_box_of_a_mesh() {
    for (width, height, depth) in [
        (0.9, 1.7, 0.3),
        (1.9, 1.8, 0.4),
        (0.5, 1.6, 0.5),
        (3.0, 1.0, 0.2),
        (180.0, 178.0, 40.0),
    ] {
        let min = Vec3::new(2.0, -1.0, 3.0);
        let max = min + Vec3::new(width, height, depth);
        let template = Biped::default().fitted(min, max).unwrap();
        let skeleton = template.skeleton().unwrap();
        let all = places(&skeleton);
        let slack = 1e-4 * height;
        for (name, place) in &all {
            let inside = (*place - min)
                .min_element()
                .min((max - *place).min_element());
            assert!(inside > -slack, "{name} at {place} in {min} to {max}");
        }
        // As tall as the box, and as wide unless the arms would have to hang through the body.
        let tips = (0..template.joints().len()).map(|j| template.end(j));
        let top = tips.clone().fold(f32::NEG_INFINITY, |top, p| top.max(p.y));
        assert!((top - max.y).abs() < slack);
        let widest = tips.fold(f32::NEG_INFINITY, |far, p| far.max(p.x));
        if width > 0.6 * height {
            assert!(
                (widest - max.x).abs() < 0.02 * width,
                "{widest} of {}",
                max.x
            );
        }
        let middle = 0.5 * (min.x + max.x);
        for (name, place) in &all {
            if let Some(part) = name.strip_prefix("left_") {
                let right = all[&format!("right_{part}")];
                assert!((place.x - middle + right.x - middle).abs() < slack);
                assert!((place.y - right.y).abs() < slack && (place.z - right.z).abs() < slack);
            }
        }
    }
}

#[test]
fn frames_point_down_their_bones_and_bend_alike_on_both_sides() {
    let template = Biped::default().template();
    let skeleton = template.skeleton().unwrap();
    let rest = skeleton.rest_model();
    for joint in 0..skeleton.len() {
        let name = skeleton.name(joint);
        let at = template.joints()[joint].position;
        assert!(rest.get(joint).translation().distance(at) < 1e-6, "{name}");
        let y = rest.get(joint).transform_vector(Vec3::Y);
        let bone = (template.end(joint) - at).normalize();
        assert!(y.dot(bone) > 0.99999, "{name}: {y} and {bone}");
        // A bend about x moves a bone's end the same way, mirrored, on the other side.
        if let Some(part) = name.strip_prefix("left_") {
            let other = skeleton.find(&format!("right_{part}")).unwrap();
            let [here, there] = [joint, other].map(|j| rest.get(j).transform_vector(Vec3::Z));
            let off = Vec3::new(-here.x, here.y, here.z).distance(there);
            assert!(off < 1e-5, "{name}: {here} and {there}");
        }
    }
}

#[test]
fn a_chain_goes_along_the_longest_side_of_a_box() {
    let snake = BoneChain {
        name: "snake".to_owned(),
        joints: 6,
        ..BoneChain::default()
    };
    let (min, max) = (Vec3::new(-1.0, 0.0, -4.0), Vec3::new(1.0, 0.5, 4.0));
    let template = snake.fitted(min, max).unwrap();
    let skeleton = template.skeleton().unwrap();
    assert_eq!(skeleton.len(), 6);
    let all = places(&skeleton);
    assert!(all["snake_1"].distance(Vec3::new(0.0, 0.25, -4.0)) < 1e-5);
    assert!(template.end(5).distance(Vec3::new(0.0, 0.25, 4.0)) < 1e-5);
    assert_eq!(skeleton.parent(5), Some(4));
}
