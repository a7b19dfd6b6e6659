//! `sinew retarget`: a motion file onto the mannequin, with and without a map.

use crate::foreign::foreign;
use crate::program;

use program::{good, json, refused, run, write};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = program::folder(name);
    write(&folder, "wave.bvh", wave());
    folder
}

/// Depth, name and offset in centimetres; arms are level at rest.
const PERSON: [(usize, &str, [f32; 3]); 17] = [
    (0, "Hips", [0.0, 0.0, 0.0]),
    (1, "Spine", [0.0, 15.0, 0.0]),
    (2, "Spine1", [0.0, 15.0, 0.0]),
    (3, "Neck", [0.0, 20.0, 0.0]),
    (4, "Head", [0.0, 10.0, 0.0]),
    (3, "LeftShoulder", [3.0, 15.0, 0.0]),
    (4, "LeftArm", [13.0, 0.0, 0.0]),
    (5, "LeftForeArm", [30.0, 0.0, 0.0]),
    (6, "LeftHand", [27.0, 0.0, 0.0]),
    (3, "RightShoulder", [-3.0, 15.0, 0.0]),
    (4, "RightArm", [-13.0, 0.0, 0.0]),
    (5, "RightForeArm", [-30.0, 0.0, 0.0]),
    (6, "RightHand", [-27.0, 0.0, 0.0]),
    (1, "LeftUpLeg", [9.0, -4.0, 0.0]),
    (2, "LeftLeg", [0.0, -42.0, 0.0]),
    (1, "RightUpLeg", [-9.0, -4.0, 0.0]),
    (2, "RightLeg", [0.0, -42.0, 0.0]),
];

/// One second at 30 frames: the hips sink and rise over standing feet, and the arms come together.
pub(crate) fn wave() -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut open = 0;
    for (index, (depth, name, [x, y, z])) in PERSON.into_iter().enumerate() {
        while open > depth {
            text += "}\n";
            open -= 1;
        }
        let (kind, channels) = match depth {
            0 => ("ROOT", "6 Xposition Yposition Zposition"),
            _ => ("JOINT", "3"),
        };
        let _ = writeln!(text, "{kind} {name}\n{{\nOFFSET {x} {y} {z}");
        let _ = writeln!(text, "CHANNELS {channels} Zrotation Xrotation Yrotation");
        open = depth + 1;
        if PERSON.get(index + 1).is_none_or(|next| next.0 <= depth) {
            let end = match name {
                "LeftLeg" | "RightLeg" => FOOT,
                _ => "End Site\n{\nOFFSET 0 8 0\n}\n",
            };
            text += &end.replace("SIDE", name.split("Leg").next().unwrap_or(name));
        }
    }
    text += &"}\n".repeat(open);
    text += "MOTION\nFrames: 31\nFrame Time: 0.0333333\n";
    for frame in 0..31 {
        let sinks = 0.5 - 0.5 * (std::f32::consts::TAU * frame as f32 / 30.0).cos();
        let bend = 40.0 * sinks;
        let height = 4.0 + 7.0 + 84.0 * bend.to_radians().cos();
        let _ = write!(text, "0 {height} 0 0 0 0");
        for (_, name, _) in PERSON.into_iter().skip(1) {
            let [z, x, y] = match name {
                "LeftArm" => [0.0, 0.0, -75.0 * sinks],
                "RightArm" => [0.0, 0.0, 75.0 * sinks],
                "LeftUpLeg" | "RightUpLeg" => [0.0, -bend, 0.0],
                "LeftLeg" | "RightLeg" => [0.0, 2.0 * bend, 0.0],
                _ => [0.0; 3],
            };
            let _ = write!(text, " {z} {x} {y}");
            // Keeps foot and toes flat.
            if name == "LeftLeg" || name == "RightLeg" {
                let _ = write!(text, " 0 {} 0 0 0 0", -bend);
            }
        }
        text += "\n";
    }
    text
}

