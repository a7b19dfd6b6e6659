//! BVH files in every verb that reads characters.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const WALK: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg
  {
    OFFSET 2 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -9 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 9 0 0 0 0 0 0 0
0 9 1 90 0 0 0 0 0
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    folder
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder is ours");
    path.display().to_string()
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program does not read its input if it was given a file.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[track_caller]
fn good(arguments: &[&str]) -> (String, String) {
    let output = run(arguments, "");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let said = text(output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    (text(output.stdout), said)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn info_counts_a_captured_skeleton_and_lists_what_is_odd() {
    let walk = written(&folder("bvh_info"), "walk.bvh", WALK);
    let info = json(&good(&["info", "--json", "--joints", &walk]).0);
    assert_eq!(info["joints"], 3);
    assert_eq!(info["degrees_of_freedom"], 9);
    assert_eq!(info["tree"][2]["name"], "Left Leg_end");
    let clip = &info["clips"][0];
    assert_eq!(clip["name"], "walk");
    assert_eq!(clip["duration_secs"], 0.5);
    assert_eq!(clip["channels"], 3 + 4 + 4);
    let finding = &info["findings"][0];
    assert_eq!(finding["severity"], "repaired");
    assert_eq!(finding["pointer"], "line 21");
    assert_eq!(
        finding["message"],
        "3 frames are declared, but the file has 2"
    );
    let (printed, said) = good(&["info", &walk]);
    assert_eq!(said, "");
    assert!(
        printed.contains("  repaired  line 21: 3 frames"),
        "{printed}"
    );
}

#[test]
fn skin_and_convert_put_joints_where_the_file_says() {
    let folder = folder("bvh_convert");
    let walk = written(&folder, "walk.bvh", WALK);
    let glb = folder.join("walk.glb").display().to_string();
    let (_, said) = good(&["convert", &walk, "-o", &glb]);
    assert!(said.contains("1 problem of "), "{said}");
    assert_eq!(good(&["info", &glb]).1, "");
    let nodes = |file: &str| {
        let skin = json(&good(&["skin", file, "--clip", "walk", "--time", "0.5"]).0);
        skin["samples"][0]["nodeWorld"].clone()
    };
    let (captured, converted) = (nodes(&walk), nodes(&glb));
    assert_eq!(captured, converted);
    let place = |node: usize| {
        let matrix = &captured[node];
        [12, 13, 14].map(|place| matrix[place].as_f64().expect("a number"))
    };
    for (node, wanted) in [[0.0, 9.0, 1.0], [0.0, 11.0, 1.0], [9.0, 11.0, 1.0]]
        .iter()
        .enumerate()
    {
        let found = place(node);
        let is_near = |(a, b): (f64, &f64)| (a - b).abs() < 1e-6;
        assert!(found.into_iter().zip(wanted).all(is_near), "{found:?}");
    }
    let obj = folder.join("walk.obj").display().to_string();
    let (_, said) = good(&["skin", &walk, "-o", &obj]);
    assert!(said.contains("has no mesh"), "{said}");
}

#[test]
fn standard_input_is_known_by_its_first_word() {
    let output = run(&["info", "--json", "-"], WALK);
    let info = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(info["clips"][0]["name"], "motion");
    let output = run(&["convert", "-", "-o", "-"], WALK);
    assert!(output.stdout.starts_with(b"glTF"));
}

#[test]
fn broken_files_are_refused_by_name_and_line() {
    let folder = folder("bvh_broken");
    let broken = written(&folder, "broken.bvh", &WALK.replace("0 -9 0", "0 -9- 0"));
    let prose = written(&folder, "prose.bvh", "Once upon a time");
    let still = written(&folder, "still.bvh", WALK);
    for (verb, file, wanted) in [
        ("info", &broken, "line 12, column 18: \"-\" is not a number"),
        ("skin", &broken, "line 12"),
        ("measure", &broken, "line 12"),
        (
            "info",
            &prose,
            "this is not a BVH file: it begins with \"Once\"",
        ),
        ("measure", &still, "no skin moves any vertex"),
    ] {
        let output = run(&[verb, file], "");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(wanted), "{said}");
        assert!(said.contains(file.as_str()), "{said}");
    }
}
