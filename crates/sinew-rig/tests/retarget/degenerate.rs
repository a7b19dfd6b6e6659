//! Degenerate bodies and scales: an error or a finite result, never a panic.

use super::people::beasts::glide;
use super::*;

fn without_length(names: &[&str]) -> Skeleton {
    let mut joints = Person::default().skeleton().joints();
    for joint in &mut joints {
        if names.contains(&joint.name.as_str()) {
            joint.rest.translation = Vec3::ZERO;
        }
    }
    Skeleton::new(joints).unwrap().0
}

fn sized(size: f32) -> Skeleton {
    let mut joints = Person::default().skeleton().joints();
    for joint in &mut joints {
        joint.rest.translation *= size;
    }
    Skeleton::new(joints).unwrap().0
}

#[track_caller]
fn is_sane(done: &Retargeted, what: &str) {
    for track in done.clip.tracks() {
        assert!(track.values().iter().all(|v| v.is_finite()), "{what}");
    }
    assert!(done.report.hips_lowered.is_finite(), "{what}");
    for foot in &done.report.feet {
        assert!(foot.slide_after.is_finite(), "{what}: {foot:?}");
    }
}

fn everything() -> [RetargetOptions; 3] {
    let all = RetargetOptions::default().hands(true);
    [NO_FEET, RetargetOptions::default(), all]
}

#[test]
fn legs_and_arms_without_length_are_no_reason_to_panic() {
    let person = Person::default().skeleton();
    for names in [
        &["left_lower_leg"][..],
        &["left_foot"],
        &["left_lower_leg", "left_foot"],
        &["left_upper_leg", "right_upper_leg"],
        &[
            "left_lower_leg",
            "right_lower_leg",
            "left_foot",
            "right_foot",
        ],
        &["left_toes", "right_toes"],
        &["left_lower_arm", "left_hand", "right_hand"],
        &["neck", "head", "chest"],
    ] {
        let body = without_length(names);
        for clip in [people::walk(&person), glide(&person)] {
            for options in everything() {
                let what = format!("{names:?}, {options:?}");
                let pairs = pair_joints(&person, &body).unwrap();
                let done = retarget(&person, &clip, &body, &pairs, &options).unwrap();
                is_sane(&done, &what);
                let pairs = pair_joints(&body, &person).unwrap();
                let done = retarget(&body, &clip, &person, &pairs, &options).unwrap();
                is_sane(&done, &what);
            }
        }
    }
}

#[test]
fn a_tiny_or_huge_figure_moves_as_one_of_metres_does() {
    let person = Person::default().skeleton();
    let walk = people::walk(&person);
    for size in [1e-9, 1e-20, 1e9, 1e15] {
        let body = sized(size);
        for options in everything() {
            let what = format!("{size}, {options:?}");
            let pairs = pair_joints(&person, &body).unwrap();
            let done = retarget(&person, &walk, &body, &pairs, &options).unwrap();
            is_sane(&done, &what);
            let ratio = done.report.scale / size;
            assert!((ratio - 1.0).abs() < 1e-3, "{what}: {ratio}");
            let times = people::times(&walk);
            let [before, after] =
                [(&person, &walk), (&body, &done.clip)].map(|(s, c)| model_places(s, c, &times));
            for (before, after) in before.iter().zip(&after) {
                let off = before[0].distance(after[0] / size);
                assert!(off < 1e-3, "{what}: {off}");
            }
        }
    }
}

#[test]
fn a_scale_that_no_number_holds_is_refused_by_name() {
    let (a, b) = (Person::default().skeleton(), stranger().skeleton());
    let walk = people::walk(&a);
    let pairs = pair_joints(&a, &b).unwrap();
    for scale in [1e38, f32::MAX, 1e-38, f32::MIN_POSITIVE, 1e12, 1e-12] {
        for options in everything() {
            let options = options.scale(Some(scale));
            let done = retarget(&a, &walk, &b, &pairs, &options);
            assert!(
                matches!(done, Err(RetargetError::BadOption { what: "scale", .. })),
                "{scale}"
            );
        }
    }
    for scale in [1e-6, 1e6] {
        for options in everything() {
            let options = options.scale(Some(scale));
            let done = retarget(&a, &walk, &b, &pairs, &options).unwrap();
            is_sane(&done, &format!("{scale}"));
        }
    }
}
