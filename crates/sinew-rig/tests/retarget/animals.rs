//! Animals: joints of equal names, legs that follow, and bodies with two or four legs.

use super::people::beasts::{Names, beast, horse, renamed, trot, under, z_up};
use super::*;
use sinew_rig::retarget::{Stance, check_limbs, stance_of};

/// Same name with other case and separators, and a namespace.
fn respelt(name: &str) -> String {
    format!("pony:{}", name.to_uppercase().replace(['.', '_'], " "))
}

#[test]
fn animals_with_equal_names_follow_each_other_though_none_is_a_persons() {
    let large = horse(1.0);
    assert_eq!(large.len(), 42);
    let small = renamed(&horse(0.5), respelt);
    let clip = trot(&large, 1.0);
    let pairs = pair_joints(&large, &small).unwrap();
    assert_eq!(pairs.len(), 42);
    assert!(pairs.iter().all(|pair| pair.source == pair.target));
    assert_eq!(check_limbs(&large, &small, &pairs), Ok(()));
    let done = retarget(&large, &clip, &small, &pairs, &RetargetOptions::default()).unwrap();
    assert!(
        (done.report.scale - 0.5).abs() < 1e-5,
        "{}",
        done.report.scale
    );
    let times = people::times(&clip);
    let [wanted, found] = [
        model_places(&horse(0.5), &trot(&horse(0.5), 0.5), &times),
        model_places(&small, &done.clip, &times),
    ];
    for (wanted, found) in wanted.iter().zip(&found) {
        for joint in 0..small.len() {
            let apart = wanted[joint].distance(found[joint]);
            assert!(apart < 1e-4, "{}: {apart}", small.name(joint));
        }
    }
}

#[test]
fn legs_whose_names_differ_by_case_move() {
    let ours = beast(Names::Beast);
    let other = renamed(&beast(Names::Beast), respelt);
    let pairs = pair_joints(&ours, &other).unwrap();
    assert_eq!(pairs.len(), ours.len());
    assert_eq!(check_limbs(&ours, &other, &pairs), Ok(()));
    // Numbers are separate words: leg_1_1 is not leg_11.
    let apart = renamed(&ours, |name| {
        name.replace("leg_1", "leg_1_1").replace("leg_2", "leg_11")
    });
    let apart = pair_joints(
        &apart,
        &renamed(&ours, |name| name.replace("leg_1", "leg_11")),
    )
    .unwrap();
    let names: Vec<usize> = apart.iter().map(|p| p.target).collect();
    let leg = ours.find("front_leg_1.L").unwrap();
    let source = apart
        .iter()
        .find(|p| p.target == leg)
        .map(|p| ours.name(p.source));
    assert_eq!(source, Some("front_leg_2.L"), "{names:?}");
}

#[test]
fn legs_that_would_stand_still_are_an_error_that_names_them() {
    let ours = beast(Names::Beast);
    let other = renamed(&ours, |name| match name.split_once("_leg_") {
        Some((which, rest)) => format!("leg {rest} {which}")
            .replace(".L", " left")
            .replace(".R", " right"),
        None => name.replace("paw", "hoof").replace(".", "_side_"),
    });
    let pairs = pair_joints(&ours, &other).unwrap();
    let error = check_limbs(&ours, &other, &pairs).unwrap_err();
    let RetargetError::LegsAtRest { legs, resting } = &error else {
        panic!("{error}")
    };
    assert_eq!((*legs, resting.len()), (4, 4), "{resting:?}");
    let text = error.to_string();
    for word in [
        "4 of the character's 4 legs",
        "leg 1 left back",
        "map",
        "partial",
    ] {
        assert!(text.contains(word), "{text}");
    }
    // A map with one joint per leg is enough.
    let leg = |name: &str| ours.find(name).unwrap();
    let more = [
        "front_leg_1.L",
        "front_leg_1.R",
        "back_leg_1.L",
        "back_leg_1.R",
    ];
    let more = more.map(|name| Pair {
        source: leg(name),
        target: leg(name),
    });
    let pairs = [&pairs[..], &more].concat();
    assert_eq!(check_limbs(&ours, &other, &pairs), Ok(()));
}

#[test]
fn four_legs_are_told_from_two() {
    for names in [Names::Person, Names::Beast] {
        let body = beast(names);
        assert_eq!(stance_of(&body), Some(Stance::FourLegs));
        assert_eq!(stance_of(&under(z_up(), &body)), Some(Stance::FourLegs));
    }
    for arms_down_deg in [0.0, 55.0, 89.0] {
        let person = Person {
            arms_down_deg,
            ..Person::default()
        }
        .skeleton();
        assert_eq!(stance_of(&person), Some(Stance::TwoLegs), "{arms_down_deg}");
    }
    assert_eq!(stance_of(&stranger().skeleton()), Some(Stance::TwoLegs));
    assert_eq!(stance_of(&horse(1.0)), None);
}
