//! Blend radius of equation (2) of Xu et al. (`docs/references.md`), for all joints and for one.

use glam::{DVec3, Vec3};
use sinew::{Character, Influences};
use sinew_rig::weights::{
    BindCharacterError, BindError, BindHooks, BindMethod, BindOptions, Bones, Surface, bind,
    bind_character, bind_character_with,
};
use std::sync::Arc;

fn weight(influences: &Influences, vertex: usize, joint: usize) -> f32 {
    let row = influences.get(vertex);
    row.filter(|w| w.0 == joint).map(|w| w.1).sum()
}

/// On a straight limb, the curve point for w is (2w − 1) r from the joint, toward the first bone.
fn on_a_straight_limb(above_joint: f32, radius: f32) -> f32 {
    (0.5 - 0.5 * above_joint / radius).clamp(0.0, 1.0)
}

fn bare() -> Character {
    let mut character = sinew_samples::tube_character();
    for node in &mut character.nodes {
        node.skin = None;
    }
    character.meshes[0].primitives[0].influences = None;
    character
}

fn bezier(radius: Option<f32>) -> BindOptions {
    BindOptions::default()
        .method(BindMethod::Bezier)
        .radius(radius)
}

fn check_straight(character: &Character, radius: f32) {
    let primitive = &character.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    for (vertex, position) in primitive.positions.iter().enumerate() {
        let wanted = on_a_straight_limb(position.y - 1.0, radius);
        let found = weight(influences, vertex, 0);
        assert!(
            (found - wanted).abs() < 1e-5,
            "{position}: {found} {wanted}"
        );
    }
}

#[test]
fn a_radius_for_all_joints_or_for_one_is_how_far_they_blend() {
    for radius in [0.1, 0.25, 0.45] {
        let mut all = bare();
        bind_character(&mut all, &bezier(Some(radius))).unwrap();
        check_straight(&all, radius);
        let mut one = bare();
        let hooks = BindHooks {
            radius: &|name| (name == "upper").then_some(radius),
            ..BindHooks::default()
        };
        bind_character_with(&mut one, &bezier(Some(0.33)), &hooks).unwrap();
        check_straight(&one, radius);
        let mut other = bare();
        let hooks = BindHooks {
            radius: &|name| (name == "lower").then_some(radius),
            ..BindHooks::default()
        };
        bind_character_with(&mut other, &bezier(Some(0.33)), &hooks).unwrap();
        check_straight(&other, 0.33);
    }
    // Default: half of the shorter bone. Never past the middle of a bone.
    for radius in [None, Some(1.5)] {
        let mut open = bare();
        bind_character(&mut open, &bezier(radius)).unwrap();
        check_straight(&open, 0.5);
    }
}

#[test]
fn corrected_weights_are_equation_2_within_half_the_radius_and_as_they_were_beyond_it() {
    let radius = 0.4;
    let mut character = bare();
    bind_character(&mut character, &bezier(None)).unwrap();
    let primitive = &mut character.meshes[0].primitives[0];
    let given: Vec<Vec<(u16, f32)>> = (0..primitive.len())
        .map(|vertex| match vertex % 3 {
            0 => vec![(0, 1.0)],
            1 => vec![(0, 0.25), (1, 0.75)],
            _ => vec![(1, 1.0)],
        })
        .collect();
    let (given, _) = Influences::from_lists(&given, 2).unwrap();
    primitive.influences = Some(Arc::new(given.clone()));
    let options = bezier(Some(radius)).correct(true);
    bind_character(&mut character, &options).unwrap();
    let primitive = &character.meshes[0].primitives[0];
    let corrected = primitive.influences.as_ref().unwrap();
    let (mut within, mut beyond) = (0, 0);
    for (vertex, position) in primitive.positions.iter().enumerate() {
        let away = (position.y - 1.0).abs();
        let (found, before) = (weight(corrected, vertex, 0), weight(&given, vertex, 0));
        if away <= 0.5 * radius {
            let wanted = on_a_straight_limb(position.y - 1.0, radius);
            assert!(
                (found - wanted).abs() < 1e-5,
                "{position}: {found} {wanted}"
            );
            within += 1;
        } else if away >= radius {
            // Vertices at one position have the weight of the first.
            let same = primitive
                .positions
                .iter()
                .position(|p| p == position)
                .unwrap();
            let before = if same == vertex {
                before
            } else {
                weight(&given, same, 0)
            };
            assert_eq!(found, before, "{position}");
            beyond += 1;
        }
    }
    assert!(within > 100 && beyond > 100, "{within} {beyond}");
}

