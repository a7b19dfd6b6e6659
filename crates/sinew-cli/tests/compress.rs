//! `sinew compress`, and `.sinew` files in the verbs that read characters.

use crate::program;

use program::{good, json, refused, run, write};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

fn wave(frames: usize) -> String {
    let mut text = "HIERARCHY
ROOT Shoulder
{
  OFFSET 0 150 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Elbow
  {
    OFFSET 30 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 25 0 0
    }
  }
}
MOTION
"
    .to_owned();
    let _ = writeln!(text, "Frames: {frames}\nFrame Time: 0.0166667");
    for frame in 0..frames {
        let a = 40.0 * (frame as f64 * 0.1).sin();
        let b = 60.0 * (frame as f64 * 0.17).cos();
        let _ = writeln!(text, "{} 150 0 {a} 3 {b} {b} 0 {a}", frame as f64 * 0.2);
    }
    text
}

fn folder(name: &str) -> PathBuf {
    let folder = program::folder(name);
    write(&folder, "wave.bvh", wave(120));
    folder
}

#[test]
fn compress_says_bytes_error_and_time_and_the_file_goes_back_to_gltf() {
    let folder = folder("compress");
    let arguments = [
        "compress",
        "wave.bvh",
        "-o",
        "wave.sinew",
        "--scale",
        "0.01",
        "--json",
    ];
    let report = json(&good(&folder, &arguments));
    let number = |name: &str| report[name].as_f64().expect(name);
    assert!(number("measured_error_mm") <= 0.1 && number("measured_error_mm") > 0.0);
    assert!(number("encode_ms") > 0.0);
    let file = std::fs::metadata(folder.join("wave.sinew")).expect("written");
    assert_eq!(number("total_bytes"), file.len() as f64);
    assert!(number("motion_bytes") < number("total_bytes"));
    assert!(number("motion_bytes") * 4.0 < number("raw_bytes"));
    assert_eq!(report["clips"][0]["raw_joints"], Value::Array(Vec::new()));

    let coarse = [
        "compress",
        "wave.bvh",
        "-o",
        "coarse.sinew",
        "--scale",
        "0.01",
        "--max-error",
        "1cm",
        "--json",
    ];
    let coarse = json(&good(&folder, &coarse));
    assert!(coarse["motion_bytes"].as_f64() < report["motion_bytes"].as_f64());
    let text = good(
        &folder,
        &[
            "compress",
            "wave.bvh",
            "-o",
            "wave2.sinew",
            "--scale",
            "0.01",
        ],
    );
    assert!(
        text.contains("allowed error 0.1 mm, measured error 0.0"),
        "{text}"
    );

    let info = json(&good(&folder, &["info", "--json", "wave.sinew"]));
    assert_eq!(info["joints"], 3);
    assert_eq!(info["clips"][0]["name"], "wave");
    good(&folder, &["convert", "wave.sinew", "-o", "wave.glb"]);
    let glb = json(&good(&folder, &["info", "--json", "wave.glb"]));
    // No channel moves the arm's end, but its node is marked as fixed, so it stays a joint.
    assert_eq!(glb["joints"], 3);
    assert_eq!(glb["degrees_of_freedom"], info["degrees_of_freedom"]);
    assert_eq!(
        glb["clips"][0]["duration_secs"],
        info["clips"][0]["duration_secs"]
    );
}

#[test]
fn compress_refuses_lengths_without_units_and_files_without_clips() {
    let folder = folder("compress_refused");
    for (arguments, said) in [
        (&["--max-error", "0.1"], "like 0.1mm"),
        (&["--shell", "0cm"], "like 0.1mm"),
        (&["--scale", "0"], "like 0.01"),
        (&["--clip", "run"], "there is no clip \"run\""),
    ] {
        let mut all = vec!["compress", "wave.bvh", "-o", "x.sinew"];
        all.extend(arguments);
        let output = run(&folder, &all);
        assert_ne!(output.status.code(), Some(0), "{all:?}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(said), "{text}");
    }
    let output = run(&folder, &["compress", "wave.bvh", "-o", "wave.bin"]);
    assert_eq!(output.status.code(), Some(2));
    good(&folder, &["compress", "wave.bvh", "-o", "whole.sinew"]);
    let mut bytes = std::fs::read(folder.join("whole.sinew")).expect("written");
    bytes[20] ^= 0xff;
    write(&folder, "broken.sinew", bytes);
    refused(
        &folder,
        &["info", "broken.sinew"],
        &["broken.sinew", "byte "],
    );
}

#[test]
fn bench_times_decoding_beside_a_plain_loop() {
    let folder = folder("compress_bench");
    let row = |filter: &str| {
        let arguments = ["bench", "--json", "--filter", filter, "--budget", "1"];
        let rows = json(&good(
            &folder,
            &[&arguments[..], &["--clips", "."]].concat(),
        ));
        let rows = rows.as_array().expect("rows").clone();
        assert_eq!(rows.len(), 1, "{filter}");
        assert!(rows[0]["times_plain"].as_f64().is_some_and(|r| r > 0.0));
        rows[0].clone()
    };
    for way in ["forward", "random"] {
        let synthetic = row(&format!("clip/decode/{way}"));
        // Two hundred poses of 67 joints.
        assert_eq!(synthetic["items"], 200 * 67);
        // 67 rotations and a translation, each rounded up to sixteen.
        let captured = row(&format!("clip/decode/captured/{way}"));
        assert_eq!(
            (&captured["items"], &captured["slots"]),
            (&200.into(), &96.into())
        );
        let wave = row(&format!("clip/decode/wave/{way}"));
        assert_eq!(wave["items"], 200);
    }
}

#[test]
fn compress_says_which_tracks_it_kept_and_why_and_refuses_what_no_key_can_hold() {
    let folder = folder("compress_kept");
    // One clip of two has a track that jumps.
    good(&folder, &["convert", "wave.bvh", "-o", "wave.gltf"]);
    let text = std::fs::read_to_string(folder.join("wave.gltf")).expect("written");
    let mut document: Value = json(&text);
    document["animations"][0]["samplers"][1]["interpolation"] = "STEP".into();
    write(&folder, "step.gltf", document.to_string());
    let arguments = [
        "compress",
        "step.gltf",
        "-o",
        "step.sinew",
        "--scale",
        "0.01",
    ];
    let words = good(&folder, &arguments);
    assert!(
        words.contains("unpacked because it jumps from key to key: rotation of Shoulder"),
        "{words}"
    );
    let report = json(&good(&folder, &[&arguments[..], &["--json"]].concat()));
    let kept = &report["clips"][0]["kept"][0];
    assert_eq!(kept["joint"], "Shoulder", "{report}");
    assert_eq!(kept["channel"], "rotation", "{report}");
    let fine = ["--max-error", "0.0000001mm"];
    let arguments = ["compress", "wave.bvh", "-o", "x.sinew", "--scale", "0.01"];
    let arguments = [&arguments[..], &fine].concat();
    let words = ["wave.bvh: clip \"wave\"", "use at least that"];
    refused(&folder, &arguments, &words);
}
