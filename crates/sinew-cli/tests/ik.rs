use crate::program;

use glam::{Quat, Vec3};
use program::demo::{Folder, good, json, numbers, run, text};
use serde_json::Value;

const ARM: &str = "left_upper_arm..left_hand";

#[test]
fn a_hand_reaches_by_every_method_and_the_file_shows_it() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    for method in ["dls", "ccd", "fabrik", "two-bone"] {
        let out = folder.at(&format!("{method}.glb"));
        let arguments = [
            "ik",
            &person,
            "--chain",
            ARM,
            "--goal",
            "0.35,1.45,0.3",
            "--method",
            method,
            "--tolerance",
            "0.001",
            "-o",
            &out,
            "--json",
        ];
        let output = run(&arguments);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        // The elbow has no third axis, and the closed form does not make up for that.
        assert_eq!(
            report["reached"],
            method != "two-bone",
            "{method}: {report}"
        );
        assert_eq!(report["goals"][0]["missed"], false, "{method}: {report}");
        let end: Vec<f64> = report["goals"][0]["end"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect();
        for (got, wanted) in end.iter().zip([0.35, 1.45, 0.3]) {
            assert!((got - wanted).abs() < 1e-3, "{method}: {end:?}");
        }
        let sampled = run(&["sample", &out, "--clip", "ik", "--joints", "left_lower_arm"]);
        let sampled: Value = serde_json::from_slice(&sampled.stdout).unwrap();
        let keyed = &sampled["samples"][0]["rotation"][0];
        let joints = report["joints"].as_array().unwrap();
        let solved = joints
            .iter()
            .find(|j| j["name"] == "left_lower_arm")
            .unwrap();
        for i in 0..4 {
            let off = keyed[i].as_f64().unwrap() - solved["rotation"][i].as_f64().unwrap();
            assert!(off.abs() < 1e-6, "{method}: {keyed} {solved}");
        }
    }
}

