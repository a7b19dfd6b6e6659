//! Hands that move to the positions of the source.

use crate::people;

use glam::Quat;
use people::{Person, model_places, poses};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Skeleton, Track};
use sinew_rig::retarget::{
    RetargetError, RetargetOptions, Retargeted, Role, Side, find_roles, pair_joints, retarget,
};
use sinew_rig::template::Biped;

fn carried(from: &Skeleton, clip: &Clip, onto: &Skeleton, hands: bool) -> Retargeted {
    let pairs = pair_joints(from, onto).unwrap();
    let options = RetargetOptions::default().hands(hands).feet(false);
    retarget(from, clip, onto, &pairs, &options).unwrap()
}

fn hand(skeleton: &Skeleton, clip: &Clip, times: &[f32], side: Side) -> Vec<glam::Vec3> {
    let joint = find_roles(skeleton).joint(Role::Hand(side)).unwrap();
    let places = model_places(skeleton, clip, times);
    places.iter().map(|frame| frame[joint]).collect()
}

/// Level arms go forward, bend until the hands cross, and return. The joints need world axes.
fn clap(skeleton: &Skeleton) -> Clip {
    let times: Vec<f32> = (0..=60).map(|f| f as f32 / 30.0).collect();
    let mut clip = Clip::new("clap");
    for (side, sign) in [("left", -1.0), ("right", 1.0)] {
        for (part, max_deg) in [("upper_arm", 72.0_f32), ("lower_arm", 75.0)] {
            let joint = skeleton.find(&format!("{side}_{part}")).expect("a joint");
            let turn = |t: &f32| {
                let angle = sign * max_deg.to_radians() * (0.55 - 0.45 * (t * 3.1).cos());
                skeleton.rest().get(joint).rotation * Quat::from_rotation_y(angle)
            };
            let keys: Vec<Quat> = times.iter().map(turn).collect();
            let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
            clip.joint_mut(joint).rotation = Some(track.unwrap());
        }
    }
    clip.fit_duration();
    clip
}

/// With narrower shoulders and longer arms, rotations alone move the hands elsewhere.
#[test]
fn hands_are_as_far_apart_as_the_sources_times_the_scale() {
    let a = Person::default().skeleton();
    let b = Person {
        limbs: 1.25,
        trunk: 0.85,
        axes: 7,
        ..Person::default()
    };
    let b = b.skeleton();
    let clip = clap(&a);
    let times = people::times(&clip);
    let (free, held) = (carried(&a, &clip, &b, false), carried(&a, &clip, &b, true));
    assert!(free.report.hands.is_empty());
    assert_eq!(held.report.hands.len(), 2);
    let scale = held.report.hands[0].scale;
    let between = |skeleton: &Skeleton, clip: &Clip| -> Vec<f32> {
        let [left, right] = Side::ALL.map(|side| hand(skeleton, clip, &times, side));
        left.iter()
            .zip(&right)
            .map(|(l, r)| l.distance(*r))
            .collect()
    };
    let wanted = between(&a, &clip);
    let nearest = wanted.iter().copied().fold(f32::INFINITY, f32::min);
    let off = |clip: &Clip| -> f32 {
        let found = between(&b, clip);
        let off = wanted
            .iter()
            .zip(&found)
            .map(|(w, f)| (w * scale - f).abs());
        off.fold(0.0, f32::max)
    };
    let (before, after) = (off(&free.clip), off(&held.clip));
    println!(
        "{before} m without, {after} m with, nearest {nearest}; {:?}",
        held.report.hands
    );
    assert!(nearest < 0.2, "{nearest}");
    assert!(before > 0.03, "{before}");
    assert!(after < 1e-3, "{after}");
    for report in &held.report.hands {
        assert!(
            report.off_after < 1e-3 && report.off_before > 0.01,
            "{report:?}"
        );
    }
    let roles = find_roles(&b);
    let arms = |joint: usize| {
        let role = roles.role(joint);
        Side::ALL.into_iter().any(|side| {
            let arm = [Role::Shoulder, Role::UpperArm, Role::LowerArm, Role::Hand];
            arm.iter().any(|part| role == Some(part(side)))
        })
    };
    let (free, held) = (poses(&b, &free.clip, &times), poses(&b, &held.clip, &times));
    for (free, held) in free.iter().zip(&held) {
        for joint in (0..b.len()).filter(|&j| !arms(j)) {
            assert_eq!(free.get(joint), held.get(joint), "{}", b.name(joint));
        }
    }
}

