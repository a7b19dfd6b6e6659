//! `sinew retarget` as a person meets it: a motion file onto the mannequin, with and without a map.

mod program;

use program::{good, json, refused, write};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

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

/// A second at thirty frames in which the hips sink and rise over feet that stand, and arms come together.
fn wave() -> String {
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
            // The foot stays flat, and so do the toes.
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

/// What every run here begins with.
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
    assert_eq!(info["clips"][0]["name"], "wave", "{info}");
    assert!(info["clips"][0]["joints"].as_u64() > Some(8), "{info}");
    assert!(info["bytes"]["vertices"].as_u64() > Some(100_000), "{info}");
    // In words, too.
    let words = good(&folder, &[&ONTO[..], &["--report"]].concat());
    assert!(words.contains("LeftArm -> left_upper_arm"), "{words}");
    assert!(words.contains("left foot: stands"), "{words}");
    assert!(words.contains("frames of the new clip; slid"), "{words}");
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
            vec!["text.json", "a map is JSON"],
        ),
    ] {
        write(&folder, name, wrong);
        refused(&folder, &with(&["--map", name]), &said);
    }
    refused(&folder, &with(&["--map", "absent.json"]), &["absent.json"]);
    refused(&folder, &with(&["--clip", "dance"]), &["wave.bvh", "dance"]);
}

#[test]
fn a_motion_with_feet_held_compresses() {
    let folder = folder("retarget_compress");
    good(&folder, &ONTO);
    let arguments = ["compress", "out.glb", "-o", "out.sinew", "--json"];
    let report = json(&good(&folder, &arguments));
    println!("{report}");
    assert!(
        report["measured_error_mm"].as_f64() <= Some(0.1),
        "{report}"
    );
    assert!(report["ratio"].as_f64() > Some(4.0), "{report}");
    // All but legs, which may be smaller as they are.
    let channels = &report["clips"][0]["channels"];
    assert!(channels[3].as_u64() <= Some(6), "{report}");
}
