//! Animals: joints of equal names, legs that follow, and bodies with two or four legs.

use super::people::beasts::{
    Names, beast, horse, renamed, stands, steed, trot, under, walking_dog, z_up,
};
use super::*;
use sinew_rig::retarget::{Stance, check_limbs, stance_of};
use sinew_rig::template::Quadruped;

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

/// Legs of other names, on a body that lies: its shape does not tell its legs.
fn lying() -> Skeleton {
    let mut joints = beast(Names::Beast).joints();
    for joint in &mut joints {
        joint.name = match joint.name.split_once("_leg_") {
            Some((which, rest)) => format!("leg {rest} {which}")
                .replace(".L", " left")
                .replace(".R", " right"),
            None => joint.name.replace("paw", "hoof").replace('.', "_side_"),
        };
        joint.rest.translation.y = 0.0;
    }
    Skeleton::new(joints).unwrap().0
}

#[test]
fn legs_that_would_stand_still_are_an_error_that_names_them() {
    let (ours, other) = (beast(Names::Beast), lying());
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

/// Larger dog with a longer back, other joint counts, and names without meaning.
fn wolf() -> Skeleton {
    let body = Quadruped {
        spine: 3,
        neck: 1,
        tail: 6,
    };
    let mut joints = body.template().skeleton().unwrap().joints();
    for (k, joint) in joints.iter_mut().enumerate() {
        joint.name = format!("bone_{k}");
        joint.rest.translation *= Vec3::new(1.1, 1.2, 1.35);
    }
    Skeleton::new(joints).unwrap().0
}

/// Paws of the legs front left, front right, hind left and hind right, and joints that bend them.
fn paws(names: [[&str; 2]; 2]) -> [[String; 2]; 4] {
    let of = |k: usize| {
        let sides = [["left", "L"], ["right", "R"]][k % 2];
        names[k / 2].map(|name| name.replace("SIDE", sides[0]).replace('?', sides[1]))
    };
    [0, 1, 2, 3].map(of)
}

#[test]
fn a_walk_goes_from_dog_to_wolf_to_fox_to_horse_by_shape_with_four_feet_held() {
    let (dog, walk) = walking_dog();
    let times = people::times(&walk);
    let by_name = |body: Skeleton, names| (body, paws(names));
    // The wolf has the joints of the template, in its order.
    let parts = wolf_names();
    let wolf = (wolf(), parts);
    let fox = by_name(
        beast(Names::Person),
        [["claw.?", "forearm.?"], ["toes.?", "shin.?"]],
    );
    let horse = by_name(
        steed(),
        [["StepFore1.?", "Fore1.?"], ["StepAft1.?", "Aft1.?"]],
    );
    let mut from = (dog.clone(), walk.clone());
    for (what, (body, legs)) in [("wolf", wolf), ("fox", fox), ("horse", horse)] {
        let pairs = pair_joints(&from.0, &body).unwrap();
        assert_eq!(check_limbs(&from.0, &body, &pairs), Ok(()), "{what}");
        let done = retarget(&from.0, &from.1, &body, &pairs, &RetargetOptions::default()).unwrap();
        let report = &done.report;
        assert!(
            report.by_shape && report.feet.len() == 4,
            "{what}: {report:?}"
        );
        let size = body
            .rest_model()
            .iter()
            .map(|m| m.translation().y)
            .fold(0.0, f32::max);
        let places = model_places(&body, &done.clip, &times);
        let rest = body.rest_model();
        for (leg, [paw, knee]) in legs.iter().enumerate() {
            let paw = body.find(paw).unwrap_or_else(|| panic!("{what}: {paw}"));
            let knee = body.find(knee).unwrap();
            let (mut slide, mut high, mut swing) = (0.0_f32, 0.0_f32, 0.0_f32);
            let still = rest.get(paw).translation().y;
            let hips = |frame: usize| places[frame][knee] - places[frame][paw];
            for frame in 1..times.len() {
                let step = places[frame][paw] - places[frame - 1][paw];
                let both = [times[frame - 1], times[frame]];
                if both.iter().all(|secs| stands(leg, *secs)) {
                    slide = slide.max(step.length());
                    high = high.max((places[frame][paw].y - still).abs());
                }
                swing = swing.max(hips(frame).angle_between(hips(0)).to_degrees());
            }
            println!("{what}, leg {leg}: slide {slide:.5}, height {high:.4}, swing {swing:.1}°");
            assert!(slide < 1e-3 * size, "{what}, leg {leg}: slides {slide}");
            assert!(
                high < 0.02 * size,
                "{what}, leg {leg}: {high} off the ground"
            );
            assert!(swing > 8.0, "{what}, leg {leg}: {swing}°");
        }
        assert!(
            report.feet.iter().all(|foot| foot.contacts.len() >= 2),
            "{what}"
        );
        // The hips of the dog move 0.48 m in 2.4 s.
        let hips = report
            .pairs
            .iter()
            .find(|pair| pair.role == Some(Role::Hips))
            .unwrap();
        let hips = body.find(&hips.target).unwrap();
        let way = (places[72][hips] - places[0][hips]).z;
        println!("{what}: travels {way:.2}");
        assert!(
            way > 0.5 * 0.48 * size && way < 2.0 * 0.48 * size,
            "{what}: {way}"
        );
        from = (body, done.clip);
    }
}

/// Paws and knees of the wolf by the names of the template.
fn wolf_names() -> [[String; 2]; 4] {
    let body = Quadruped {
        spine: 3,
        neck: 1,
        tail: 6,
    };
    let body = body.template().skeleton().unwrap();
    let names = [
        ["SIDE_front_foot", "SIDE_front_lower_leg"],
        ["SIDE_toes", "SIDE_lower_leg"],
    ];
    let bone = |name: String| format!("bone_{}", body.find(&name).unwrap());
    paws(names).map(|pair| pair.map(bone))
}

#[test]
fn heads_and_tails_follow_by_shape_and_a_map_still_counts() {
    let (dog, _) = walking_dog();
    let horse = steed();
    let pairs = pair_joints(&dog, &horse).unwrap();
    let target = |name: &str| {
        let source = dog.find(name).unwrap();
        let pair = pairs.iter().find(|pair| pair.source == source);
        pair.map(|pair| horse.name(pair.target))
    };
    for (name, wanted) in [
        ("hips", Some("Croup")),
        ("head", Some("Muzzle")),
        ("tail_1", Some("Dock1")),
        ("tail_4", Some("Dock3")),
        ("left_upper_leg", Some("Aft0.L")),
        ("right_lower_leg", Some("Aft1.R")),
        ("left_foot", Some("Aft2.L")),
        ("right_front_foot", Some("StepFore0.R")),
        ("left_toes", Some("StepAft1.L")),
    ] {
        assert_eq!(target(name), wanted, "{name}");
    }
    // A body with the names of the source keeps them, whatever its shape.
    let same = pair_joints(&dog, &dog).unwrap();
    assert!(same.len() == dog.len() && same.iter().all(|p| p.source == p.target));
    let map = NameMap::from([("hips".to_owned(), Some("Croup".to_owned()))]);
    let pairs = pairs_from_names(&dog, &horse, &map).unwrap();
    let resting = check_limbs(&dog, &horse, &pairs).unwrap_err();
    assert!(
        matches!(resting, RetargetError::FewLimbs { .. }),
        "{resting}"
    );
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
    assert_eq!(stance_of(&horse(1.0)), Some(Stance::FourLegs));
    assert_eq!(stance_of(&steed()), Some(Stance::FourLegs));
}
