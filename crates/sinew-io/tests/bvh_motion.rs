//! BVH motion: channels, frames and the resulting joint positions.

use crate::foreign::{foreign, foreign_files};
use crate::plain_bvh;

use glam::{DMat3, DVec3, Vec3};
use plain_bvh::{HIERARCHY, MOTION, assert_near, findings, plain, plain_with, position, read};
use serde_json::Value;
use sinew::skeleton::limits::RotationLimit;
use sinew::{Interpolation, Method, deform};
use sinew_io::bvh::import;
use std::sync::Arc;

#[test]
fn a_plain_file_is_a_skeleton_and_a_clip() {
    let import = read(plain());
    assert!(import.report.is_empty(), "{}", import.report);
    let character = &import.character;
    character.check().expect("it fits together");
    let names: Vec<_> = character.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Arm", "Arm_end"]);
    let parents: Vec<_> = character.nodes.iter().map(|n| n.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1)]);
    let clip = &character.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("motion", 0.5));
    let rest = character.skeleton.rest_model();
    assert_near(rest.get(2).transform_point(Vec3::ZERO), [8.0, 9.5, 0.0]);
    assert_near(position(&import, 0, 0), [-1.0, 2.5, -3.0]);
    assert_near(position(&import, 1, 0), [4.0, 2.0, -3.0]);
    assert_near(position(&import, 1, 1), [-0.5, 7.5, -3.0]);
    assert_near(position(&import, 2, 1), [-3.5, 7.5, -3.0]);
}

#[test]
fn a_frame_time_that_makes_no_sense_is_a_thirtieth() {
    for written in [
        "Frame Time: 0",
        "Frame Time: -0.5",
        "Frame Time: nan",
        "Frame Time: 1e-60",
        "Frame Time: 1e39",
        "Frame Time: 1/0",
        "Frame Time:",
        "",
    ] {
        let found = read(plain_with("Frame Time: 0.5", written));
        assert_eq!(findings(&found).len(), 1, "{written}: {}", found.report);
        assert!(findings(&found)[0].ends_with("FRAME_TIME"), "{written}");
        let duration = found.character.clips[0].duration_secs;
        assert_eq!(duration, (1.0_f64 / 30.0) as f32, "{written}");
    }
    let long = read(plain_with("0.5\n-1", "30\n-1"));
    assert_eq!(findings(&long), ["note 18 FRAME_TIME"]);
    assert_eq!(long.character.clips[0].duration_secs, 30.0);
    let still = plain_with("Frames: 2\nFrame Time: 0.5", "Frames: 1\nFrame Time: 0");
    let still = read(still.trim_end().rsplit_once('\n').expect("lines").0);
    assert!(still.report.is_empty(), "{}", still.report);
    assert_eq!(still.character.clips[0].duration_secs, 0.0);
}

/// Rotation matrix about a coordinate axis, independent of the importer.
fn rotation_about(axis: char, degrees: f64) -> DMat3 {
    let (s, c) = degrees.to_radians().sin_cos();
    let rows = match axis {
        'X' => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        'Y' => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    };
    DMat3::from_cols_array_2d(&rows).transpose()
}

#[test]
fn any_channels_in_any_order() {
    let kinds = [
        "Xposition",
        "Yposition",
        "Zposition",
        "Xrotation",
        "Yrotation",
        "Zrotation",
    ];
    let numbers = [31.7, -112.25, 76.125, 200.5];
    let mut lists = vec![vec![]];
    for length in 0..4 {
        let longer = lists
            .iter()
            .filter(|list: &&Vec<usize>| list.len() == length);
        let longer = longer.flat_map(|list| (0..6).map(|kind| [list.as_slice(), &[kind]].concat()));
        lists.extend(longer.collect::<Vec<_>>());
    }
    assert_eq!(lists.len(), 1 + 6 + 36 + 216 + 1296);
    for list in lists {
        let mut translation = DVec3::new(1.0, 2.0, 3.0);
        let mut rotation = DMat3::IDENTITY;
        for (kind, number) in list.iter().zip(numbers) {
            match *kind {
                0..3 => translation[*kind] = number,
                _ => {
                    rotation *=
                        rotation_about(kinds[*kind].chars().next().expect("letters"), number);
                }
            }
        }
        let names: Vec<_> = list.iter().map(|kind| kinds[*kind]).collect();
        let row: Vec<_> = numbers[..list.len()].iter().map(f64::to_string).collect();
        let found = read(format!(
            "HIERARCHY ROOT a {{ OFFSET 1 2 3 CHANNELS {} {} End Site {{ OFFSET 4 5 6 }} }}
            ROOT b {{ OFFSET 0 0 0 CHANNELS 1 Zrotation }}
            MOTION Frames: 1 Frame Time: 0.5\n{} 0",
            list.len(),
            names.join(" "),
            row.join(" "),
        ));
        let wanted = translation + rotation * DVec3::new(4.0, 5.0, 6.0);
        let off = (position(&found, 1, 0).as_dvec3() - wanted).length();
        assert!(off < 1e-6 * (1.0 + wanted.length()), "{names:?}: {off}");
    }
}