#[test]
fn a_goal_out_of_reach_is_said_and_mistakes_name_the_joint() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let far = run(&["ik", &person, "--chain", ARM, "--goal", "5,1,0"]);
    let said = String::from_utf8(far.stdout).unwrap();
    assert_eq!(far.status.code(), Some(1));
    assert!(said.contains("left_hand: missed, error 4."), "{said}");
    let let_be = run(&[
        "ik",
        &person,
        "--chain",
        ARM,
        "--goal",
        "5,1,0",
        "--allow-miss",
    ]);
    assert!(let_be.status.success());
    let cases: [(&[&str], i32, &str); 10] = [
        (
            &["--chain", "left_lower_arm..hips", "--goal", "0,0,0"],
            1,
            "\"hips\" is not a descendant of \"left_lower_arm\"",
        ),
        (
            &["--chain", "elbow..hand", "--goal", "0,0,0"],
            1,
            "there is no joint \"elbow\"",
        ),
        (
            &["--chain", "arm", "--goal", "0,0,0"],
            2,
            "two names of joints",
        ),
        (&["--chain", ARM, "--goal", "0,nan,0"], 2, "three numbers"),
        (
            &["--chain", ARM, "--goal", "0,0,0", "--goal", "1,1,1"],
            2,
            "one --goal for each --chain",
        ),
        (
            &[
                "--chain", ARM, "--goal", "0,0,0", "--pole", "1,1,1", "--method", "ccd",
            ],
            2,
            "--pole needs --method two-bone or dls",
        ),
        (
            &["--chain", ARM, "--pin", "left_hand"],
            2,
            "there is no goal",
        ),
        (
            &[
                "--chain",
                ARM,
                "--orient",
                "left_hand=0,0,0",
                "--method",
                "ccd",
            ],
            2,
            "need --method dls",
        ),
        (
            &["--chain", ARM, "--orient", "hand=0,0,0"],
            1,
            "there is no joint \"hand\"",
        ),
        (&["--chain", ARM, "--goal", "0,0,0", "--keys"], 2, "--clip"),
    ];
    for (arguments, code, message) in cases {
        let output = run(&[&["ik", &person], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

fn solved(arguments: &[&str]) -> Value {
    let output = run(&[&["ik"], arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    json(&text(&output.stdout))
}

fn position(value: &Value) -> Vec3 {
    let numbers = numbers(value);
    Vec3::new(numbers[0] as f32, numbers[1] as f32, numbers[2] as f32)
}

fn turn(value: &Value) -> Quat {
    let q = numbers(value);
    Quat::from_xyzw(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32)
}

fn goal<'a>(report: &'a Value, joint: &str, kind: &str) -> &'a Value {
    let goals = report["goals"].as_array().expect("a list");
    let is_it = |goal: &&Value| goal["joint"] == joint && goal["kind"] == kind;
    goals.iter().find(is_it).expect("it is reported")
}

/// Position of a joint at a time of a clip, and its rotation relative to the parent.
fn sampled(file: &str, clip: &str, time: f64, joint: &str) -> (Vec3, Quat) {
    let time = time.to_string();
    let sample = [
        "sample", file, "--clip", clip, "--time", &time, "--joints", joint,
    ];
    let sample = json(&good(&sample));
    let sample = &sample["samples"][0];
    (
        position(&sample["worldPosition"][0]),
        turn(&sample["rotation"][0]),
    )
}

#[test]
fn a_hand_comes_to_a_pose_and_the_elbow_to_its_pole() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let out = folder.at("pose.glb");
    let at = "0.3,1.3,0.35";
    let arm = ["--chain", ARM, "--goal", at];
    for pole in ["1,0.8,-1", "0.6,0.6,0.2"] {
        // The free rotation of the hand, and from there a sixth of a radian about y.
        let free = ["--method", "two-bone", "--pole", pole, "-o", &out];
        solved(&[&[person.as_str()], &arm[..], &free].concat());
        let pinned = ["--clip", "ik", "--pin", "left_hand"];
        let pinned = solved(&[&[out.as_str()], &arm[..], &pinned].concat());
        let now = turn(&goal(&pinned, "left_hand", "orientation")["goal"]);
        let wanted = Quat::from_rotation_y(1.0 / 6.0) * now;
        let q = wanted.to_array().map(|x| x.to_string()).join(",");
        let orient = format!("left_hand={q}");
        let pose = ["--orient", &orient, "--pole", pole, "-o", &out];
        let report = solved(&[&[person.as_str()], &arm[..], &pose].concat());
        assert_eq!(report["reached"], true, "{report}");
        let there = goal(&report, "left_hand", "position");
        assert!(position(&there["end"]).distance(Vec3::new(0.3, 1.3, 0.35)) < 1e-3);
        let turned = goal(&report, "left_hand", "orientation");
        assert!(
            turn(&turned["end"]).angle_between(wanted) < 2e-3,
            "{turned}"
        );
        // In the file, the elbow is on the pole's side of the line from shoulder to hand.
        let (shoulder, _) = sampled(&out, "ik", 0.0, "left_upper_arm");
        let (elbow, _) = sampled(&out, "ik", 0.0, "left_lower_arm");
        let (hand, _) = sampled(&out, "ik", 0.0, "left_hand");
        assert!(hand.distance(Vec3::new(0.3, 1.3, 0.35)) < 1e-3);
        let line = (hand - shoulder).normalize();
        let aside = |point: Vec3| (point - shoulder).reject_from(line).normalize();
        let numbers: Vec<f32> = pole.split(',').map(|n| n.parse().unwrap()).collect();
        let pole = Vec3::from_slice(&numbers);
        let off = aside(elbow).angle_between(aside(pole));
        assert!(off < 0.05, "{pole}: the elbow is {off} rad aside");
    }
}

#[test]
fn a_head_looks_where_it_is_told_along_z_or_another_axis() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let out = folder.at("look.glb");
    let target = Vec3::new(0.8, 1.2, 2.0);
    let report = solved(&[
        &person,
        "--chain",
        "neck..head",
        "--look-at",
        "head=0.8,1.2,2",
        "-o",
        &out,
    ]);
    let look = goal(&report, "head", "lookAt");
    let (head, _) = sampled(&out, "ik", 0.0, "head");
    let off = position(&look["end"]).angle_between(target - head);
    assert!(off < 2e-3 && look["reached"] == true, "{off}: {look}");
    // At rest it looks along z, so that a goal ahead needs no rotation.
    let (rest, _) = sampled(&person, "walk", 0.0, "hips");
    assert!(rest.is_finite());
    let ahead = solved(&[
        &person,
        "--chain",
        "head..head",
        "--look-at",
        "head:y=0,9,0.1",
    ]);
    assert_eq!(goal(&ahead, "head", "lookAt")["reached"], true, "{ahead}");
}

#[test]
fn pinned_feet_stay_while_the_body_reaches() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let body = [
        person.as_str(),
        "--chain",
        "hips..left_hand",
        "--chain",
        "left_upper_leg..left_foot",
        "--chain",
        "right_upper_leg..right_foot",
        "--goal",
        "left_hand=0.55,0.95,0.55",
        "--pin",
        "left_foot",
        "--pin",
        "right_foot",
    ];
    let report = solved(&body);
    assert_eq!(report["reached"], true, "{report}");
    for foot in ["left_foot", "right_foot"] {
        let pin = goal(&report, foot, "position");
        assert_eq!(pin["pinned"], true);
        assert!(
            position(&pin["end"]).distance(position(&pin["goal"])) < 1e-3,
            "{pin}"
        );
        let turned = goal(&report, foot, "orientation");
        assert!(turn(&turned["end"]).angle_between(turn(&turned["goal"])) < 2e-3);
    }
    let turned = report["joints"].as_array().expect("a list").iter();
    let turned: Vec<_> = turned
        .map(|joint| joint["name"].as_str().unwrap())
        .collect();
    assert!(turned.contains(&"hips"), "{turned:?}");
}

