//! Captures that show little of a subject: human proportions, and a report of the seen lengths.

use crate::made_capture;

use glam::Vec3;
use made_capture::{Dice, motion, noisy, perfect};
use sinew::{LocalPose, Skeleton};
use sinew_rig::mocap::{Capture, Fit, MarkerSet, Progress, Trial};
use sinew_rig::template::Biped;

const RATE_HZ: f64 = 100.0;

/// Joints at the ends of thighs, shins, collarbones, upper arms and forearms.
const LIMBS: [&str; 5] = ["lower_leg", "foot", "upper_arm", "lower_arm", "hand"];

fn biped() -> Skeleton {
    let template = Biped::default().template();
    template.skeleton().expect("the biped is a skeleton")
}

/// A person of another size, with some bones scaled on both sides. Markers of a segment scale with
/// its bone, and each is `misplaced` metres from its position.
fn person(
    size: f32,
    bones: &[(&str, f32)],
    misplaced: f32,
    dice: &mut Dice,
) -> (Skeleton, MarkerSet) {
    let template = biped();
    let factor = |name: &str| {
        let own = bones.iter().find(|(part, _)| name.ends_with(part));
        size * own.map_or(1.0, |own| own.1)
    };
    let joints = template.joints().into_iter().map(|mut joint| {
        joint.rest.translation *= factor(&joint.name);
        joint
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a skeleton");
    let mut set = MarkerSet::plug_in_gait();
    for marker in &mut set.markers {
        let joint = template.find(&marker.joint).expect("a joint");
        let along = match template.children(joint).next() {
            Some(next) if LIMBS.iter().any(|l| template.name(next).ends_with(l)) => {
                factor(template.name(next))
            }
            _ => size,
        };
        marker.offset *= Vec3::new(size, along, size);
        marker.offset += misplaced * Vec3::from_array(std::array::from_fn(|_| dice.normal()));
    }
    (skeleton, set)
}

/// Half a second of standing with random arms, seen with 1 mm of noise.
fn standing(skeleton: &Skeleton, set: &MarkerSet, dice: &mut Dice) -> Trial {
    let pose = relaxed(skeleton, dice);
    noisy(
        &perfect(skeleton, set, &vec![pose; 50], RATE_HZ),
        0.001,
        0.0,
        10,
        dice,
    )
}

fn relaxed(skeleton: &Skeleton, dice: &mut Dice) -> LocalPose {
    let far = motion(skeleton, 1, RATE_HZ as f32, dice).remove(0);
    let mut pose = skeleton.rest().clone();
    for joint in 0..skeleton.len() {
        let [rest, far] = [&pose, &far].map(|p| p.get(joint).rotation);
        pose.set_rotation(joint, rest.slerp(far, 0.2));
    }
    pose
}

fn length_m(fit: &Fit, joint: &str) -> f64 {
    let bone = fit.report.bones.iter().find(|b| b.joint == joint);
    bone.expect("a bone").length_m
}

type Person<'a> = (&'a str, f32, &'a [(&'a str, f32)]);

/// Long legs, broad shoulders, a child: in one pose, with Plug-in Gait markers off by about 1 cm.
#[test]
fn a_static_pose_gives_human_proportions() {
    let template = biped();
    let people: [Person<'_>; 5] = [
        ("as the template", 1.0, &[]),
        ("long legs", 1.0, &[("lower_leg", 1.1), ("_foot", 1.1)]),
        ("broad shoulders", 1.05, &[("upper_arm", 1.12)]),
        ("short arms", 0.9, &[("lower_arm", 0.92), ("_hand", 0.92)]),
        ("a child", 0.7, &[("lower_leg", 0.94), ("_foot", 0.94)]),
    ];
    for (seed, (who, size, bones)) in (0..).zip(people) {
        let mut dice = Dice(100 + seed);
        let (truth, on_it) = person(size, bones, 0.008, &mut dice);
        let seen = standing(&truth, &on_it, &mut dice);
        let set = MarkerSet::standard();
        let fit = Capture::new(&template, &set, &seen).fit(|_| ());
        let fit = fit.expect("it can be fitted");
        for part in LIMBS {
            let [left, right] = ["left", "right"].map(|side| {
                let name = format!("{side}_{part}");
                let joint = truth.find(&name).expect("a joint");
                let is = f64::from(truth.rest().get(joint).translation.length());
                let found = length_m(&fit, &name);
                let off = found / is - 1.0;
                println!("{who}: {name} {:.0} mm, {:+.1} %", 1e3 * found, 100.0 * off);
                assert!(off.abs() < 0.12, "{who}: {name} is {off:+.3} off");
                found
            });
            assert!(
                (left / right - 1.0).abs() < 0.1,
                "{who}: {part} {left} {right}"
            );
        }
        assert!(
            (fit.report.size / f64::from(size) - 1.0).abs() < 0.1,
            "{who} is {} times the template",
            fit.report.size
        );
    }
}