/// The mannequin has limits, and the source is unlike it.
#[test]
fn arms_that_are_brought_to_goals_stay_within_their_limits_and_do_not_jump() {
    let a = Person {
        limbs: 1.2,
        ..Person::default()
    };
    let (a, b) = (
        a.skeleton(),
        Biped::default().template().skeleton().unwrap(),
    );
    let clip = clap(&a);
    let times = people::times(&clip);
    let (free, held) = (carried(&a, &clip, &b, false), carried(&a, &clip, &b, true));
    let roles = find_roles(&b);
    let frames = poses(&b, &held.clip, &times);
    for side in Side::ALL {
        for part in [Role::UpperArm, Role::LowerArm, Role::Hand] {
            let joint = roles.joint(part(side)).unwrap();
            let rest = b.rest().get(joint).rotation;
            for pose in &frames {
                let now = pose.get(joint).rotation;
                let allowed = b.freedom(joint).clamp_rotation(rest, now);
                let beyond = quat::angle_between(now, allowed);
                assert!(beyond < 1e-4, "{}: {beyond}", b.name(joint));
            }
        }
    }
    let fastest = |clip: &Clip| {
        let poses = poses(&b, clip, &times);
        let steps = poses.windows(2).flat_map(|p| {
            let turn = |j: usize| quat::angle_between(p[0].get(j).rotation, p[1].get(j).rotation);
            (0..b.len()).map(turn).collect::<Vec<f32>>()
        });
        steps.fold(0.0, f32::max)
    };
    let (free, held) = (fastest(&free.clip), fastest(&held.clip));
    println!("{free} rad a frame without, {held} with");
    assert!(held < 4.0 * free + 0.05, "{held} {free}");
}

#[test]
fn who_has_not_both_arms_is_left_as_it_is() {
    let whole = Person::default().skeleton();
    let joints = whole.joints();
    let is_lost = |joint: usize| {
        let above = std::iter::successors(Some(joint), |&j| joints[j].parent);
        above
            .into_iter()
            .any(|j| joints[j].name == "left_upper_arm")
    };
    let left: Vec<usize> = (0..joints.len()).filter(|&j| !is_lost(j)).collect();
    let kept = left.iter().map(|&j| {
        let mut joint = joints[j].clone();
        joint.parent = joint.parent.and_then(|p| left.binary_search(&p).ok());
        joint
    });
    let (one_armed, _) = Skeleton::new(kept.collect()).unwrap();
    let other = Person {
        limbs: 1.2,
        ..Person::default()
    };
    let other = other.skeleton();
    for (from, onto) in [(&one_armed, &other), (&other, &one_armed)] {
        let clip = people::dance(from);
        let (free, held) = (
            carried(from, &clip, onto, false),
            carried(from, &clip, onto, true),
        );
        assert!(held.report.hands.is_empty(), "{:?}", held.report.hands);
        assert_eq!(free.clip, held.clip);
    }
}

#[test]
fn a_joint_that_is_scaled_unevenly_is_named() {
    let a = Person::default().skeleton();
    let joints = a.joints().into_iter().map(|mut joint| {
        if joint.name.contains("lower_arm") {
            joint.rest.scale = glam::Vec3::new(1.0, 2.0, 1.0);
        }
        joint
    });
    let (b, _) = Skeleton::new(joints.collect()).unwrap();
    let clip = people::dance(&a);
    let pairs = pair_joints(&a, &b).unwrap();
    let options = RetargetOptions::default().hands(true);
    let error = retarget(&a, &clip, &b, &pairs, &options).unwrap_err();
    assert!(matches!(error, RetargetError::Hands { .. }), "{error}");
    assert!(error.to_string().contains("lower_arm"), "{error}");
}
