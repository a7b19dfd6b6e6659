//! Templates: refused edits, edits that keep joint positions, fits.

use glam::Vec3;
use sinew::Skeleton;
use sinew_rig::template::{Biped, BoneChain, Template, TemplateError};
use sinew_samples::mannequin::Mannequin;
use std::collections::BTreeMap;

fn positions_of(skeleton: &Skeleton) -> BTreeMap<String, Vec3> {
    let rest = skeleton.rest_model();
    let position = |j: usize| (skeleton.name(j).to_owned(), rest.get(j).translation());
    (0..skeleton.len()).map(position).collect()
}

fn assert_kept(before: &Template, after: &Template) {
    let [before, after] = [before, after].map(|t| positions_of(&t.skeleton().unwrap()));
    let mut both = 0;
    for (name, position) in &after {
        if let Some(old) = before.get(name) {
            assert!(
                old.distance(*position) < 1e-6,
                "{name}: {old} and {position}"
            );
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
        biped.with_positions(&nowhere),
        Err(TemplateError::NoSuchJoint { .. })
    ));
    let endless = [("head".to_owned(), Vec3::NAN)].into();
    assert!(matches!(
        biped.with_positions(&endless),
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
    assert_eq!(one.joints()[spine].points_at, Some(chest));

    let split = one.split("left_lower_arm", 3).unwrap();
    assert_kept(&one, &split);
    let hand = split.find("left_hand").unwrap();
    let last = split.find("left_lower_arm_part_3").unwrap();
    assert_eq!(split.joints()[hand].parent, Some(last));
    let at = split.positions();
    let third = at["left_lower_arm"].lerp(at["left_hand"], 1.0 / 3.0);
    assert!(at["left_lower_arm_part_2"].distance(third) < 1e-6);
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
    let placed = positions_of(&biped.with_positions(&wanted).unwrap().skeleton().unwrap());
    for (name, position) in positions_of(&biped.skeleton().unwrap()) {
        let wanted = wanted.get(&name).copied().unwrap_or(position);
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
        let all = positions_of(&skeleton);
        let slack = 1e-4 * height;
        for (name, position) in &all {
            let inside = (*position - min)
                .min_element()
                .min((max - *position).min_element());
            assert!(inside > -slack, "{name} at {position} in {min} to {max}");
        }
        // As tall as the box, and as wide unless the arms would hang through the body.
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
        for (name, position) in &all {
            if let Some(part) = name.strip_prefix("left_") {
                let right = all[&format!("right_{part}")];
                assert!((position.x - middle + right.x - middle).abs() < slack);
                assert!(
                    (position.y - right.y).abs() < slack && (position.z - right.z).abs() < slack
                );
            }
        }
    }
}

/// True for a position in a closed mesh: a ray from it meets the surface an odd number of times.
fn is_inside(position: Vec3, positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let ray = Vec3::new(0.31, 0.17, 0.935).normalize();
    let meets = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        let (u, v) = (b - a, c - a);
        let across = ray.cross(v);
        let area = u.dot(across);
        let from = position - a;
        let s = from.dot(across) / area;
        let t = ray.dot(from.cross(u)) / area;
        let far = v.dot(from.cross(u)) / area;
        area != 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0 && far > 0.0
    };
    triangles.iter().filter(meets).count() % 2 == 1
}

#[test]
fn a_biped_is_fitted_to_a_mesh_joints_in_the_middle_of_limbs() {
    let person = Mannequin::default().build();
    let body = &person.meshes[0].primitives[0];
    let triangles: Vec<[u32; 3]> = body.triangles().map(|t| t.map(|v| v as u32)).collect();
    let wanted = positions_of(&person.skeleton);
    let bounds = |positions: &[Vec3]| {
        let min = positions.iter().fold(Vec3::INFINITY, |min, &p| min.min(p));
        let max = positions
            .iter()
            .fold(Vec3::NEG_INFINITY, |max, &p| max.max(p));
        (min, max)
    };
    // Limbs bent aside, so that the box does not show their pose.
    let bent = |amount: f32| {
        move |p: Vec3| {
            let arm = ((p.x.abs() - 0.17) / 0.6).max(0.0);
            let leg = ((0.9 - p.y) / 0.9).max(0.0);
            let aside = p.x.signum() * 0.12 * leg * f32::from(p.x.abs() < 0.3);
            p + amount * Vec3::new(aside, 0.35 * arm, 0.12 * leg * leg)
        }
    };
    for amount in [0.0, 0.5, 1.0] {
        let bend = bent(amount);
        let positions: Vec<Vec3> = body.positions.iter().map(|&p| bend(p)).collect();
        let (min, max) = bounds(&positions);
        let boxed = Biped::default().fitted(min, max).unwrap();
        let template = Biped::default().embedded(&positions, &triangles).unwrap();
        let found = template.positions();
        let is_finger =
            |name: &str| name.ends_with(|c: char| c.is_ascii_digit()) && !name.starts_with("spine");
        let (mut off, mut off_boxed, mut count) = (0.0, 0.0, 0.0);
        for (name, &position) in found.iter().filter(|(name, _)| !is_finger(name)) {
            let wanted = bend(wanted[name]);
            off += position.distance(wanted);
            off_boxed += boxed.positions()[name].distance(wanted);
            count += 1.0;
            assert!(
                is_inside(position, &positions, &triangles),
                "{amount}: {name} at {position}"
            );
        }
        println!(
            "{amount}: {} m off, in the box {} m",
            off / count,
            off_boxed / count
        );
        assert!(off / count < 0.03, "{amount}: {}", off / count);
        assert!(
            amount == 0.0 || off < 0.6 * off_boxed,
            "{amount}: {off} and {off_boxed}"
        );
        for (name, position) in &found {
            if let Some(part) = name.strip_prefix("left_") {
                let right = found[&format!("right_{part}")];
                let apart = (Vec3::new(-position.x, position.y, position.z) - right).length();
                assert!(apart < 1e-4, "{amount}: {name} {position} {right}");
            }
        }
    }
}

#[test]
fn a_chain_follows_a_bent_body() {
    let snake = sinew_samples::bodies::snake();
    let character = snake.character();
    let body = &character.meshes[0].primitives[0];
    let triangles: Vec<[u32; 3]> = body.triangles().map(|t| t.map(|v| v as u32)).collect();
    let chain = BoneChain {
        joints: 12,
        from: Vec3::new(0.0, 0.05, 0.0),
        to: Vec3::new(0.0, 0.05, 4.0),
        front: Vec3::Y,
        ..BoneChain::default()
    };
    let template = chain.template().embedded(&body.positions, &triangles);
    for joint in template.joints() {
        let line = snake
            .limbs
            .iter()
            .map(|limb| limb.distance(joint.position) + limb.radius);
        let off = line.fold(f32::INFINITY, f32::min);
        assert!(off < 0.03, "{} is {off} off the middle", joint.name);
    }
}

#[test]
fn what_is_no_mesh_changes_no_template() {
    let biped = Biped::default().template();
    for (positions, triangles) in [
        (vec![], vec![]),
        (vec![Vec3::ZERO; 3], vec![[0, 1, 2]]),
        (
            vec![Vec3::ONE, Vec3::NAN, Vec3::ZERO],
            vec![[0, 1, 2], [7, 8, 9]],
        ),
    ] {
        assert_eq!(biped.embedded(&positions, &triangles), biped);
    }
    let empty = Biped::default().embedded(&[], &[]).unwrap_err();
    assert_eq!(empty, TemplateError::EmptyBox);
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
    let all = positions_of(&skeleton);
    assert!(all["snake_1"].distance(Vec3::new(0.0, 0.25, -4.0)) < 1e-5);
    assert!(template.end(5).distance(Vec3::new(0.0, 0.25, 4.0)) < 1e-5);
    assert_eq!(skeleton.parent(5), Some(4));
}