/// The equation with the position of the joint. The nearest point is found by sampling.
#[test]
fn a_bent_limb_has_equation_2_about_its_joint() {
    let radius = 0.3;
    let joint = DVec3::new(10.0, 5.0, 3.0);
    let ends = [DVec3::new(8.0, 5.0, 3.0), DVec3::new(10.0, 7.0, 3.0)];
    let heads = [ends[0], joint].map(|p| p.as_vec3()).to_vec();
    let mut bones = Bones::new(vec![None, Some(0)], heads);
    bones.tails[1] = Some(ends[1].as_vec3());
    bones.radii[1] = Some(radius as f32);
    let [first, second] = ends.map(|end| joint + (end - joint).normalize() * radius);
    let curve =
        |w: f64| first * (w * w) + joint * (2.0 * w * (1.0 - w)) + second * ((1.0 - w) * (1.0 - w));
    let mut points = Vec::new();
    for n in 0..60 {
        let w = 0.1 + 0.8 * f64::from(n) / 59.0;
        let aside = DVec3::new(0.04, -0.04, 0.1) * f64::from(n % 4) * 0.25;
        points.push((curve(w) + aside).as_vec3());
    }
    // Points far from the joint give the model a size.
    points.extend(ends.map(|end| end.as_vec3()));
    let surface = Surface {
        positions: &points,
        triangles: &[],
    };
    let bound = bind(&surface, &bones, &bezier(None)).unwrap();
    for (vertex, point) in points[..60].iter().enumerate() {
        let away = |step: i32| curve(f64::from(step) * 1e-5).distance_squared(point.as_dvec3());
        let nearest = (0..=100_000)
            .min_by(|&a, &b| away(a).total_cmp(&away(b)))
            .unwrap();
        let wanted = f64::from(nearest) * 1e-5;
        let found = f64::from(weight(&bound, vertex, 0));
        assert!((found - wanted).abs() < 1e-4, "{point}: {found} {wanted}");
    }
    assert_eq!(weight(&bound, 60, 0), 1.0);
    assert_eq!(weight(&bound, 61, 1), 1.0);
}

#[test]
fn radii_that_are_none_are_refused() {
    for radius in [0.0, -0.2, f32::NAN, f32::INFINITY, 1e3] {
        let refused = bind_character(&mut bare(), &bezier(Some(radius))).unwrap_err();
        let BindCharacterError::Bind(BindError::Radius {
            joint: None, size, ..
        }) = refused
        else {
            panic!("{radius}: {refused}");
        };
        assert!((2.0..2.2).contains(&size), "{size}");
        let hooks = BindHooks {
            radius: &|name| (name == "upper").then_some(radius),
            ..BindHooks::default()
        };
        let refused = bind_character_with(&mut bare(), &bezier(None), &hooks).unwrap_err();
        let of_joint = BindError::Radius {
            joint: Some(1),
            radius,
            size,
        };
        match radius.is_nan() {
            true => assert!(refused.to_string().contains("radius NaN"), "{refused}"),
            false => assert_eq!(refused, BindCharacterError::Bind(of_joint)),
        }
    }
    let two = Bones::new(vec![None, Some(0)], vec![Vec3::ZERO, Vec3::Y]);
    let short = Bones {
        radii: vec![None],
        ..two
    };
    let surface = Surface {
        positions: &[Vec3::ZERO],
        triangles: &[],
    };
    let refused = bind(&surface, &short, &bezier(None)).unwrap_err();
    assert!(matches!(
        refused,
        BindError::Mismatch { heads: 2, other: 1 }
    ));
}