const REACHED: Vec3 = Vec3::new(0.35, 1.25, 0.3);

#[track_caller]
fn reached_in_walk(person: &str, more: &[&str]) -> Value {
    let goal = ["--chain", ARM, "--goal", "0.35,1.25,0.3"];
    solved(&[&[person], &goal[..], &["--clip", "walk"], more].concat())
}

#[test]
fn keys_over_a_range_hold_the_goal_and_leave_the_rest_of_the_clip() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let out = folder.at("held.glb");
    let report = reached_in_walk(&person, &["--time", "0.4..0.6", "--keys", "-o", &out]);
    assert_eq!(
        (&report["frames"], &report["reached"]),
        (&7.into(), &true.into())
    );
    for time in [0.4, 0.4 + 1.0 / 30.0, 0.5, 0.6] {
        let (hand, _) = sampled(&out, "walk", time, "left_hand");
        assert!(hand.distance(REACHED) < 1e-3, "{time}: {hand}");
    }
    for time in [0.0, 0.2, 0.36, 0.64, 0.9] {
        for joint in ["left_hand", "left_lower_arm", "right_foot"] {
            let (position, turn) = sampled(&out, "walk", time, joint);
            let (before, turned) = sampled(&person, "walk", time, joint);
            assert!(
                position.distance(before) < 2e-3,
                "{joint} at {time}: {position} {before}"
            );
            assert!(turn.angle_between(turned) < 5e-3, "{joint} at {time}");
        }
    }
    let fastest = || {
        let places = (0..=48).map(|step| 0.1 + f64::from(step) / 60.0);
        let places: Vec<Vec3> = places
            .map(|time| sampled(&out, "walk", time, "left_hand").0)
            .collect();
        let steps = places.windows(2).map(|two| two[0].distance(two[1]));
        steps.fold(0.0, f32::max)
    };
    let jump = fastest();
    let led = [
        "--time", "0.4..0.6", "--keys", "--blend", "0.25", "-o", &out,
    ];
    reached_in_walk(&person, &led);
    let led = fastest();
    assert!(
        led < 0.5 * jump,
        "{led} and {jump} m in a sixtieth of a second"
    );
}

#[test]
fn one_key_goes_into_the_clip_at_its_time() {
    let folder = Folder::new();
    let person = folder.at("mannequin.glb");
    let out = folder.at("keyed.glb");
    reached_in_walk(&person, &["--time", "0.52", "--keys", "-o", &out]);
    let (hand, _) = sampled(&out, "walk", 0.52, "left_hand");
    assert!(hand.distance(REACHED) < 1e-3, "{hand}");
    let info = json(&good(&["info", "--json", &out]));
    let before = json(&good(&["info", "--json", &person]));
    assert_eq!(
        info["clips"].as_array().map(Vec::len),
        before["clips"].as_array().map(Vec::len)
    );
    reached_in_walk(&person, &["--time", "0.2..0.7", "-o", &out]);
    let info = json(&good(&["info", "--json", &out]));
    let clips = info["clips"].as_array().expect("a list");
    let own = clips
        .iter()
        .find(|clip| clip["name"] == "ik")
        .expect("there");
    assert!(
        (own["duration_secs"].as_f64().unwrap() - 0.5).abs() < 1e-6,
        "{own}"
    );
}