#[test]
fn position_channels_replace_the_offset_along_their_axes() {
    let partly = plain_with("6 Xposition Yposition Zposition", "4 Yposition");
    let partly = partly.replace("-1 2.5 -3", "2.5");
    let found = read(partly.replace("OFFSET 0 10 0", "OFFSET 7 10 8"));
    assert_near(position(&found, 0, 0), [7.0, 2.5, 8.0]);
    let inner = plain_with("CHANNELS 3 Z", "CHANNELS 4 Xposition Z");
    let found = read(
        inner
            .replace("0 0 0\n", "20 0 0 0\n")
            .replace("90 0 0\n", "20 90 0 0\n"),
    );
    assert_near(position(&found, 1, 0), [19.0, 2.0, -3.0]);
}

#[test]
fn scale_channels_scale_and_unknown_ones_are_skipped() {
    let scaled = plain_with(
        "CHANNELS 3 Zrotation Xrotation Yrotation",
        "CHANNELS 3 Xscale Yscale Zscale",
    );
    let found = read(
        scaled
            .replace("0 0 0\n", "2 1 1\n")
            .replace("90 0 0\n", "0.5 1 1\n"),
    );
    assert_near(position(&found, 2, 0), [10.0, 2.0, -3.0]);
    let unknown = plain_with(
        "CHANNELS 3 Zrotation Xrotation Yrotation",
        "CHANNELS 3 Zrotation Wobble Yrotation",
    );
    let found = read(unknown);
    assert_eq!(findings(&found), ["ignored 9 UNKNOWN_CHANNEL"]);
    assert_near(position(&found, 2, 1), [-3.5, 7.5, -3.0]);
    let twice = read(plain_with("Xposition Yposition", "Yposition Yposition"));
    assert_eq!(findings(&twice), ["repaired 2 SECOND_CHANNEL"]);
    assert_near(position(&twice, 0, 0), [0.0, 2.5, -3.0]);
}

#[test]
fn several_roots_stand_side_by_side() {
    let second = HIERARCHY
        .replace("HIERARCHY\n", "")
        .replace("Hips", "Tail")
        .replace("Arm", "Tip");
    let motion = MOTION.replace(" 0 0 0\n", " 0 0 0 9 8 7 0 0 0 0 0 0\n");
    let motion = motion.replace(" 90 0 0\n", " 90 0 0 9 8 7 0 0 90 0 0 0\n");
    let found = read(format!("{HIERARCHY}{second}{motion}"));
    assert!(found.report.is_empty(), "{}", found.report);
    let character = &found.character;
    assert_eq!(character.nodes.len(), 6, "the root above both is no node");
    assert_eq!(character.skeleton.len(), 7);
    assert_eq!(character.nodes[3].parent, None);
    assert_near(position(&found, 2, 1), [-3.5, 7.5, -3.0]);
    assert_near(position(&found, 3, 1), [9.0, 8.0, 7.0]);
    assert_near(position(&found, 4, 1), [9.0, 7.5, 2.0]);
    let rest = character.skeleton.rest_model();
    assert_near(rest.get(6).transform_point(Vec3::ZERO), [8.0, 9.5, 0.0]);
}

