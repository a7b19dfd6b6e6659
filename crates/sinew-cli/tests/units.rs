//! Files that are not in metres: every verb concerned reports them, and `--scale` converts them.

use crate::program;

use program::{folder, good, json, run, write};
use std::path::{Path, PathBuf};

/// A person `tall` units high with arms held out, who lifts a knee.
fn person(tall: f64) -> String {
    let joint = |name: &str, [x, y, z]: [f64; 3], inside: &str| {
        let [x, y, z] = [x, y, z].map(|part| part * tall);
        format!(
            "JOINT {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inside}}}\n"
        )
    };
    let end = |[x, y, z]: [f64; 3]| {
        let [x, y, z] = [x, y, z].map(|part| part * tall);
        format!("End Site\n{{\nOFFSET {x} {y} {z}\n}}\n")
    };
    let leg = |side: &str, x: f64| {
        let foot = joint(
            &format!("{side}Foot"),
            [0.0, -0.25, 0.0],
            &end([0.0, -0.05, 0.1]),
        );
        let shin = joint(&format!("{side}Leg"), [0.0, -0.25, 0.0], &foot);
        joint(&format!("{side}UpLeg"), [x, 0.0, 0.0], &shin)
    };
    let arm = |side: &str, x: f64| {
        let hand = joint(
            &format!("{side}Hand"),
            [1.5 * x, 0.0, 0.0],
            &end([0.5 * x, 0.0, 0.0]),
        );
        let fore = joint(&format!("{side}ForeArm"), [1.5 * x, 0.0, 0.0], &hand);
        joint(&format!("{side}Arm"), [x, 0.2, 0.0], &fore)
    };
    let head = joint("Head", [0.0, 0.3, 0.0], &end([0.0, 0.15, 0.0]));
    let spine = [arm("Left", 0.1), arm("Right", -0.1), head].concat();
    let spine = joint("Spine", [0.0, 0.0, 0.0], &spine);
    let body = [spine, leg("Left", 0.05), leg("Right", -0.05)].concat();
    let hips = 0.55 * tall;
    let mut text = format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 {hips} 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n{body}}}\nMOTION\nFrames: 20\nFrame Time: 0.05\n"
    );
    for frame in 0..20 {
        // Eight joints come before the left thigh.
        let lift = f64::from(frame);
        let rotations = ["0 0 0 "; 8].concat();
        text += &format!(
            "0 {hips} 0 0 0 0 {rotations}0 {lift} 0 {}\n",
            ["0 0 0 "; 5].concat()
        );
    }
    text
}

fn all(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn auto_takes_the_unit_in_which_a_person_is_as_tall_as_people_are() {
    let folder = folder("units_auto");
    for (tall, unit) in [
        (1.8, "1"),
        (17.5, "0.1"),
        (172.0, "0.01"),
        (1750.0, "0.001"),
        (68.0, "0.0254"),
        (5.6, "0.3048"),
        (30.0, "0.0564"),
        // Two units fit, and one is nearer to 1.7 m.
        (21.5, "0.1"),
        (21.9, "0.0564"),
    ] {
        write(&folder, "person.bvh", person(tall));
        let convert = ["convert", "person.bvh", "--scale", "auto", "-o", "out.glb"];
        let (code, _, said) = all(&folder, &convert);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.contains(&format!("--scale auto uses {unit}: ")),
            "{tall}: {said}"
        );
        assert!(said.contains(" m tall"), "{said}");
        let info = json(&good(&folder, &["info", "--json", "out.glb"]));
        let height = info["size_metres"][1].as_f64().expect("a number");
        let wanted = tall * unit.parse::<f64>().expect("a number");
        assert!((height - wanted).abs() < 1e-3 * wanted, "{tall}: {height}");
        let info = json(&good(&folder, &["info", "--json", "person.bvh"]));
        assert_eq!(info["unit"].as_f64(), unit.parse().ok(), "{tall}");
    }
}

#[test]
fn auto_says_what_it_takes_where_the_file_states_a_unit_and_where_none_fits() {
    let folder = folder("units_none");
    write(&folder, "giant.bvh", person(3.0));
    let auto = |file: &str| {
        let (code, _, said) = all(
            &folder,
            &["convert", file, "--scale", "auto", "-o", "x.glb"],
        );
        assert_eq!(code, Some(0), "{said}");
        said
    };
    let said = auto("giant.bvh");
    assert!(said.contains("uses 1: its unit is unknown"), "{said}");
    write(&folder, "rod.bvh", ROD);
    let said = auto("rod.bvh");
    assert!(said.contains("uses 1: its unit is unknown"), "{said}");
    write(&folder, "tall.bvh", person(172.0));
    good(&folder, &["convert", "tall.bvh", "-o", "tall.glb"]);
    let said = auto("tall.glb");
    assert!(said.contains("uses 1: glTF files are in metres"), "{said}");
}

const ROD: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 170 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n10 0 0\n";

/// A tube of two joints and a person, each a hundred times too large.
fn large(name: &str) -> PathBuf {
    let folder = folder(name);
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    for file in ["tube", "mannequin"] {
        let (small, large) = (format!("{file}.glb"), format!("large-{file}.glb"));
        good(
            &folder,
            &["convert", &small, "--scale", "100", "-o", &large],
        );
    }
    good(
        &folder,
        &["skin", "large-tube.glb", "-o", "large-still.glb"],
    );
    good(&folder, &["skin", "tube.glb", "-o", "still.glb"]);
    folder
}