const FOOT: &str = "JOINT SIDEFoot
{
OFFSET 0 -42 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT SIDEToeBase
{
OFFSET 0 -7 13
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0 7
}
}
}
";

const ONTO: [&str; 6] = [
    "retarget",
    "wave.bvh",
    "--onto",
    "mannequin",
    "-o",
    "out.glb",
];

#[test]
fn a_motion_file_moves_the_mannequin() {
    let folder = folder("retarget_onto");
    let report = json(&good(&folder, &[&ONTO[..], &["--json"]].concat()));
    let pairs = report["pairs"].as_array().expect("pairs");
    let follows = |source: &str| {
        let pair = pairs.iter().find(|p| p["source"] == source);
        pair.and_then(|p| p["target"].as_str()).unwrap_or("nobody")
    };
    assert_eq!(follows("LeftArm"), "left_upper_arm");
    assert_eq!(follows("RightToeBase"), "right_toes");
    let feet = report["clips"][0]["feet"].as_array().expect("feet");
    assert_eq!(feet.len(), 2);
    for foot in feet {
        assert!(foot["contact_frames"].as_u64() > Some(20), "{foot}");
        assert!(foot["slide_after"].as_f64() < Some(0.01), "{foot}");
    }
    assert_eq!(
        report["clips"][0]["hands"].as_array().map(Vec::len),
        Some(0)
    );
    let info = json(&good(&folder, &["info", "out.glb", "--json"]));
    let number = report["clips"][0]["number"].as_u64().expect("a number") as usize;
    assert_eq!(info["clips"][number]["name"], "wave 2", "{info}");
    assert!(info["clips"][number]["joints"].as_u64() > Some(8), "{info}");
    assert!(info["bytes"]["vertices"].as_u64() > Some(100_000), "{info}");
    let words = good(&folder, &[&ONTO[..], &["--report"]].concat());
    assert!(words.contains("LeftArm -> left_upper_arm"), "{words}");
    assert!(words.contains("left foot: 1 contact"), "{words}");
    assert!(
        words.contains("frames of the new clip; max slide"),
        "{words}"
    );
}

#[test]
fn hands_come_nearer_when_they_are_asked_to() {
    let folder = folder("retarget_hands");
    let report = json(&good(
        &folder,
        &[&ONTO[..], &["--json", "--hands"]].concat(),
    ));
    let hands = report["clips"][0]["hands"].as_array().expect("hands");
    assert_eq!(hands.len(), 2);
    for hand in hands {
        let off = |key: &str| hand[key].as_f64().expect("a number");
        assert!(off("off_after") < 0.5 * off("off_before"), "{hand}");
    }
}

