use crate::program::{self, TWO_JOINTS_BVH, demo_files, good, json, refused, run};
use serde_json::Value;

fn clips(file: &str) -> Vec<Value> {
    let info = json(&good(demo_files(), &["info", "--json", file]));
    info["clips"].as_array().expect("clips").clone()
}

fn pose(file: &str, clip: &str, time: f64) -> Value {
    let time = time.to_string();
    let arguments = ["sample", file, "--clip", clip, "--time", &time];
    json(&good(demo_files(), &arguments))["samples"].clone()
}

#[test]
fn a_clip_is_cut_named_marked_and_kept_beside_the_others() {
    let edit = [
        "clip",
        "mannequin.glb",
        "--clip",
        "walk",
        "--trim",
        "0.2..0.8",
        "--rename",
        "step",
        "--event",
        "0.3=grasp",
        "-o",
        "step.glb",
    ];
    good(demo_files(), &edit);
    let (before, after) = (clips("mannequin.glb"), clips("step.glb"));
    assert_eq!(before.len(), after.len());
    let step = after
        .iter()
        .find(|clip| clip["name"] == "step")
        .expect("it");
    let secs = step["duration_secs"].as_f64().expect("a time");
    assert!((secs - 0.6).abs() < 1e-6, "{secs}");
    assert!(after.iter().all(|clip| clip["name"] != "walk"));
    let events = good(
        demo_files(),
        &["sample", "step.glb", "--clip", "step", "--events"],
    );
    assert!(events.contains("grasp"), "{events}");
    let only = [
        "clip",
        "mannequin.glb",
        "--clip",
        "walk",
        "--only",
        "-o",
        "only.glb",
    ];
    good(demo_files(), &only);
    assert_eq!(clips("only.glb").len(), 1);
}

#[test]
fn cut_in_two_and_joined_a_clip_moves_as_before() {
    let walk = clips("mannequin.glb");
    let walk = walk
        .iter()
        .find(|clip| clip["name"] == "walk")
        .expect("walk");
    let end = walk["duration_secs"].as_f64().expect("a time");
    let part = |trim: &str, file: &str| {
        let edit = [
            "clip",
            "mannequin.glb",
            "--clip",
            "walk",
            "--only",
            "--trim",
            trim,
            "-o",
            file,
        ];
        good(demo_files(), &edit);
    };
    part("..0.5", "first.glb");
    part("0.5..", "second.glb");
    let join = [
        "clip",
        "first.glb",
        "second.glb",
        "--join",
        "--rename",
        "whole",
        "-o",
        "whole.glb",
    ];
    good(demo_files(), &join);
    assert_eq!(clips("whole.glb").len(), 1);
    for time in [0.0, 0.31, 0.5, 0.77 * end, end] {
        let [a, b] = [
            pose("mannequin.glb", "walk", time),
            pose("whole.glb", "whole", time),
        ];
        let numbers = |value: &Value| -> Vec<f64> {
            let text = value.to_string();
            let parts = text.split(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c)));
            parts.filter_map(|part| part.parse().ok()).collect()
        };
        let (a, b) = (numbers(&a), numbers(&b));
        assert_eq!(a.len(), b.len());
        let worst = a
            .iter()
            .zip(&b)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        assert!(worst < 1e-4, "{worst} at {time} s");
    }
}

