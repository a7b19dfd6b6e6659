//! BVH export: an import gives the same motion, and omissions are reported.

use crate::foreign::foreign_files;
use crate::plain_bvh;
use crate::posed_by::posed_by;

use glam::{Quat, Vec3};
use plain_bvh::{plain, plain_with, read};
use sinew::transform::quat_f64::QuatF64;
use sinew::{Character, Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform, sample};
use sinew_io::Severity;
use sinew_io::bvh::{BvhExport, BvhOptions, MovedOffsets, export};
use std::f32::consts::{FRAC_PI_2, PI};

const REST: BvhOptions = BvhOptions::new()
    .clip(None)
    .fps(None)
    .offsets(MovedOffsets::Rest);

#[track_caller]
fn written(character: &Character, options: &BvhOptions) -> BvhExport {
    export(character, options).expect("it is whole")
}

fn codes(export: &BvhExport) -> Vec<&'static str> {
    export.report.findings.iter().map(|f| f.code).collect()
}

fn positions(character: &Character, clip: usize, time_secs: f64) -> Vec<Vec3> {
    let skeleton = &character.skeleton;
    let (_, model) = posed_by(skeleton, &character.clips[clip], time_secs);
    let position = |joint| model.get(joint).transform_point(Vec3::ZERO);
    (0..skeleton.len()).map(position).collect()
}

fn rest_bits(skeleton: &Skeleton) -> Vec<[u32; 10]> {
    let bits = |joint| {
        let rest = skeleton.rest().get(joint);
        let mut numbers = rest.translation.to_array().to_vec();
        numbers.extend(rest.rotation.to_array());
        numbers.extend(rest.scale.to_array());
        std::array::from_fn(|index| f32::to_bits(numbers[index]))
    };
    (0..skeleton.len()).map(bits).collect()
}

/// Max angle, in radians, and max distance of the joints of two clips at the keys of the first.
fn apart(a: &Character, b: &Character) -> (f64, f32) {
    let times = &a.clips[0].joints[0];
    let track = times.rotation.as_ref().or(times.translation.as_ref());
    let times = track.expect("the root moves").times().clone();
    assert_eq!(a.clips[0].duration_secs, b.clips[0].duration_secs);
    let (mut angle, mut distance) = (0.0_f64, 0.0_f32);
    let mut poses = [a, b].map(|character| LocalPose::identity(character.skeleton.len()));
    for time in times.iter().copied().map(f64::from) {
        for (pose, character) in poses.iter_mut().zip([a, b]) {
            sample(&character.clips[0], &character.skeleton, time, pose).unwrap();
        }
        for joint in 0..a.skeleton.len() {
            let [a, b] = [&poses[0], &poses[1]].map(|pose| pose.get(joint));
            let [q, r] = [a, b].map(|t| QuatF64::from_quat(t.rotation).normalized());
            angle = angle.max(q.expect("unit").angle_to(r.expect("unit")));
            distance = distance.max((a.translation - b.translation).length());
        }
    }
    (angle, distance)
}

#[test]
fn a_file_comes_back_with_the_same_bits_of_rest_and_the_same_motion() {
    let mut files = vec![
        ("plain".to_owned(), plain().into_bytes()),
        (
            "odd".to_owned(),
            plain_with("5 -0.5 0", "5.1234567 -0.5 -0")
                .replace(
                    "CHANNELS 3 Zrotation Xrotation Yrotation",
                    "CHANNELS 6 Yrotation Zrotation Xrotation Xposition Yposition Zposition",
                )
                .replace("-3 0 0 0 0 0 0", "-3 10 -170 300 1e-3 89.999 7 1 2 3")
                .replace("90 -0 0 90 0 0", "100 -190 400 0 90 -45 1.5 2 3")
                .into_bytes(),
        ),
        (
            "two roots".to_owned(),
            plain_with("}\nMOTION", "}\nROOT Ball\n{\nOFFSET 1 2 3\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION")
                .replace("0 0 0 0 0 0\n-1", "0 0 0 0 0 0 5 6 7\n-1")
                .replace("90 0 0\n", "90 0 0 7 8 9\n")
                .into_bytes(),
        ),
    ];
    for path in foreign_files("bvh", &["bvh"]) {
        let bytes = std::fs::read(&path).expect("it is there");
        files.push((path.display().to_string(), bytes));
    }
    for (name, bytes) in files {
        let first = read(&bytes).character;
        let export = written(&first, &REST);
        let again = read(&export.text);
        assert!(again.report.is_empty(), "{name}: {}", again.report);
        let again = again.character;
        assert_eq!(
            rest_bits(&again.skeleton),
            rest_bits(&first.skeleton),
            "{name}"
        );
        for joint in 0..first.skeleton.len() {
            assert_eq!(again.skeleton.parent(joint), first.skeleton.parent(joint));
        }
        let (angle, distance) = apart(&first, &again);
        println!(
            "{name}: {} joints, {} frames, {angle:.2e} rad, {distance:.2e} units apart",
            first.skeleton.len(),
            export.frames
        );
        assert!(angle < 1e-5, "{name}: {angle} rad");
        // Joints that only rounding moves may be off by a millionth of the size of the figure.
        assert!(distance < 1e-4, "{name}: {distance}");
    }
}