#[test]
fn a_map_is_written_edited_and_read() {
    let folder = folder("retarget_map");
    let with = |more: &[&'static str]| [&ONTO[..], more].concat();
    good(&folder, &with(&["--write-map", "map.json"]));
    let text = std::fs::read_to_string(folder.join("map.json")).expect("it was written");
    let mut names: Value = json(&text);
    assert_eq!(names["LeftForeArm"], "left_lower_arm");
    names["LeftForeArm"] = Value::Null;
    write(&folder, "edited.json", names.to_string());
    let report = json(&good(&folder, &with(&["--map", "edited.json", "--json"])));
    let unused = report["unused_source"].to_string();
    assert!(unused.contains("LeftForeArm"), "{unused}");

    for (name, wrong, said) in [
        (
            "nobody.json",
            r#"{"Tail": "hips"}"#,
            vec!["nobody.json", "\"Tail\"", "source"],
        ),
        (
            "nowhere.json",
            r#"{"Hips": "tail"}"#,
            vec!["nowhere.json", "\"tail\"", "target"],
        ),
        (
            "twice.json",
            r#"{"LeftArm": "hips", "RightArm": "hips"}"#,
            vec!["twice.json", "\"hips\"", "LeftArm", "RightArm"],
        ),
        ("empty.json", "{}", vec!["empty.json", "no joints"]),
        (
            "text.json",
            "LeftArm = hips",
            vec!["text.json", "a joint map is JSON"],
        ),
    ] {
        write(&folder, name, wrong);
        refused(&folder, &with(&["--map", name]), &said);
    }
    refused(&folder, &with(&["--map", "absent.json"]), &["absent.json"]);
    refused(&folder, &with(&["--clip", "dance"]), &["wave.bvh", "dance"]);
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    said
}

fn clips(folder: &Path, file: &str) -> Vec<String> {
    let info = json(&good(folder, &["info", file, "--json"]));
    let clips = info["clips"].as_array().expect("clips").iter();
    clips
        .map(|clip| clip["name"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn new_clips_come_after_the_characters_own_unless_they_replace_them() {
    let folder = folder("retarget_append");
    good(&folder, &[&ONTO[..], &["--replace"]].concat());
    assert_eq!(clips(&folder, "out.glb"), ["wave"]);
    let again = |more: &[&'static str]| {
        let onto = [
            "retarget", "wave.bvh", "--onto", "out.glb", "-o", "more.glb",
        ];
        said(&folder, &[&onto[..], more].concat())
    };
    let words = again(&[]);
    assert_eq!(clips(&folder, "more.glb"), ["wave", "wave 2"]);
    assert!(
        words.contains("wrote more.glb: clip \"wave 2\" (1)"),
        "{words}"
    );
    assert!(words.contains("after 1 that the character had"), "{words}");
    again(&["--replace"]);
    assert_eq!(clips(&folder, "more.glb"), ["wave"]);
    // The mannequin's own clips stay.
    good(&folder, &ONTO);
    let all = clips(&folder, "out.glb");
    assert!(all.len() > 3, "{all:?}");
    assert_eq!(all.last().map(String::as_str), Some("wave 2"));
}

#[test]
fn joints_that_have_no_counterpart_and_what_was_written_are_said_in_a_line_each() {
    let folder = folder("retarget_said");
    good(&folder, &[&ONTO[..], &["--write-map", "map.json"]].concat());
    let text = std::fs::read_to_string(folder.join("map.json")).expect("it was written");
    write(
        &folder,
        "less.json",
        text.replace("\"left_lower_arm\"", "null"),
    );
    let words = said(&folder, &[&ONTO[..], &["--map", "less.json"]].concat());
    let lines: Vec<&str> = words.lines().collect();
    let [unit, unused, wrote] = lines[..] else {
        panic!("{words}")
    };
    assert!(unit.contains("wave.bvh: its joints at rest span"), "{unit}");
    for name in ["the character has no joints for", "LeftForeArm", "Head_end"] {
        assert!(unused.contains(name), "{unused}");
    }
    assert!(
        wrote.contains("wrote out.glb: clip \"wave 2\" (6)"),
        "{wrote}"
    );
}

/// Four legs that do not match arms and legs.
const BEAST: &str = "HIERARCHY
ROOT Hips
{
OFFSET 0 80 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT Spine
{
OFFSET 0 0 60
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT Head
{
OFFSET 0 20 30
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0 20
}
}
JOINT FrontPaw
{
OFFSET 0 -80 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0 10
}
}
}
JOINT BackPaw
{
OFFSET 0 -80 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0 10
}
}
}
MOTION
Frames: 0
Frame Time: 0.04
";

#[test]
fn a_body_without_the_motions_limbs_is_refused_with_their_names_unless_part_will_do() {
    let folder = folder("retarget_partial");
    write(&folder, "beast.bvh", BEAST);
    let onto = [
        "retarget",
        "wave.bvh",
        "--onto",
        "beast.bvh",
        "-o",
        "out.glb",
    ];
    let names = ["beast.bvh", "LeftArm", "RightFoot", "0 of", "--partial"];
    refused(&folder, &onto, &names);
    let words = said(&folder, &[&onto[..], &["--partial"]].concat());
    assert!(words.contains("LeftArm"), "{words}");
}

#[test]
fn swapped_files_are_said() {
    let folder = folder("retarget_swapped");
    let still = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"Hips"}]}"#;
    write(&folder, "still.gltf", still);
    refused(
        &folder,
        &[
            "retarget",
            "still.gltf",
            "--onto",
            "wave.bvh",
            "-o",
            "out.glb",
        ],
        &["still.gltf", "no clip", "swapped", "--onto"],
    );
    let bare = [
        "retarget", "wave.bvh", "--onto", "wave.bvh", "-o", "out.glb", "--json",
    ];
    let output = run(&folder, &bare);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("wave.bvh has no mesh"), "{words}");
    let report = json(&String::from_utf8_lossy(&output.stdout));
    assert!(
        report["notes"].to_string().contains("has no mesh"),
        "{report}"
    );
}

