//! `sinew ik` as a person meets it, on the mannequin that `sinew demo` makes.

use crate::program;

use program::demo::{Folder, run};
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
        // The elbow bends and twists and does no third thing, which closed form does not make up for.
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
    assert!(said.contains("left_hand: missed by 4."), "{said}");
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
    let cases: [(&[&str], i32, &str); 6] = [
        (
            &["--chain", "left_lower_arm..hips", "--goal", "0,0,0"],
            1,
            "\"hips\" does not hang from \"left_lower_arm\"",
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
            &["--chain", ARM, "--goal", "0,0,0", "--pole", "1,1,1"],
            2,
            "--pole is for --method two-bone",
        ),
    ];
    for (arguments, code, message) in cases {
        let output = run(&[&["ik", &person], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
    }
}
