use crate::program;

use program::{TWO_JOINTS_BVH, demo_files, folder, good, json, refused, run, write};
use serde_json::Value;
use std::path::Path;

fn info(folder: &Path, file: &str) -> Value {
    json(&good(folder, &["info", "--json", file]))
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8_lossy(&run(folder, arguments).stderr).into_owned()
}

#[test]
fn every_way_of_a_file_keeps_its_limits() {
    let folder = demo_files();
    let of = |file: &str| {
        let info = info(folder, file);
        (
            info["degrees_of_freedom"].clone(),
            info["limited_joints"].clone(),
        )
    };
    let whole = of("mannequin.glb");
    assert_eq!(whole.0, 97);
    assert_eq!(whole.1, 51);
    let text = good(folder, &["info", "mannequin.glb"]);
    assert!(text.contains("97 degrees of freedom"), "{text}");
    assert!(text.contains("limits     on 51 joints"), "{text}");
    good(folder, &["convert", "mannequin.glb", "-o", "again.gltf"]);
    good(folder, &["convert", "again.gltf", "-o", "again.glb"]);
    let limits = |file: &str| good(folder, &["limits", "--json", file]);
    assert_eq!(limits("again.glb"), limits("mannequin.glb"));
    good(
        folder,
        &[
            "retarget",
            "mannequin.glb",
            "--onto",
            "mannequin.glb",
            "--clip",
            "walk",
            "-o",
            "walk.glb",
        ],
    );
    assert_eq!(limits("walk.glb"), limits("mannequin.glb"));
    good(folder, &["compress", "walk.glb", "-o", "walk.sinew"]);
    assert_eq!(limits("walk.sinew"), limits("mannequin.glb"));
    good(folder, &["convert", "walk.sinew", "-o", "unpacked.glb"]);
    assert_eq!(limits("unpacked.glb"), limits("mannequin.glb"));
    good(folder, &["skin", "mannequin.glb", "-o", "still.glb"]);
    good(
        folder,
        &[
            "bind",
            "still.glb",
            "mannequin.glb",
            "--method",
            "rigid",
            "-o",
            "bound.glb",
        ],
    );
    assert_eq!(limits("bound.glb"), limits("mannequin.glb"));
}