/// The subject stands and swings the left leg, so the markers do not determine the arm lengths.
#[test]
fn the_report_says_what_the_motion_determined() {
    let template = biped();
    let mut dice = Dice(200);
    let (truth, on_it) = person(0.95, &[("lower_leg", 1.06)], 0.008, &mut dice);
    let still = relaxed(&truth, &mut dice);
    let mut moved = motion(&truth, 200, RATE_HZ as f32, &mut dice);
    for pose in &mut moved {
        pose.set_translation(0, still.get(0).translation);
        for joint in 0..truth.len() {
            let name = truth.name(joint);
            if !["left_upper_leg", "left_lower_leg", "left_foot"].contains(&name) {
                pose.set_rotation(joint, still.get(joint).rotation);
            }
        }
    }
    let clean = perfect(&truth, &on_it, &moved, RATE_HZ);
    let seen = noisy(&clean, 0.001, 0.0, 10, &mut dice);
    let fit = Capture::new(&template, &MarkerSet::standard(), &seen)
        .fit(|_| ())
        .expect("it can be fitted");
    let determined = |joint: &str| {
        let bone = fit.report.bones.iter().find(|b| b.joint == joint);
        let bone = bone.expect("a bone");
        println!("{joint}: determined {:.2}", bone.determined);
        assert!((0.0..=1.0).contains(&bone.determined));
        bone.is_determined()
    };
    assert!(determined("left_lower_leg") && determined("left_foot"));
    for joint in ["left_hand", "right_hand", "left_upper_arm", "spine_2"] {
        assert!(!determined(joint), "{joint}");
    }
    let thigh = truth.find("left_lower_leg").expect("a joint");
    let thigh = f64::from(truth.rest().get(thigh).translation.length());
    let off = length_m(&fit, "left_lower_leg") / thigh - 1.0;
    assert!(off.abs() < 0.03, "the thigh is {off:+.3} off");
}

/// Legs only: the arms are those of the template, scaled to the subject.
#[test]
fn what_has_no_markers_is_scaled_with_the_rest() {
    let template = biped();
    let mut dice = Dice(300);
    let (truth, mut on_it) = person(0.8, &[], 0.005, &mut dice);
    let below = ["hips", "leg", "foot"];
    on_it
        .markers
        .retain(|m| below.iter().any(|b| m.joint.ends_with(b)));
    let seen = standing(&truth, &on_it, &mut dice);
    let fit = Capture::new(&template, &MarkerSet::standard(), &seen)
        .fit(|_| ())
        .expect("it can be fitted");
    assert!((fit.report.size - 0.8).abs() < 0.05, "{}", fit.report.size);
    for name in ["left_hand", "neck", "right_index_2"] {
        let length = |skeleton: &Skeleton| {
            let joint = skeleton.find(name).expect("a joint");
            f64::from(skeleton.rest().get(joint).translation.length())
        };
        let of_template = length(&fit.skeleton) / length(&template);
        assert!(
            (of_template / fit.report.size - 1.0).abs() < 1e-3,
            "{name}: {of_template}"
        );
    }
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let template = biped();
    let mut dice = Dice(400);
    let set = MarkerSet::plug_in_gait();
    let seen = standing(&template, &set, &mut dice);
    let mut told = Vec::new();
    let fit = Capture::new(&template, &set, &seen).fit(|at| told.push(at));
    fit.expect("it can be fitted");
    let sizes: Vec<f64> = (told.iter())
        .map_while(|at| match at {
            Progress::Size(part) => Some(*part),
            Progress::Frames(_) => None,
        })
        .collect();
    assert!(sizes.len() > 2 && sizes.is_sorted(), "{sizes:?}");
    assert_eq!(sizes.last(), Some(&1.0));
    let frames: Vec<Progress> = (1..=50).map(Progress::Frames).collect();
    assert_eq!(told[sizes.len()..], frames);
}