/// An arm of four joints, rotated and scaled at rest. The elbow rotates, slides and grows.
fn arm() -> Character {
    let rotated = |x: f32, angle: f32, scale: Vec3| Transform {
        translation: Vec3::new(x, 0.25, -0.5),
        rotation: Quat::from_rotation_z(angle) * Quat::from_rotation_x(0.4),
        scale,
    };
    let joints = vec![
        Joint::new("root", None, rotated(0.0, 0.3, Vec3::splat(2.0))),
        Joint::new("upper arm", Some(0), rotated(1.0, -0.8, Vec3::ONE)),
        Joint::new(
            "elbow",
            Some(1),
            rotated(1.5, 0.5, Vec3::new(1.0, 2.0, 0.5)),
        ),
        Joint::new("hand", Some(2), rotated(1.0, -0.25, Vec3::ONE)),
        Joint::new("finger", Some(3), rotated(0.25, 0.0, Vec3::ONE)),
    ];
    let (skeleton, _) = Skeleton::new(joints).expect("a skeleton");
    let mut character = Character::from_skeleton(skeleton);
    let times = |count: usize| -> Vec<f32> { (0..count).map(|k| k as f32 / 30.0).collect() };
    let rotation =
        |k: usize| Quat::from_rotation_y(0.1 * k as f32) * Quat::from_rotation_x(0.07 * k as f32);
    let rotations: Vec<Quat> = (0..31).map(rotation).collect();
    let slides: Vec<Vec3> = (0..31)
        .map(|k| Vec3::new(1.5, 0.01 * k as f32, -0.5))
        .collect();
    let sizes = [Vec3::ONE, Vec3::new(1.0, 2.0, 0.5)];
    let mut clip = Clip::new("wave");
    let elbow = clip.joint_mut(2);
    elbow.rotation = Track::rotations(times(31), &rotations, Interpolation::Slerp).ok();
    elbow.translation = Track::vectors(times(31), &slides, Interpolation::Linear).ok();
    elbow.scale = Track::vectors(vec![0.0, 1.0], &sizes, Interpolation::Linear).ok();
    clip.joint_mut(1).rotation = Track::rotations(times(31), &rotations, Interpolation::Slerp).ok();
    clip.fit_duration();
    character.clips.push(clip);
    character
}

