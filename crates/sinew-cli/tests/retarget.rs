//! `sinew retarget` as a person meets it: a motion file onto the mannequin, with and without a map.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("sinew-retarget-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("the folder is ours");
        std::fs::write(folder.join("wave.bvh"), wave()).expect("the folder is ours");
        Self(folder)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.at(name), text).expect("the folder is ours");
        self.at(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
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

fn run(arguments: &[&str]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(arguments)
        .output();
    program.expect("the program starts")
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What was said by a run that the input was at fault for.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_motion_file_moves_the_mannequin() {
    let folder = Folder::new("onto");
    let (motion, out) = (folder.at("wave.bvh"), folder.at("out.glb"));
    let report = json(&[
        "retarget",
        &motion,
        "--onto",
        "mannequin",
        "-o",
        &out,
        "--json",
    ]);
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
    let info = json(&["info", &out, "--json"]);
    assert_eq!(info["clips"][0]["name"], "wave", "{info}");
    assert!(info["clips"][0]["joints"].as_u64() > Some(8), "{info}");
    assert!(info["bytes"]["vertices"].as_u64() > Some(100_000), "{info}");
    // In words, too.
    let output = run(&[
        "retarget",
        &motion,
        "--onto",
        "mannequin",
        "-o",
        &out,
        "--report",
    ]);
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(words.contains("LeftArm -> left_upper_arm"), "{words}");
    assert!(words.contains("left foot: stands"), "{words}");
}

#[test]
fn hands_come_nearer_when_they_are_asked_to() {
    let folder = Folder::new("hands");
    let (motion, out) = (folder.at("wave.bvh"), folder.at("out.glb"));
    let report = json(&[
        "retarget",
        &motion,
        "--onto",
        "mannequin",
        "-o",
        &out,
        "--json",
        "--hands",
    ]);
    let hands = report["clips"][0]["hands"].as_array().expect("hands");
    assert_eq!(hands.len(), 2);
    for hand in hands {
        let off = |key: &str| hand[key].as_f64().expect("a number");
        assert!(off("off_after") < 0.5 * off("off_before"), "{hand}");
    }
}

#[test]
fn a_map_is_written_edited_and_read() {
    let folder = Folder::new("map");
    let (motion, out, map) = (
        folder.at("wave.bvh"),
        folder.at("out.glb"),
        folder.at("map.json"),
    );
    let onto = ["retarget", &motion, "--onto", "mannequin", "-o", &out];
    let with = |more: &[&str]| -> Vec<String> {
        onto.iter().chain(more).map(|s| (*s).to_owned()).collect()
    };
    let arguments = with(&["--write-map", &map, "--json"]);
    json(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let text = std::fs::read_to_string(&map).expect("it was written");
    let mut names: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(names["LeftForeArm"], "left_lower_arm");
    names["LeftForeArm"] = Value::Null;
    let edited = folder.write("edited.json", &names.to_string());
    let arguments = with(&["--map", &edited, "--json"]);
    let report = json(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
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
        let path = folder.write(name, wrong);
        let arguments = with(&["--map", &path]);
        let error = refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        for part in said {
            assert!(error.contains(part), "{name}: {error}");
        }
    }
    let arguments = with(&["--map", &folder.at("absent.json")]);
    let error = refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(error.contains("absent.json"), "{error}");
    let arguments = with(&["--clip", "dance"]);
    let error = refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        error.contains("wave.bvh") && error.contains("dance"),
        "{error}"
    );
}