#[test]
fn mirrored_reversed_looped_and_sampled_anew() {
    let edit = [
        "clip",
        "mannequin.glb",
        "--clip",
        "wave",
        "--mirror",
        "--reverse",
        "--loop",
        "--fps",
        "30",
        "-o",
        "other.glb",
    ];
    good(demo_files(), &edit);
    let hand = |file: &str, joint: &str, time: &str| -> Vec<f64> {
        let arguments = [
            "sample", file, "--clip", "wave", "--time", time, "--joints", joint,
        ];
        let sampled = json(&good(demo_files(), &arguments));
        let position = sampled["samples"][0]["worldPosition"][0].clone();
        let position = position.as_array().expect("a position").iter();
        position.map(|n| n.as_f64().expect("a number")).collect()
    };
    let before = hand("mannequin.glb", "right_hand", "0");
    let after = hand("other.glb", "left_hand", "99");
    // It ends where it began, mirrored.
    for (axis, sign) in [(0, -1.0), (1, 1.0), (2, 1.0)] {
        assert!(
            (sign * before[axis] - after[axis]).abs() < 0.02,
            "{before:?} {after:?}"
        );
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = demo_files();
    let edit = |more: &[&str]| -> Vec<String> {
        let whole = ["clip", "mannequin.glb", "-o", "no.glb"].iter().chain(more);
        whole.map(|word| (*word).to_owned()).collect()
    };
    for (more, words) in [
        (
            &["--clip", "walk", "--trim", "0.5..99"][..],
            &["cannot be cut", "walk"][..],
        ),
        (&["--rename", "one"], &["one clip", "--clip"]),
        (&["--clip", "wolk"], &["wolk", "walk"]),
        (&["--clip", "walk", "--rename", "run"], &["run", "already"]),
        (
            &["--clip", "walk", "--event", "50=late"],
            &["late", "after the end"],
        ),
    ] {
        let arguments = edit(more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refused(folder, &arguments, words);
    }
    assert!(!folder.join("no.glb").exists());
    for wrong in [
        ["--trim", "half"],
        ["--event", "grasp"],
        ["--event", "-1=x"],
        ["--trim", "x..2"],
        ["--fps", "0"],
        ["--fps", "1e-40"],
    ] {
        let arguments = edit(&wrong);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(run(folder, &arguments).status.code(), Some(2), "{wrong:?}");
    }
    program::write(folder, "other.bvh", TWO_JOINTS_BVH);
    refused(
        folder,
        &[
            "clip",
            "mannequin.glb",
            "--take",
            "other.bvh",
            "-o",
            "no.glb",
        ],
        &["no joint", "retarget"],
    );
}

#[test]
fn the_report_is_json_too() {
    let edit = [
        "clip",
        "mannequin.glb",
        "--clip",
        "walk",
        "--trim",
        "0.2..0.8",
        "--event",
        "0.3=grasp",
        "--json",
        "-o",
        "json.glb",
    ];
    let report = json(&good(demo_files(), &edit));
    let clip = &report["clips"][0];
    assert_eq!(clip["name"], "walk");
    assert!((clip["durationSecs"].as_f64().expect("a number") - 0.6).abs() < 1e-6);
    let written = clips("json.glb");
    let written = written.iter().find(|c| c["name"] == "walk").expect("there");
    for what in ["keys", "events", "curves"] {
        assert_eq!(clip[what], written[what], "{what}");
    }
    let both = ["clip", "mannequin.glb", "--json", "-o", "-"];
    assert_eq!(run(demo_files(), &both).status.code(), Some(2));
}

fn said(arguments: &[&str]) -> String {
    let output = run(demo_files(), arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn positions(file: &str, clip: &str, time: &str, joints: &str) -> Vec<[f64; 3]> {
    let sampled = [
        "sample", file, "--clip", clip, "--time", time, "--joints", joints,
    ];
    let sampled = json(&good(demo_files(), &sampled));
    let positions = sampled["samples"][0]["worldPosition"].as_array();
    let number = |position: &Value, axis: usize| position[axis].as_f64().expect("a number");
    let positions = positions.expect("positions").iter();
    positions
        .map(|position| [0, 1, 2].map(|axis| number(position, axis)))
        .collect()
}

#[test]
fn events_and_curves_change_sides_with_the_joints() {
    let edit = [
        "clip",
        "mannequin.glb",
        "--clip",
        "walk",
        "--mirror",
        "-o",
        "mirrored_walk.glb",
    ];
    let said = said(&edit);
    assert!(said.contains("footstep_left -> footstep_right"), "{said}");
    let events = |file: &str| {
        let listed = good(
            demo_files(),
            &["sample", file, "--clip", "walk", "--events"],
        );
        json(&listed)["events"].clone()
    };
    let (before, after) = (events("mannequin.glb"), events("mirrored_walk.glb"));
    assert_eq!(before[0]["name"], "footstep_left");
    assert_eq!(after[0]["name"], "footstep_right");
    assert_eq!(before[0]["time"], after[0]["time"]);
}

#[test]
fn sides_are_found_by_what_joints_are_for_where_names_do_not_tell() {
    let folder = demo_files();
    // The arms are numbered in opposite directions.
    let mut names = Vec::new();
    let mut rename = |joint: &str, name: &str| names.push((joint.to_owned(), name.to_owned()));
    rename("left_upper_arm", "arm_joint_L__4_");
    rename("left_lower_arm", "arm_joint_L__3_");
    rename("left_hand", "arm_joint_L__2_");
    rename("right_upper_arm", "arm_joint_R");
    rename("right_lower_arm", "arm_joint_R__2_");
    rename("right_hand", "arm_joint_R__3_");
    let mut person = sinew_samples::humanoid_character();
    let mut joints = person.skeleton.joints();
    for joint in &mut joints {
        if let Some((_, name)) = names.iter().find(|(old, _)| *old == joint.name) {
            joint.name.clone_from(name);
        }
    }
    person.skeleton = sinew::Skeleton::new(joints).expect("a skeleton").0;
    for node in &mut person.nodes {
        if let Some((_, name)) = names.iter().find(|(old, _)| *old == node.name) {
            node.name.clone_from(name);
        }
    }
    sinew_io::save(folder.join("numbered.glb"), &person).expect("a file");
    let edit = ["clip", "numbered.glb", "--mirror", "-o", "numbered2.glb"];
    good(folder, &edit);
    let before = positions("numbered.glb", "0", "0.3", "arm_joint_L__3_");
    let after = positions("numbered2.glb", "0", "0.3", "arm_joint_R__2_");
    for (axis, sign) in [(0, -1.0), (1, 1.0), (2, 1.0)] {
        let (before, after) = (before[0][axis], after[0][axis]);
        assert!((sign * before - after).abs() < 1e-3, "{before} {after}");
    }
}

#[test]
fn clips_of_another_unit_are_taken_in_ours() {
    let folder = demo_files();
    let large = [
        "convert",
        "mannequin.glb",
        "--scale",
        "100",
        "-o",
        "large.glb",
    ];
    good(folder, &large);
    let take = [
        "clip",
        "mannequin.glb",
        "large.glb",
        "--clip",
        "walk,walk 2",
        "--only",
        "-o",
        "taken.glb",
    ];
    let said = said(&take);
    assert!(said.contains("100.0000 times as long"), "{said}");
    let own = positions("taken.glb", "walk", "0.4", "hips,left_foot");
    let taken = positions("taken.glb", "walk 2", "0.4", "hips,left_foot");
    let numbers = own.as_flattened().iter().zip(taken.as_flattened());
    for (own, taken) in numbers {
        assert!((own - taken).abs() < 1e-4, "{own} {taken}");
    }
}

#[test]
fn an_event_may_be_at_the_rounded_end_of_a_part() {
    let edit = [
        "clip",
        "mannequin.glb",
        "--clip",
        "walk",
        "--trim",
        "0.2..0.5",
        "--event",
        "0.3=x",
        "-o",
        "part.glb",
    ];
    good(demo_files(), &edit);
}

#[test]
fn an_edit_of_nothing_is_refused_with_the_way_out() {
    let folder = demo_files();
    for more in [&[][..], &["--only"], &["--clip", "walk"]] {
        let command = ["clip", "mannequin.glb", "-o", "unchanged.glb"];
        let output = run(folder, &[&command[..], more].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {said}");
        for words in ["nothing to do", "--trim", "`sinew convert`"] {
            assert!(said.contains(words), "{more:?}: {said}");
        }
        assert!(!folder.join("unchanged.glb").exists());
    }
}

#[test]
fn curves_are_made_from_keys_and_joints() {
    let folder = program::folder("curves");
    let out = folder.join("out.glb");
    let clip = |rest: &[&str]| {
        let words = ["clip", "--figure", "robot-arm", "-o", "out.glb"];
        run(&folder, &[&words[..], rest].concat())
    };
    let good = |rest: &[&str]| {
        let output = clip(rest);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{rest:?}: {said}");
        sinew_io::import(&out).expect("a file").character.clips[0].clone()
    };
    let made = good(&[
        "--curve",
        "fade=0:0,0.5:1",
        "--curve",
        "eye=1:1/2/3",
        "--curve",
        "bend=elbow.angle",
    ]);
    let value = |name: &str, at: f64, width: usize| {
        let curve = made
            .curves
            .iter()
            .find(|curve| curve.name == name)
            .expect(name);
        let mut out = vec![0.0; width];
        curve.track.sample(at, &mut out).expect("as wide");
        out
    };
    assert_eq!(value("fade", 0.25, 1), [0.5]);
    assert_eq!(value("eye", 0.0, 3), [1.0, 2.0, 3.0]);
    // The elbow is at 40 degrees at first, and at 66 after a second.
    for (at, degrees) in [(0.0, 40.0), (1.0, 66.0)] {
        let angle = value("bend", at, 1)[0];
        assert!((angle - degrees).abs() < 0.1, "{at}: {angle}");
    }
    for (curve, code, said) in [
        ("fade", 2, "a curve is NAME="),
        ("fade=0:0,0.5", 2, "a curve is NAME="),
        ("fade=0:0,0.5:1/2", 2, "a curve is NAME="),
        ("fade=0.5:0,0:1", 1, "--curve fade"),
        ("fade=0:0,99:1", 1, "after the end"),
        ("bend=elbwo.angle", 1, "did you mean elbow"),
        ("lift=elbow.translation.y", 1, "no keys of that channel"),
    ] {
        let output = clip(&["--curve", curve]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{curve}: {text}");
        assert!(text.contains(said), "{curve}: {text}");
    }
}