#[test]
fn rotated_and_scaled_joints_are_where_they_were_in_every_frame() {
    let arm = arm();
    for offsets in [MovedOffsets::Zero, MovedOffsets::Rest] {
        let options = REST.offsets(offsets);
        let export = written(&arm, &options);
        assert_eq!(export.frames, 31);
        let again = read(&export.text).character;
        for frame in 0..export.frames {
            let time = f64::from((frame as f64 * export.frame_secs) as f32);
            let (wanted, found) = (positions(&arm, 0, time), positions(&again, 0, time));
            for (wanted, found) in wanted.iter().zip(&found) {
                assert!(wanted.distance(*found) < 1e-5, "{frame}: {wanted} {found}");
            }
        }
        // The root, the moving elbow, and the joints below the growing joint have six channels.
        let slides = ["ROOT root", "JOINT elbow", "JOINT hand", "JOINT finger"];
        for (at, _) in export.text.match_indices("CHANNELS 6") {
            let before = &export.text[..at];
            let name = before.lines().rev().nth(3).expect("a name").trim();
            assert!(slides.contains(&name), "{name}");
        }
        assert_eq!(export.text.matches("CHANNELS 6").count(), 4);
    }
    let again = read(&written(&arm, &REST).text).character;
    let (wanted, found) = (arm.skeleton.rest_model(), again.skeleton.rest_model());
    for joint in 0..arm.skeleton.len() {
        let [wanted, found] = [&wanted, &found].map(|m| m.get(joint).transform_point(Vec3::ZERO));
        assert!(wanted.distance(found) < 1e-5, "{wanted} {found}");
    }
}

#[test]
fn what_bvh_cannot_hold_is_reported() {
    let mut character = arm();
    character.clips[0].add_event(0.5, "clap");
    character.clips.push(Clip::new("other"));
    let export = written(&character, &BvhOptions::default());
    let mut found = codes(&export);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "EVENTS",
            "OFFSETS_ZERO",
            "OTHER_CLIPS",
            "RENAMED",
            "SCALE",
            "TURNED_AT_REST"
        ]
    );
    assert_eq!(export.report.count(Severity::Ignored), 3);
    assert!(export.text.contains("JOINT upper_arm\n"), "{}", export.text);
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let export = written(&person, &BvhOptions::default());
    let found = codes(&export);
    for code in ["NO_MESHES", "LIMITS"] {
        assert!(found.contains(&code), "{found:?}");
    }
    let plain = read(plain()).character;
    assert_eq!(codes(&written(&plain, &REST)), ["OFFSETS_KEPT"]);
}

#[test]
fn names_are_words_and_no_two_are_the_same() {
    let joint = |name: &str, parent| Joint::new(name, parent, Transform::from_translation(Vec3::X));
    let joints = vec![
        joint("a b", None),
        joint("a_b", Some(0)),
        joint("a_b", Some(1)),
        joint("", Some(2)),
        joint("x{y}", Some(3)),
        joint("rig:hand", Some(4)),
        joint("rig:hand_end", Some(5)),
    ];
    let (skeleton, _) = Skeleton::new(joints).expect("a skeleton");
    let export = written(&Character::from_skeleton(skeleton), &BvhOptions::default());
    let again = read(&export.text).character;
    let names: Vec<&str> = (0..7).map(|joint| again.skeleton.name(joint)).collect();
    let wanted = [
        "a_b",
        "a_b_2",
        "a_b_3",
        "joint_3",
        "x_y_",
        "rig:hand",
        "rig:hand_end",
    ];
    assert_eq!(names, wanted);
    assert_eq!(export.text.matches("End Site").count(), 1);
    assert!(codes(&export).contains(&"NAME_FOR_THREE"));
    assert_eq!(export.frames, 1);
}

