//! Motion transferred to other bodies.

mod animals;
mod degenerate;
mod feet;
mod level;
mod limbs;
mod maps;
mod refused;

use crate::people;

use glam::{DQuat, DVec3, Quat, Vec3};
use people::{Person, model_places, poses};
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, Transform};
use sinew_rig::retarget::{
    NameMap, Pair, RetargetError, RetargetOptions, Retargeted, Retargeter, Role, Side, find_roles,
    names_of_pairs, pair_joints, pairs_from_names, retarget,
};
use sinew_samples::humanoid_character;

const NO_FEET: RetargetOptions = RetargetOptions::new().feet(false);

fn carried(from: &Skeleton, clip: &Clip, onto: &Skeleton, options: &RetargetOptions) -> Retargeted {
    let pairs = pair_joints(from, onto).unwrap();
    retarget(from, clip, onto, &pairs, options).unwrap()
}

fn stranger() -> Person {
    Person {
        arms_down_deg: 55.0,
        legs_apart_deg: 12.0,
        axes: 7,
        limbs: 1.3,
        trunk: 0.8,
        world: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        ..Person::default()
    }
}

#[test]
fn a_retargeter_gives_every_clip_the_same_bits_in_any_order_and_thread() {
    let (from, onto) = (Person::default().skeleton(), stranger().skeleton());
    let clips = [
        people::walk(&from),
        people::dance(&from),
        people::walk(&from),
    ];
    let alone = clips
        .each_ref()
        .map(|clip| carried(&from, clip, &onto, &RetargetOptions::default()));
    assert_ne!(alone[0], alone[1]);
    let pairs = pair_joints(&from, &onto).unwrap();
    let retargeter = Retargeter::new(&from, &onto, &pairs, &RetargetOptions::default()).unwrap();
    let last_first = || {
        clips
            .iter()
            .rev()
            .map(|clip| retargeter.retarget(clip).unwrap())
    };
    std::thread::scope(|scope| {
        for thread in [0, 1].map(|_| scope.spawn(|| last_first().collect::<Vec<_>>())) {
            let done = thread.join().unwrap();
            assert!(done.iter().rev().eq(&alone));
        }
    });
}