#[test]
fn zero_length_bones_leaves_without_ends_and_joints_without_channels() {
    let found = read(plain_with("OFFSET 3 0 0", "OFFSET 0 0 0").replace("5 -0.5 0", "0 0 0"));
    assert!(found.report.is_empty(), "{}", found.report);
    assert_near(position(&found, 2, 1), [-1.0, 2.5, -3.0]);
    let leaf = plain_with("    End Site\n    {\n      OFFSET 3 0 0\n    }\n", "");
    assert_eq!(read(leaf).character.nodes.len(), 2);
    let still = plain_with("    CHANNELS 3 Zrotation Xrotation Yrotation\n", "");
    let still = read(still.replace(" 0 0 0\n", "\n").replace(" 90 0 0\n", "\n"));
    assert!(still.report.is_empty(), "{}", still.report);
    assert_near(position(&still, 2, 1), [-0.5, 10.5, -3.0]);
    let nowhere = read(plain_with("    OFFSET 5 -0.5 0\n", ""));
    assert_eq!(findings(&nowhere), ["repaired 6 MISSING_OFFSET"]);
    assert_near(position(&nowhere, 1, 1), [-1.0, 2.5, -3.0]);
}

#[test]
fn a_skeleton_without_frames_has_no_clip() {
    for (text, wanted) in [
        (HIERARCHY.to_owned(), vec!["note 16 MISSING_MOTION"]),
        (
            format!("{HIERARCHY}MOTION\nFrames: 0\nFrame Time: 0.5"),
            vec!["note 16 NO_FRAMES"],
        ),
        (
            format!("{HIERARCHY}MOTION"),
            vec!["repaired 16 FRAME_COUNT", "note 16 NO_FRAMES"],
        ),
        (
            plain_with("Frames: 2", "Frames: 0"),
            vec!["ignored 19 FRAME_COUNT", "note 16 NO_FRAMES"],
        ),
        (
            "HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 1\n\n".to_owned(),
            vec!["repaired 3 FRAME_COUNT", "note 1 NO_FRAMES"],
        ),
    ] {
        let found = read(&text);
        assert_eq!(findings(&found), wanted, "{text}");
        assert!(found.character.clips.is_empty());
    }
}

#[test]
fn numbers_that_are_none_hold_the_frame_before() {
    for none in [
        "nan",
        "NaN",
        "-nan",
        "-nan(ind)",
        "inf",
        "-Infinity",
        "1.#IND",
        "-1.#QNAN0",
        "1#INF",
        "1e999",
    ] {
        let row = MOTION.lines().last().expect("a frame");
        let text = format!(
            "{}{}\n",
            plain_with("Frames: 2", "Frames: 3"),
            row.replacen("90", none, 1)
        );
        let found = read(text);
        assert_eq!(findings(&found), ["repaired 21 NOT_FINITE"], "{none}");
        assert_near(position(&found, 2, 2), [-3.5, 7.5, -3.0]);
        let first = read(plain_with("-1 2.5 -3 0 0", &format!("-1 {none} -3 0 0")));
        assert_eq!(findings(&first), ["repaired 19 NOT_FINITE"], "{none}");
        assert_near(position(&first, 0, 0), [-1.0, 10.0, -3.0]);
    }
    // A valid angle beyond the range of `f32`.
    let large = read(plain_with("-1 2.5 -3 90", "-1 1e39 -3 90"));
    assert_eq!(findings(&large), ["repaired 20 NOT_FINITE"]);
    let rotated = read(plain_with("-1 2.5 -3 90", "-1 2.5 -3 3.6e15"));
    assert!(rotated.report.is_empty());
    assert_near(position(&rotated, 1, 1), [4.0, 2.0, -3.0]);
}