#[test]
fn frames_are_as_far_apart_as_keys_or_as_asked() {
    let clip = |times: &[f32], interpolation| {
        let keys: Vec<Vec3> = times.iter().map(|t| Vec3::splat(*t)).collect();
        let mut clip = Clip::new("clip");
        let track = Track::vectors(times.to_vec(), &keys, interpolation);
        clip.joint_mut(0).translation = track.ok();
        clip.fit_duration();
        let root = Joint::new("root", None, Transform::IDENTITY);
        let (skeleton, _) = Skeleton::new(vec![root]).expect("a skeleton");
        let mut character = Character::from_skeleton(skeleton);
        character.clips.push(clip);
        character
    };
    let rate = |character: &Character, fps| {
        let export = written(character, &REST.fps(fps));
        let is_resampled = codes(&export).contains(&"RESAMPLED");
        (export.frames, export.frame_secs, is_resampled)
    };
    use Interpolation::{CatmullRom, Linear, Step};
    let cmu: Vec<f32> = (0..500)
        .map(|k| (f64::from(k) * 0.0083333) as f32)
        .collect();
    assert_eq!(rate(&clip(&cmu, Linear), None), (500, 0.0083333, false));
    let film: Vec<f32> = (1..=48).map(|k| k as f32 / 24.0).collect();
    let (frames, secs, resampled) = rate(&clip(&film, Linear), None);
    assert!((frames, resampled) == (49, false) && (secs * 24.0 - 1.0).abs() < 1e-6);
    assert_eq!(rate(&clip(&[0.0, 0.5, 1.5], Linear), None), (4, 0.5, false));
    let far = clip(&[0.0, 2.0, 4.0], Linear);
    assert_eq!(rate(&far, None), (241, 1.0 / 60.0, true));
    for character in [
        clip(&[0.0, 0.5, 1.5], CatmullRom),
        clip(&[0.0, 0.5, 1.5], Step),
        clip(&[0.0, 0.123, 1.0, 1.5], Linear),
    ] {
        assert_eq!(rate(&character, None), (91, 1.0 / 60.0, true));
    }
    // The last frame is at the end of the clip, or just after it.
    assert_eq!(rate(&clip(&[0.0, 1.0], Linear), Some(4.0)), (5, 0.25, true));
    assert_eq!(rate(&clip(&[0.0, 1.1], Linear), Some(4.0)), (6, 0.25, true));
    assert_eq!(rate(&clip(&[0.0], Linear), None), (1, 1.0 / 30.0, false));
    // Two keys with almost the same time do not cause a million frames.
    assert_eq!(rate(&clip(&[0.0, 1e-6, 10.0], Linear), None).0, 601);
}

#[test]
fn angles_go_on_where_they_can() {
    let root = Joint::new("root", None, Transform::IDENTITY);
    let (skeleton, _) = Skeleton::new(vec![root]).expect("a skeleton");
    let mut character = Character::from_skeleton(skeleton);
    let times: Vec<f32> = (0..200).map(|k| k as f32 / 30.0).collect();
    let rotation = |k: usize| {
        Quat::from_axis_angle(Vec3::new(0.1, 0.3, 0.9).normalize(), k as f32 * PI / 32.0)
    };
    let rotations: Vec<Quat> = (0..200).map(rotation).collect();
    let mut clip = Clip::new("spin");
    clip.joint_mut(0).rotation = Track::rotations(times, &rotations, Interpolation::Slerp).ok();
    clip.fit_duration();
    character.clips.push(clip);
    let export = written(&character, &BvhOptions::default());
    let (_, frames) = export.text.split_once("Frame Time").expect("frames");
    let rows: Vec<Vec<f64>> = frames
        .lines()
        .skip(1)
        .map(|line| {
            line.split(' ')
                .map(|n| n.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 200);
    for pair in rows.windows(2) {
        for (a, b) in pair[0].iter().zip(&pair[1]) {
            assert!((a - b).abs() < 20.0, "{pair:?}");
        }
    }
    assert!(rows.iter().flatten().any(|angle| *angle > 1000.0));
    // Gimbal lock: two angles have the same axis.
    character.clips[0].joint_mut(0).rotation = Track::rotations(
        vec![0.0, 1.0],
        &[Quat::from_rotation_x(FRAC_PI_2) * Quat::from_rotation_y(0.3); 2],
        Interpolation::Slerp,
    )
    .ok();
    character.clips[0].fit_duration();
    let again = read(&written(&character, &BvhOptions::default()).text).character;
    assert!(apart(&character, &again).0 < 1e-5);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let character = arm();
    let refused = |character: &Character, options: BvhOptions| {
        let error = export(character, &options).expect_err("it is wrong");
        error.to_string()
    };
    let clip = refused(&character, REST.clip(Some(1)));
    assert_eq!(clip, "there is no clip 1; the number of clips is 1");
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let reported = refused(&character, REST.fps(Some(fps)));
        assert!(reported.contains("is not a frame rate"), "{reported}");
    }
    let reported = refused(&character, REST.fps(Some(1e12)));
    assert!(reported.contains("too many for a BVH file"), "{reported}");
    let mut wrong = character.clone();
    wrong.clips[0].joints[0].joint = 99;
    assert!(refused(&wrong, REST).contains("99"));
}