#[test]
fn every_verb_that_lengths_matter_to_says_when_they_are_hardly_in_metres() {
    let folder = large("units_doubt");
    let chain = ["--chain", "lower..upper", "--goal", "0,1,0", "--allow-miss"];
    let verbs: [(&str, &[&str]); 5] = [
        ("compress tube.glb -o x.sinew --max-error 1mm", &[]),
        ("bind still.glb tube.glb -o x.glb", &[]),
        ("ik tube.glb", &chain),
        (
            "retarget mannequin.glb --onto mannequin.glb --clip walk -o x.glb",
            &[],
        ),
        ("measure tube.glb --fps 4", &[]),
    ];
    for (command, more) in verbs {
        let large = command
            .replace("tube.glb", "large-tube.glb")
            .replace("still.glb", "large-still.glb")
            .replace("mannequin.glb", "large-mannequin.glb");
        let with = |command: &str| {
            let words: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
            all(&folder, &[&words[..], &["--json"]].concat())
        };
        let (code, printed, said) = with(&large);
        assert_eq!(code, Some(0), "{large}: {said}");
        let mut doubts = said
            .lines()
            .filter(|line| line.contains("probably not the metre"));
        // Retargeting fits a motion in any unit; the advice is for its other file.
        assert!(
            doubts.any(|doubt| doubt.contains("joints at rest span") && doubt.contains("--scale")),
            "{large}: {said}"
        );
        let notes = json(&printed)["notes"].to_string();
        assert!(notes.contains("probably not the metre"), "{large}: {notes}");
        let (code, printed, said) = with(command);
        assert_eq!(code, Some(0), "{command}: {said}");
        assert!(!said.contains("probably"), "{command}: {said}");
        assert!(!printed.contains("probably"), "{command}: {printed}");
        let (code, _, said) = with(&format!("{large} --scale 0.01"));
        assert_eq!(code, Some(0), "{command}: {said}");
        assert!(!said.contains("probably"), "{command}: {said}");
    }
}

#[test]
fn a_conversion_to_metres_of_a_giant_says_so_and_how_to_scale_it() {
    let folder = folder("units_giant");
    write(&folder, "giant.bvh", person(26.0));
    let convert = |more: &[&'static str]| {
        let convert = ["convert", "giant.bvh", "--json"];
        all(&folder, &[&convert[..], more].concat())
    };
    let (code, printed, said) = convert(&["-o", "x.glb"]);
    assert_eq!(code, Some(0), "{said}");
    for word in ["giant.bvh", "26.0", "height", "--scale auto"] {
        assert!(said.contains(word), "{said}");
    }
    let notes = json(&printed)["notes"].to_string();
    assert!(notes.contains("--scale auto"), "{notes}");
    for more in [&["-o", "x.bvh"][..], &["-o", "x.glb", "--scale", "auto"]] {
        let (code, _, said) = convert(more);
        assert_eq!(code, Some(0), "{said}");
        assert!(!said.contains("probably not"), "{said}");
    }
}

#[test]
fn scaled_files_are_bound_measured_and_reached_in_metres() {
    let folder = large("units_scaled");
    let measured = |words: &[&str]| {
        let report = json(&good(
            &folder,
            &[&["measure"], words, &["--json", "--fps", "4"]].concat(),
        ));
        (
            report["surface"]["volume"].as_f64().expect("a number"),
            report["methods"][0]["frames"][3]["volume"].as_f64(),
        )
    };
    let (wanted, at_last) = measured(&["tube.glb"]);
    let (found, too) = measured(&["large-tube.glb", "--scale", "0.01"]);
    assert!((found - wanted).abs() < 1e-3 * wanted, "{found} {wanted}");
    let [a, b] = [at_last, too].map(|volume| volume.expect("a number"));
    assert!((a - b).abs() < 1e-4, "{a} {b}");
    let ik = [
        "ik",
        "large-mannequin.glb",
        "--scale",
        "0.01",
        "--chain",
        "left_upper_arm..left_hand",
        "--goal",
        "0.35,1.45,0.3",
        "--json",
    ];
    let report = json(&good(&folder, &ik));
    assert_eq!(report["goals"][0]["missed"], false, "{report}");
    let bind = [
        "bind",
        "large-still.glb",
        "large-tube.glb",
        "--scale",
        "0.01",
        "-o",
        "b.glb",
    ];
    good(&folder, &bind);
    let info = json(&good(&folder, &["info", "--json", "b.glb"]));
    let [tall, wanted] = [
        &info,
        &json(&good(&folder, &["info", "--json", "tube.glb"])),
    ]
    .map(|info| info["size_metres"][1].as_f64().expect("a number"));
    assert!((tall - wanted).abs() < 1e-4, "{tall} {wanted}");
}

#[test]
fn retargeting_by_units_keeps_a_metre_a_metre() {
    let folder = folder("units_retarget");
    write(&folder, "cm.bvh", person(172.0));
    write(&folder, "m.bvh", person(1.72));
    let retarget = [
        "retarget", "cm.bvh", "--onto", "m.bvh", "-o", "x.glb", "--json",
    ];
    let (code, printed, said) = all(&folder, &[&retarget[..], &["--scale", "auto"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("uses 0.01") && said.contains("uses 1"),
        "{said}"
    );
    let scale = json(&printed)["scale"].as_f64().expect("a number");
    assert!((scale - 0.01).abs() < 1e-6, "{scale}");
}