#[test]
fn what_a_joint_can_do_is_what_it_has_channels_for() {
    let found = read(
        "HIERARCHY
        ROOT a { OFFSET 0 0 0 CHANNELS 4 Xposition Zposition Yrotation Yrotation
        JOINT b { OFFSET 0 0 0 CHANNELS 2 Zrotation Xrotation
        JOINT c { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Zrotation
        JOINT d { OFFSET 0 0 0 } } } } MOTION Frames: 1 Frame Time: 1
        0 0 0 0 0 0 0 0 0",
    );
    let skeleton = &found.character.skeleton;
    let counts: Vec<_> = (0..4)
        .map(|joint| skeleton.freedom(joint).count())
        .collect();
    assert_eq!(counts, [3, 2, 3, 0]);
    assert_eq!(skeleton.freedom(0).slides, [true, false, true]);
    assert!(
        matches!(skeleton.freedom(0).rotation, RotationLimit::Hinge { axis, .. } if axis == Vec3::Y)
    );
    assert!(matches!(skeleton.freedom(2).rotation, RotationLimit::Free));
}

/// A joint that rotates on and on. Its angles jump at 180°.
#[test]
fn rotations_are_unit_keys_without_a_change_of_sign_at_one_set_of_times() {
    let frames = 500;
    let rows: Vec<String> = (0..frames)
        .map(|frame| {
            let angle = 7.3 * frame as f64;
            let wrapped = (angle + 180.0).rem_euclid(360.0) - 180.0;
            format!("0 0 0 {wrapped} {} 0 {angle} 0 0", 40.0 - angle)
        })
        .collect();
    let motion = format!(
        "MOTION\nFrames: {frames}\nFrame Time: 0.0083333\n{}\n",
        rows.join("\n")
    );
    let found = read(format!("{HIERARCHY}{motion}"));
    let clip = &found.character.clips[0];
    let times = clip.joints[0]
        .translation
        .as_ref()
        .expect("a track")
        .times();
    for (frame, time) in times.iter().enumerate() {
        assert_eq!(*time, (frame as f64 * 0.0083333) as f32);
    }
    assert_eq!(clip.tracks().count(), 3);
    assert!(clip.tracks().all(|track| Arc::ptr_eq(track.times(), times)));
    for joint in &clip.joints {
        let track = joint.rotation.as_ref().expect("a track");
        assert_eq!(track.interpolation(), Interpolation::Slerp);
        let key = |k: usize| {
            <[f32; 4]>::try_from(track.key(k))
                .expect("four numbers")
                .map(f64::from)
        };
        assert!(key(0)[3] >= 0.0, "on the side of the rest pose");
        for k in 0..frames {
            let dot = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            assert!((dot(key(k), key(k)) - 1.0).abs() < 2e-7);
            assert!(k == 0 || dot(key(k - 1), key(k)) > 0.9, "key {k}");
        }
    }
}

/// Compares real files with an independent implementation. `conformance` compares other folders.
#[test]
fn joints_of_captured_files_are_where_they_should_be() {
    let Some(root) = foreign("") else { return };
    let mut compared = 0;
    for path in foreign_files("reference/bvh", &["json"]) {
        let text = std::fs::read_to_string(&path).expect("references can be read");
        let reference: Value = serde_json::from_str(&text).expect("references are JSON");
        let file = root.join(reference["file"].as_str().expect("a file"));
        let found = import(&file).expect("it is read");
        assert!(found.report.is_empty(), "{}", found.report);
        let vector = |v: &Value| {
            let number = |i: usize| v[i].as_f64().expect("a number");
            DVec3::new(number(0), number(1), number(2))
        };
        let list = |v: &Value| v.as_array().expect("a list").clone();
        let first: Vec<_> = list(&reference["samples"][0]["worldPosition"])
            .iter()
            .map(vector)
            .collect();
        let low = first.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = first.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let height = (high - low).max_element();
        for sample in list(&reference["samples"]) {
            let frame = sample["frame"].as_f64().expect("a number");
            let time = frame * reference["frameTime"].as_f64().expect("a number");
            let moved = deform(&found.character, Some(0), time, Method::Linear).expect("it moves");
            let wanted = list(&sample["worldPosition"]);
            assert_eq!(wanted.len(), moved.node_worlds.len());
            for (wanted, world) in wanted.iter().zip(&moved.node_worlds) {
                let found = world.transform_point(Vec3::ZERO).as_dvec3();
                let off = found.distance(vector(wanted)) / height;
                assert!(
                    off < 2e-6,
                    "{}: off by {off} at frame {frame}",
                    path.display()
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 40);
}