#[test]
fn the_same_skeleton_gets_the_same_motion() {
    let mut worst = 0.0_f32;
    let person = humanoid_character();
    let (ours, other) = (Person::default().skeleton(), stranger().skeleton());
    let walk = (&person.skeleton, person.clips[0].clone());
    let walked = people::walk(&ours);
    for (skeleton, clip) in [
        walk,
        (&ours, people::dance(&ours)),
        (&other, people::dance(&other)),
        (&ours, walked),
    ] {
        let done = carried(skeleton, &clip, skeleton, &RetargetOptions::default());
        assert!(done.report.same_skeleton);
        let times = people::times(&clip);
        let tracks = done.clip.tracks();
        let interpolations: Vec<_> = tracks.map(Track::interpolation).collect();
        assert!(!interpolations.contains(&Interpolation::CubicHermite));
        let moments = times.windows(2).flat_map(|step| {
            let along = [0.0, 0.3, 0.5];
            along.map(|along| step[0] + along * (step[1] - step[0]))
        });
        let times: Vec<f32> = moments.chain(times.last().copied()).collect();
        for (a, b) in poses(skeleton, &clip, &times)
            .iter()
            .zip(poses(skeleton, &done.clip, &times))
        {
            for (a, b) in a.iter().zip(b.iter()) {
                let turned = (a.rotation - b.rotation)
                    .length()
                    .min((a.rotation + b.rotation).length());
                worst = worst
                    .max(turned)
                    .max(a.translation.distance(b.translation))
                    .max(a.scale.distance(b.scale));
            }
        }
    }
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn the_same_body_under_other_names_gets_the_same_motion_too() {
    // An extra joint at rest, so that it is not recognised as the same skeleton.
    let ours = Person::default().skeleton();
    let clip = people::walk(&ours);
    let mut joints = ours.joints();
    joints.push(Joint::new(
        "hat",
        ours.find("head"),
        Transform::from_translation(Vec3::Y),
    ));
    let (hatted, _) = Skeleton::new(joints).unwrap();
    let done = carried(&ours, &clip, &hatted, &RetargetOptions::default());
    assert!(!done.report.same_skeleton);
    assert!(
        done.report.feet.iter().all(|f| f.contact_frames() > 10),
        "{:?}",
        done.report.feet
    );
    let times = people::times(&clip);
    let [before, after] = [
        poses(&ours, &clip, &times),
        poses(&hatted, &done.clip, &times),
    ];
    for (a, b) in before.iter().zip(&after) {
        for joint in 0..ours.len() {
            let (a, b) = (a.get(joint), b.get(joint));
            let turned = (a.rotation - b.rotation)
                .length()
                .min((a.rotation + b.rotation).length());
            assert!(
                turned < 1e-5 && a.translation.distance(b.translation) < 1e-5,
                "{}",
                ours.name(joint)
            );
        }
    }
    assert_eq!(done.report.resting_target, ["hat"]);
    assert_eq!(done.report.hips_lowered, 0.0);
}

/// Error of a round trip: RMS angle of joints over time, in degrees, and max error of the hips.
fn round_trip(from: &Skeleton, clip: &Clip, by: &Skeleton) -> (f64, f32) {
    let there = carried(from, clip, by, &NO_FEET);
    assert!(!there.report.same_skeleton);
    let back = carried(by, &there.clip, from, &NO_FEET);
    let times = people::times(clip);
    let (mut sum, mut count, mut off) = (0.0, 0, 0.0_f32);
    for (a, b) in poses(from, clip, &times)
        .iter()
        .zip(poses(from, &back.clip, &times))
    {
        off = off.max(a.get(0).translation.distance(b.get(0).translation));
        for (a, b) in a.iter().zip(b.iter()) {
            let between = a.rotation.as_dquat().inverse() * b.rotation.as_dquat();
            let angle = 2.0 * between.xyz().length().atan2(between.w.abs());
            sum += angle * angle;
            count += 1;
        }
    }
    ((sum / f64::from(count)).sqrt().to_degrees(), off)
}

#[test]
fn a_round_trip_by_another_rest_pose_axes_and_lengths_returns_the_motion() {
    let ours = Person::default().skeleton();
    for (name, clip) in [
        ("dance", people::dance(&ours)),
        ("walk", people::walk(&ours)),
    ] {
        let (rms_deg, off) = round_trip(&ours, &clip, &stranger().skeleton());
        println!("{name}: {rms_deg:.6} degrees RMS, hips off by {off:.6}");
        assert!(rms_deg < 0.1, "{name}: {rms_deg}");
        assert!(off < 1e-4, "{name}: {off}");
    }
}

#[test]
fn limbs_point_where_they_point_on_the_source_whatever_the_rest_pose() {
    let (from, onto) = (Person::default(), stranger());
    let (a, b) = (from.skeleton(), onto.skeleton());
    let clip = people::dance(&a);
    let done = carried(&a, &clip, &b, &NO_FEET);
    let times = people::times(&clip);
    let rotation = done.report.rotation;
    assert!(rotation.dot(onto.world).abs() > 1.0 - 1e-6, "{rotation}");
    let limbs = [
        ("left_upper_arm", "left_lower_arm"),
        ("right_lower_arm", "right_hand"),
        ("left_hand", "left_middle_1"),
        ("right_index_1", "right_index_2"),
        ("right_upper_leg", "right_lower_leg"),
        ("left_lower_leg", "left_foot"),
    ];
    let [before, after] = [(&a, &clip), (&b, &done.clip)].map(|(s, c)| model_places(s, c, &times));
    for (from, to) in limbs {
        for (before, after) in before.iter().zip(&after) {
            let along = |s: &Skeleton, places: &[Vec3]| {
                (places[s.find(to).unwrap()] - places[s.find(from).unwrap()]).normalize()
            };
            let (wanted, found) = (rotation * along(&a, before), along(&b, after));
            assert!(wanted.distance(found) < 1e-4, "{from}: {wanted} {found}");
        }
    }
}

#[test]
fn hips_go_as_far_as_the_legs_are_long() {
    let a = Person::default().skeleton();
    let b = Person {
        limbs: 2.0,
        trunk: 2.0,
        ..Person::default()
    }
    .skeleton();
    let clip = people::walk(&a);
    let done = carried(&a, &clip, &b, &NO_FEET);
    assert!(
        (done.report.scale - 2.0).abs() < 1e-4,
        "{}",
        done.report.scale
    );
    let times = people::times(&clip);
    let [small, tall] = [(&a, &clip), (&b, &done.clip)].map(|(s, c)| model_places(s, c, &times));
    for (small, tall) in small.iter().zip(&tall) {
        assert!(
            (small[0] * 2.0).distance(tall[0]) < 1e-4,
            "{} {}",
            small[0],
            tall[0]
        );
    }
    let options = NO_FEET.scale(Some(0.5));
    let done = carried(&a, &clip, &b, &options);
    let halved = model_places(&b, &done.clip, &times);
    assert!((small[9][0] * 0.5).distance(halved[9][0]) < 1e-4);
    let done = carried(&a, &clip, &a, &options);
    let halved = model_places(&a, &done.clip, &times);
    assert!((small[9][0] * 0.5).distance(halved[9][0]) < 1e-4);
}

#[test]
fn spines_and_fingers_of_other_counts_share_the_bend() {
    let bent = |spine: usize| {
        let body = Person {
            spine,
            ..Person::default()
        }
        .skeleton();
        let mut clip = Clip::new("bow");
        for name in (1..spine)
            .map(|k| format!("spine_{k}"))
            .chain(["chest".to_owned()])
        {
            let turn = Quat::from_rotation_x(60_f32.to_radians() / spine as f32);
            let keys = [Quat::IDENTITY, turn];
            let track = Track::rotations(vec![0.0, 1.0 / 30.0], &keys, Interpolation::Slerp);
            clip.joint_mut(body.find(&name).unwrap()).rotation = Some(track.unwrap());
        }
        clip.fit_duration();
        (body, clip)
    };
    for (from, onto) in [(1, 3), (2, 5), (5, 2), (4, 3)] {
        let (a, clip) = bent(from);
        let b = Person {
            spine: onto,
            ..Person::default()
        }
        .skeleton();
        let done = carried(&a, &clip, &b, &NO_FEET);
        assert_eq!(done.report.shared.len(), onto - 1);
        let end = poses(&b, &done.clip, &[1.0 / 30.0]).remove(0);
        let mut sum = 0.0;
        for name in (1..onto)
            .map(|k| format!("spine_{k}"))
            .chain(["chest".to_owned()])
        {
            let (axis, angle) = end.get(b.find(&name).unwrap()).rotation.to_axis_angle();
            let degrees = (axis.x * angle).to_degrees();
            assert!(
                (degrees - 60.0 / onto as f32).abs() < 8.0,
                "{from} to {onto}: {name} {degrees}"
            );
            sum += degrees;
        }
        assert!((sum - 60.0).abs() < 1e-3, "{from} to {onto}: {sum}");
        let head = b.find("neck").unwrap();
        let nod = end
            .get(head)
            .rotation
            .angle_between(Quat::IDENTITY)
            .to_degrees();
        assert!(nod < 1e-3, "{nod}");
    }
}

#[test]
fn a_t_pose_in_the_first_frame_can_stand_for_a_rest_pose_that_is_none() {
    // All bones of a zero pose point up in some exports. The first frame is the rest pose.
    let real = Person::default().skeleton();
    let rest = model_places(&real, &people::dance(&real), &[0.0]).remove(0);
    let joints = real.joints().into_iter().enumerate().map(|(k, j)| {
        let length = j.parent.map_or(Vec3::ZERO, |p| rest[k] - rest[p]).length();
        let sideways = if j.name.contains("upper_leg") {
            j.rest.translation
        } else {
            Vec3::Y * length
        };
        Joint::new(j.name, j.parent, Transform::from_translation(sideways))
    });
    let (zero, _) = Skeleton::new(joints.collect()).unwrap();
    let dance = people::dance(&real);
    let times = people::times(&dance);
    let real_poses = poses(&real, &dance, &times);
    let mut clip = Clip::new("dance");
    for joint in 0..real.len() {
        let fix = |k: usize| -> Quat {
            let bone = real
                .children(k)
                .next()
                .map_or(Vec3::Y, |c| real.rest().get(c).translation.normalize());
            if real.name(k) == "hips" {
                Quat::IDENTITY
            } else {
                Quat::from_rotation_arc(Vec3::Y, bone)
            }
        };
        let above = real.parent(joint).map_or(Quat::IDENTITY, fix);
        let keys: Vec<Quat> = real_poses
            .iter()
            .map(|p| above.inverse() * p.get(joint).rotation * fix(joint))
            .collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap();
        clip.joint_mut(joint).rotation = Some(track);
    }
    let places: Vec<Vec3> = real_poses.iter().map(|p| p.get(0).translation).collect();
    clip.joint_mut(0).translation =
        Some(Track::vectors(times.clone(), &places, Interpolation::Linear).unwrap());
    clip.fit_duration();
    let b = stranger().skeleton();
    let options = NO_FEET.rest_secs(Some(0.0));
    let from_zero = carried(&zero, &clip, &b, &options);
    let from_real = carried(&real, &dance, &b, &options);
    let [one, other] = [from_zero, from_real].map(|done| model_places(&b, &done.clip, &times));
    for (one, other) in one.iter().zip(&other) {
        for role in [
            Role::Head,
            Role::Hand(Side::Left),
            Role::LowerArm(Side::Right),
            Role::LowerLeg(Side::Left),
        ] {
            let joint = find_roles(&b).joint(role).unwrap();
            let apart = (one[joint] - one[0]).distance(other[joint] - other[0]);
            assert!(apart < 0.03, "{role}: {apart}");
        }
    }
}

#[test]
fn a_model_turned_in_its_world_lands_upright() {
    // Rest pose along z, motion along y, as in some motion files.
    let lying = Person {
        world: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        ..Person::default()
    }
    .skeleton();
    let mut clip = people::walk(&lying);
    let up = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let times = people::times(&clip.clone());
    let before = poses(&lying, &clip.clone(), &times);
    let keys: Vec<Quat> = before
        .iter()
        .map(|p| (up * p.get(0).rotation.as_dquat()).as_quat())
        .collect();
    let places: Vec<Vec3> = before
        .iter()
        .map(|p| (up * p.get(0).translation.as_dvec3()).as_vec3())
        .collect();
    let tracks = clip.joint_mut(0);
    tracks.rotation = Some(Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap());
    tracks.translation =
        Some(Track::vectors(times.clone(), &places, Interpolation::Linear).unwrap());
    let b = Person::default().skeleton();
    let done = carried(&lying, &clip, &b, &RetargetOptions::default());
    let head = b.find("head").unwrap();
    for places in model_places(&b, &done.clip, &times) {
        let up = (places[head] - places[0]).as_dvec3().normalize();
        assert!(up.dot(DVec3::Y) > 0.95, "{up}");
        assert!((0.8..1.1).contains(&places[0].y), "{}", places[0]);
    }
}