#[test]
fn legs_without_length_and_scales_without_end_are_no_reason_to_panic() {
    let folder = folder("retarget_degenerate");
    let flat = wave().replace("OFFSET 0 -42 0", "OFFSET 0 0 0");
    write(&folder, "flat.bvh", flat);
    for more in [&[][..], &["--hands"]] {
        let onto = [
            "retarget", "wave.bvh", "--onto", "flat.bvh", "-o", "out.glb",
        ];
        good(&folder, &[&onto[..], more].concat());
    }
    for scale in ["1e38", "1e-38", "0", "nan"] {
        let wrong = [&ONTO[..], &["--scale", scale]].concat();
        let output = run(&folder, &wrong);
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(
            words.contains("--scale") && words.contains("1e-9 to 1e9"),
            "{words}"
        );
    }
}

#[test]
fn a_rest_time_outside_the_clip_is_said() {
    let folder = folder("retarget_rest_time");
    let words = said(&folder, &[&ONTO[..], &["--rest-time", "9"]].concat());
    assert!(words.contains("at 9 s its last pose is used"), "{words}");
    let words = said(&folder, &[&ONTO[..], &["--rest-time", "0"]].concat());
    assert!(!words.contains("pose is used"), "{words}");
}

#[test]
fn a_motion_with_feet_held_compresses() {
    let folder = folder("retarget_compress");
    good(&folder, &ONTO);
    let arguments = [
        "compress",
        "out.glb",
        "--clip",
        "wave 2",
        "-o",
        "out.sinew",
        "--json",
    ];
    let report = json(&good(&folder, &arguments));
    println!("{report}");
    assert!(
        report["measured_error_mm"].as_f64() <= Some(0.1),
        "{report}"
    );
    assert!(report["ratio"].as_f64() > Some(20.0), "{report}");
    // The legs are curves with keys between frames, so only they have finer frames.
    let clip = &report["clips"][0];
    assert_eq!(clip["finer"], 6, "{report}");
    assert_eq!(clip["kept"], Value::Array(Vec::new()), "{report}");
}

#[test]
fn a_captured_motion_with_feet_held_compresses() {
    let Some(walk) = foreign("bvh/cmu_02_03.bvh") else {
        return;
    };
    let folder = folder("retarget_compress_captured");
    let walk = walk.to_str().expect("a path in UTF-8");
    let retarget = ["retarget", walk, "--scale", "auto", "--onto", "mannequin"];
    good(&folder, &[&retarget[..], &["-o", "out.glb"]].concat());
    let compress = ["compress", "out.glb", "--clip", "cmu_02_03", "--json"];
    let report = json(&good(
        &folder,
        &[&compress[..], &["-o", "out.sinew"]].concat(),
    ));
    println!("{report}");
    assert!(
        report["measured_error_mm"].as_f64() <= Some(0.1),
        "{report}"
    );
    assert!(report["ratio"].as_f64() > Some(11.0), "{report}");
    assert_eq!(
        report["clips"][0]["kept"],
        Value::Array(Vec::new()),
        "{report}"
    );
}