/// Result of a kick by the knee alone, towards a goal where no knee bends.
fn kick(folder: &Path, more: &[&str]) -> (Option<i32>, Value, String) {
    let chain = [
        "--chain",
        "left_lower_leg..left_foot",
        "--goal",
        "0.1041,0.495,0.4143",
    ];
    let output = run(folder, &[&["ik"], &chain[..], more, &["--json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    (output.status.code(), report, said)
}

#[test]
fn a_knee_from_a_file_does_not_bend_forward() {
    let folder = demo_files();
    for method in ["dls", "ccd", "fabrik", "two-bone"] {
        let (code, report, said) = kick(folder, &["mannequin.glb", "--method", method]);
        let end = report["goals"][0]["end"][2].as_f64().expect("a number");
        // The lower leg is 0.41 long, hangs 4° behind vertical, and may come forward by 8°.
        assert!((0.0..0.06).contains(&end), "{method}: {end}");
        assert_eq!(report["limits"], "file");
        assert_eq!(report["goals"][0]["missed"], true);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("left_foot ends 0.5"), "{said}");
        assert!(said.contains("--allow-miss"), "{said}");
        assert!(!said.contains("no limits"), "{said}");
    }
    let (code, report, _) = kick(folder, &["mannequin.glb", "--allow-miss"]);
    assert_eq!(code, Some(0));
    assert_eq!(report["goals"][0]["missed"], true);
}

#[test]
fn a_file_without_limits_is_said_to_be_without_and_takes_a_persons() {
    let folder = demo_files();
    good(
        folder,
        &["limits", "mannequin.glb", "--clear", "-o", "free.glb"],
    );
    assert_eq!(info(folder, "free.glb")["limited_joints"], 0);
    assert!(good(folder, &["info", "free.glb"]).contains("limits     none"));
    let (code, report, said) = kick(folder, &["free.glb"]);
    assert_eq!((code, &report["limits"]), (Some(0), &Value::from("none")));
    assert!(said.contains("free.glb has no limits"), "{said}");
    assert!(said.contains("--limits biped"), "{said}");
    assert!(report["goals"][0]["end"][2].as_f64() > Some(0.4));
    let (code, report, said) = kick(folder, &["free.glb", "--limits", "biped", "-o", "kick.glb"]);
    assert_eq!((code, &report["limits"]), (Some(1), &Value::from("biped")));
    assert!(said.contains("applied to 52 of 52 joints"), "{said}");
    assert!(
        report["notes"].to_string().contains("applied to 52 of 52"),
        "{report}"
    );
    assert!(report["goals"][0]["end"][2].as_f64() < Some(0.06));
    // The template restores the limits that the mannequin had.
    let limits = |file: &str| json(&good(folder, &["limits", "--json", file]))["freedoms"].clone();
    assert_eq!(limits("kick.glb"), limits("mannequin.glb"));
}

#[test]
fn limits_are_shown_and_changed() {
    let folder = demo_files();
    let shown = good(folder, &["limits", "mannequin.glb"]);
    assert!(
        shown.starts_with("52 joints, 97 degrees of freedom, limits on 51\n"),
        "{shown}"
    );
    let line = |shown: &str, joint: &str| {
        let line = shown
            .lines()
            .find(|line| line.split_whitespace().next() == Some(joint));
        line.unwrap_or_else(|| panic!("{joint} in {shown}"))
            .to_owned()
    };
    assert!(line(&shown, "left_lower_leg").ends_with(" hinge:x:-8..150"));
    assert!(line(&shown, "hips").ends_with(" free+slides:xyz"));
    let set = [
        "limits",
        "mannequin.glb",
        "--clear",
        "--set",
        "left_lower_leg=hinge:x:-2..90",
        "--set",
        "head=saddle:xz:-10..20,-5.5..5",
        "-o",
        "set.glb",
    ];
    let shown = good(folder, &set);
    assert!(shown.contains("limits on 2\n"), "{shown}");
    let shown = good(folder, &["limits", "set.glb"]);
    assert!(line(&shown, "left_lower_leg").ends_with(" hinge:x:-2..90"));
    assert!(line(&shown, "head").ends_with(" saddle:xz:-10..20,-5.5..5"));
    assert!(shown.ends_with("all others rotate freely\n"), "{shown}");
    let unsaid = said(folder, &["limits", "mannequin.glb", "--clear"]);
    assert!(unsaid.contains("-o FILE"), "{unsaid}");
    let unsaid = json(&good(
        folder,
        &["limits", "mannequin.glb", "--clear", "--json"],
    ));
    assert!(unsaid["notes"].to_string().contains("-o FILE"), "{unsaid}");
    let set = |what: &'static str| ["limits", "mannequin.glb", "--set", what];
    refused(
        folder,
        &set("left_leg=free"),
        &["no joint \"left_leg\"", "mannequin.glb"],
    );
    for (what, word) in [
        ("left_lower_leg", "JOINT=WHAT"),
        ("left_lower_leg=bend", "hinge:AXIS:MIN..MAX"),
        ("left_lower_leg=hinge:x:9..1", "empty"),
    ] {
        let output = run(folder, &set(what));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    }
    write(folder, "three.bvh", TWO_JOINTS_BVH);
    refused(
        folder,
        &["limits", "three.bvh", "--from", "biped"],
        &["three.bvh", "do not show which joints", "--set"],
    );
}

#[test]
fn channels_of_a_capture_are_degrees_of_freedom_and_no_limits() {
    let folder = folder("limits_bvh");
    write(&folder, "three.bvh", TWO_JOINTS_BVH);
    let of = |file: &str| {
        let info = info(&folder, file);
        ["joints", "degrees_of_freedom", "limited_joints"].map(|name| info[name].clone())
    };
    assert_eq!(of("three.bvh"), [3, 7, 0].map(Value::from));
    good(&folder, &["convert", "three.bvh", "-o", "three.glb"]);
    assert_eq!(of("three.glb"), [3, 7, 0].map(Value::from));
    let output = said(
        &folder,
        &["ik", "three.glb", "--chain", "a..b", "--goal", "0,1,0"],
    );
    assert!(output.contains("has no limits"), "{output}");
}

#[test]
fn names_that_are_not_there_bring_near_ones_to_mind_in_every_verb() {
    let folder = demo_files();
    good(folder, &["skin", "mannequin.glb", "-o", "mesh.glb"]);
    let goal = ["--goal", "0,1,0"];
    let hand = "did you mean left_hand?";
    let cases: [(&[&str], &str); 6] = [
        (
            &[
                "sample",
                "mannequin.glb",
                "--clip",
                "walk",
                "--joints",
                "left_hnad",
            ],
            hand,
        ),
        (
            &[
                "render",
                "mannequin.glb",
                "--weights",
                "LeftHand",
                "-o",
                "x.png",
            ],
            hand,
        ),
        (&["limits", "mannequin.glb", "--set", "hand.L=free"], hand),
        (
            &[
                "bind",
                "mesh.glb",
                "mannequin.glb",
                "--method",
                "rigid",
                "--lock",
                "hand_left",
                "-o",
                "x.glb",
            ],
            hand,
        ),
        (
            &["sample", "mannequin.glb", "--clip", "wlak"],
            "did you mean walk?",
        ),
        (
            &["skin", "mannequin.glb", "--clip", "Idel", "-o", "x.obj"],
            "did you mean idle?",
        ),
    ];
    for (arguments, words) in cases {
        refused(folder, arguments, &[words]);
    }
    let chain = ["ik", "mannequin.glb", "--chain", "left_upper_arm..hand"];
    let both = "did you mean left_hand or right_hand?";
    refused(
        folder,
        &[&chain[..], &goal].concat(),
        &["mannequin.glb", both],
    );
    write(
        folder,
        "map.json",
        r#"{"hips": "hips", "left_hand": "left_hnd"}"#,
    );
    let map = [
        "retarget",
        "mannequin.glb",
        "--onto",
        "mannequin.glb",
        "--map",
        "map.json",
        "-o",
        "x.glb",
    ];
    refused(folder, &map, &["map.json", hand]);
}

#[test]
fn info_says_how_large_a_figure_is() {
    let folder = demo_files();
    let size = info(folder, "mannequin.glb")["size_metres"].clone();
    let tall = size[1].as_f64().expect("a number");
    assert!((1.75..1.82).contains(&tall), "{size}");
    let text = good(folder, &["info", "mannequin.glb"]);
    let line = text
        .lines()
        .find(|line| line.starts_with("size "))
        .expect("a line");
    assert!(line.contains(&format!(" × {tall:.3} × ")), "{line}");
    assert!(
        line.contains(" m (x, y, z)") && !line.contains("centimetre"),
        "{line}"
    );
    write(
        folder,
        "tall.bvh",
        TWO_JOINTS_BVH.replace("OFFSET 0 1 0", "OFFSET 0 85 0"),
    );
    let text = good(folder, &["info", "tall.bvh"]);
    assert!(text.contains("0.000 × 170.000 × 0.000 m"), "{text}");
    assert!(text.contains("may be the centimetre"), "{text}");
}

#[test]
fn a_goal_that_is_nearly_reached_is_no_failure() {
    let folder = demo_files();
    let arm = |goal: &str| {
        let chain = "left_upper_arm..left_hand";
        run(
            folder,
            &["ik", "mannequin.glb", "--chain", chain, "--goal", goal],
        )
    };
    assert_eq!(arm("0.35,1.45,0.3").status.code(), Some(0));
    let far = arm("5,1,0");
    let said = String::from_utf8_lossy(&far.stderr);
    assert_eq!(far.status.code(), Some(1), "{said}");
    assert!(said.contains("left_hand ends 4."), "{said}");
}

/// Result of moving the tip of the SCARA robot.
fn pick(folder: &Path, goal: &str, more: &[&str]) -> (Option<i32>, Value, String) {
    let chain = [
        "--figure",
        "scara",
        "--chain",
        "shoulder..tip",
        "--goal",
        goal,
    ];
    let output = run(folder, &[&["ik"], &chain[..], more, &["--json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    (output.status.code(), report, said)
}

fn slid(report: &Value) -> f64 {
    let joints = report["joints"].as_array().expect("joints");
    let spindle = joints.iter().find(|joint| joint["name"] == "spindle");
    spindle.map_or(0.0, |joint| joint["slide"].as_f64().expect("a distance"))
}

#[test]
fn a_scara_robot_reaches_within_its_range_and_says_where_it_ends() {
    let folder = folder("limits_scara");
    // At rest, the tip is at 0.27 m.
    let (code, report, said) = pick(&folder, "0.3,0.15,0.5", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(report["reached"], true);
    assert!((slid(&report) + 0.12).abs() < 2e-4, "{report}");
    assert_eq!(report["at_limits"], Value::Null);
    assert_eq!(report["atLimits"], serde_json::json!([]));
    for (goal, end, off) in [("0.3,-0.03,0.5", -0.18, 0.12), ("0.3,0.4,0.5", 0.0, 0.13)] {
        let (code, report, said) = pick(&folder, goal, &[]);
        assert_eq!(code, Some(1), "{said}");
        assert!((slid(&report) - end).abs() < 1e-6, "{report}");
        assert_eq!(report["atLimits"], serde_json::json!(["spindle"]));
        let residual = report["goals"][0]["residual"].as_f64().expect("a number");
        assert!((residual - off).abs() < 1e-3, "{residual}");
        assert!(said.contains("tip ends 0.1"), "{said}");
        let words = [
            "ik",
            "--figure",
            "scara",
            "--chain",
            "shoulder..tip",
            "--goal",
            goal,
            "--allow-miss",
        ];
        let text = good(&folder, &words);
        assert!(text.contains("joints at their limits: spindle"), "{text}");
    }
    // The other methods only rotate, and say so.
    for method in ["ccd", "fabrik"] {
        let (code, report, said) = pick(&folder, "0.3,0.15,0.5", &["--method", method]);
        assert_eq!((code, slid(&report)), (Some(1), 0.0), "{said}");
        assert!(
            said.contains("only --method dls moves them: spindle"),
            "{said}"
        );
    }
    // The pose comes out in a clip, new or old.
    let at = |file: &str, clip: &str, time: &str| {
        let words = [
            "sample", file, "--clip", clip, "--time", time, "--joints", "tip",
        ];
        let sampled = json(&good(&folder, &words));
        let at = sampled["samples"][0]["worldPosition"][0].clone();
        serde_json::from_value::<[f32; 3]>(at).expect("a position")
    };
    pick(&folder, "0.3,0.15,0.5", &["-o", "pick.glb"]);
    let keys = [
        "--clip", "work", "--time", "2.3", "--keys", "--blend", "0.2", "-o", "work.glb",
    ];
    pick(&folder, "0.3,0.15,0.5", &keys);
    for found in [at("pick.glb", "ik", "0"), at("work.glb", "work", "2.3")] {
        let off = glam::Vec3::from(found).distance(glam::Vec3::new(0.3, 0.15, 0.5));
        assert!(off < 1e-3, "{found:?}");
    }
}

#[test]
fn slides_with_ranges_are_set_shown_and_kept_in_every_file() {
    let folder = folder("limits_slides");
    let shown = good(&folder, &["limits", "--figure", "scara"]);
    assert!(
        shown.starts_with("6 joints, 4 degrees of freedom, limits on 4\n"),
        "{shown}"
    );
    let line = shown.lines().find(|line| line.starts_with("spindle"));
    assert!(
        line.is_some_and(|line| line.ends_with(" fixed+slides:z:-0.18..0")),
        "{shown}"
    );
    let set = "tip=hinge:x:-1..1+slides:0,0.6,0.8:-0.05..0.25";
    good(
        &folder,
        &["limits", "--figure", "scara", "--set", set, "-o", "set.glb"],
    );
    let limits = |file: &str| json(&good(&folder, &["limits", "--json", file]));
    let made = limits("set.glb");
    assert_eq!(made["freedoms"][5]["says"], set.split_once('=').unwrap().1);
    assert_eq!(
        (&made["limited_joints"], &made["degrees_of_freedom"]),
        (&5.into(), &6.into())
    );
    good(&folder, &["convert", "set.glb", "-o", "again.gltf"]);
    good(&folder, &["compress", "again.gltf", "-o", "again.sinew"]);
    assert_eq!(limits("again.gltf"), made);
    assert_eq!(limits("again.sinew"), made);
    good(&folder, &["clip", "set.glb", "--reverse", "-o", "back.glb"]);
    assert_eq!(limits("back.glb"), made);
    let output = run(
        &folder,
        &["limits", "set.glb", "--set", "tip=fixed+slides:z:1..0"],
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("empty"), "{said}");
}

#[test]
fn rows_of_a_robot_go_to_json_and_back() {
    let folder = folder("limits_rows");
    let robot = ["limits", "--figure", "scara"];
    good(&folder, &[&robot[..], &["--dh", "rows.json"]].concat());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    let rows = json(&read("rows.json"));
    let row = &rows["rows"][2];
    assert_eq!(
        (&row["joint"], &row["moves"]),
        (&"spindle".into(), &"d".into())
    );
    assert_eq!(rows["tool"], "tip");
    good(
        &folder,
        &["limits", "--from-dh", "rows.json", "-o", "chain.glb"],
    );
    good(&folder, &["limits", "chain.glb", "--dh", "again.json"]);
    let (before, after) = (json(&read("rows.json")), json(&read("again.json")));
    let numbers = |rows: &Value| {
        let rows = rows["rows"].as_array().expect("rows").iter();
        let one = |row: &Value| {
            let names = ["theta_rad", "d", "a", "alpha_rad"].map(|name| row[name].clone());
            let mut numbers = names.to_vec();
            numbers.extend(row["range"].as_array().into_iter().flatten().cloned());
            numbers
                .iter()
                .map(|n| n.as_f64().expect("a number"))
                .collect::<Vec<_>>()
        };
        rows.flat_map(one).collect::<Vec<f64>>()
    };
    let (before, after) = (numbers(&before), numbers(&after));
    assert_eq!((before.len(), after.len()), (24, 24));
    for (before, after) in before.iter().zip(&after) {
        assert!((before - after).abs() < 1e-6, "{before} {after}");
    }
    // The chain moves as the robot does.
    let goal = [
        "--chain",
        "shoulder..tip",
        "--goal",
        "0.3,0.15,0.5",
        "--json",
    ];
    let end = |input: &[&str]| {
        let report = json(&good(&folder, &[&["ik"], input, &goal[..]].concat()));
        serde_json::from_value::<[f64; 3]>(report["goals"][0]["end"].clone()).expect("a point")
    };
    for (robot, chain) in end(&["--figure", "scara"]).iter().zip(end(&["chain.glb"])) {
        assert!((robot - chain).abs() < 1e-4, "{robot} {chain}");
    }
    let standard = good(&folder, &[&robot[..], &["--dh", "-"]].concat());
    assert_eq!(standard, read("rows.json"));
    // A chain without slides, written by hand.
    let text = r#"{"format": "sinew-rows/1", "rows": [{"a": 0.5, "range": [-1, 1]}, {"a": 0.25}]}"#;
    write(&folder, "hand.json", text);
    let shown = good(&folder, &["limits", "--from-dh", "hand.json"]);
    assert!(
        shown.starts_with("3 joints, 2 degrees of freedom, limits on 1\n"),
        "{shown}"
    );
    refused(
        &folder,
        &["limits", "--figure", "car", "--dh", "car.json"],
        &["only child"],
    );
    refused(
        &folder,
        &["limits", "--figure", "robot-arm", "--dh", "arm.json"],
        &["not a hinge about z"],
    );
    write(
        &folder,
        "wrong.json",
        text.replace("\"a\": 0.25", "\"theta\": 1"),
    );
    refused(
        &folder,
        &["limits", "--from-dh", "wrong.json"],
        &["wrong.json", "rows[1].theta", "unknown"],
    );
    refused(
        &folder,
        &["limits", "--from-dh", "none.json"],
        &["none.json"],
    );
    for words in [
        &["limits", "--from-dh", "hand.json", "--figure", "car"][..],
        &["limits", "--figure", "scara", "--dh", "-", "--json"],
        &["limits", "--figure", "scara", "--dh", "rows.txt"],
        &["limits"],
    ] {
        assert_eq!(run(&folder, words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn meta_joints_go_to_json_and_back() {
    let folder = folder("limits_meta");
    good(
        &folder,
        &["limits", "--figure", "humanoid", "--meta", "meta.json"],
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    let meta = json(&read("meta.json"));
    let joints = meta["joints"].as_array().expect("joints");
    // Ten parts, of which the head has two angles.
    assert_eq!(joints.len(), 11);
    let is_hinge = |joint: &Value| joint["freedom"].to_string().contains("hinge");
    assert!(joints.iter().all(is_hinge), "{meta}");
    good(
        &folder,
        &["limits", "--from-meta", "meta.json", "-o", "body.glb"],
    );
    let limits = |input: &[&str]| {
        json(&good(&folder, &[&["limits", "--json"], input].concat()))["freedoms"].clone()
    };
    assert_eq!(limits(&["body.glb"]), limits(&["--figure", "humanoid"]));
    good(&folder, &["limits", "body.glb", "--meta", "again.json"]);
    assert_eq!(read("again.json"), read("meta.json"));
    // Balls have no limits about axes.
    let said = said(
        &folder,
        &["limits", "--figure", "mannequin", "--meta", "person.json"],
    );
    assert!(said.contains("joints that stay whole"), "{said}");
    assert!(said.contains("left_upper_arm"), "{said}");
    good(
        &folder,
        &["limits", "--from-meta", "person.json", "-o", "person.glb"],
    );
    assert_eq!(limits(&["person.glb"]), limits(&["--figure", "mannequin"]));
    write(
        &folder,
        "wrong.json",
        read("meta.json").replace("hinge", "spin"),
    );
    refused(
        &folder,
        &["limits", "--from-meta", "wrong.json"],
        &["wrong.json", "joints[0].freedom", "is not fixed"],
    );
}
