//! Each written file is reported in one line on standard error, after any warnings; standard output is not.

use crate::program;

use program::{folder, json, run, write};
use std::path::Path;

const ROD: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n10 0 0\n";

#[track_caller]
fn said(folder: &Path, command: &str) -> String {
    let arguments: Vec<&str> = command.split(' ').collect();
    let output = run(folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{command}: {said}");
    said
}

#[test]
fn every_verb_that_writes_says_what() {
    let folder = folder("said_written");
    said(&folder, "demo --no-pictures -o .");
    said(&folder, "skin tube.glb -o still.glb");
    let table = [
        (
            "demo --no-pictures -o .",
            "tube.glb",
            "2 joints, 1 mesh, 2 clips",
        ),
        ("skin tube.glb -o a.obj", "a.obj", "818 vertices at rest"),
        (
            "skin tube.glb --time 1 -o a.glb",
            "a.glb",
            "818 vertices at 1 s of \"twist\"",
        ),
        (
            "skin tube.glb --time 0,1 -o a.json",
            "a.json",
            "818 vertices at 2 times of \"twist\"",
        ),
        (
            "sample tube.glb --fps 2 -o a.csv",
            "a.csv",
            "5 poses of 2 joints, clip \"twist\"",
        ),
        (
            "sample tube.glb --events -o a.json",
            "a.json",
            "0 events of \"twist\"",
        ),
        (
            "ik tube.glb --chain lower..upper --goal 0.6,0.8,0 -o a.glb",
            "a.glb",
            "the pose as \"ik\"",
        ),
        (
            "limits tube.glb --set upper=fixed -o a.glb",
            "a.glb",
            "2 joints, 1 mesh, 2 clips, limits on",
        ),
        (
            "bind still.glb tube.glb -o a.glb",
            "a.glb",
            "818 vertices of 1 mesh bound to 2 joints",
        ),
        (
            "bind still.glb --template chain --save-joints j.json -o a.glb",
            "j.json",
            "positions of ",
        ),
        (
            "convert tube.glb -o a.gltf",
            "a.gltf",
            "2 joints, 1 mesh, 2 clips",
        ),
        ("compress tube.glb -o a.sinew", "a.sinew", "2 packed clips"),
        (
            "retarget mannequin.glb --onto mannequin.glb --clip walk --replace -o a.glb",
            "a.glb",
            "clip \"walk\" (0), ",
        ),
        (
            "retarget mannequin.glb --onto mannequin.glb --clip walk --write-map b.json -o a.glb",
            "b.json",
            "joint map, ",
        ),
    ];
    for (command, file, what) in table {
        let said = said(&folder, command);
        let begins = format!(
            "sinew: wrote {}{file}: ",
            if command.starts_with("demo") {
                "./"
            } else {
                ""
            }
        );
        let lines: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with(&begins))
            .collect();
        let [line] = lines[..] else {
            panic!("{command}: {said}");
        };
        assert!(line.contains(what), "{command}: {line}");
        let bytes = std::fs::metadata(folder.join(file))
            .expect("it was written")
            .len();
        let size = match bytes {
            0..1024 => format!(", {bytes} B"),
            1024..1_048_576 => format!(", {:.1} KiB", bytes as f64 / 1024.0),
            _ => format!(", {:.1} MiB", bytes as f64 / 1_048_576.0),
        };
        assert!(line.ends_with(&size), "{command}: {line}");
    }
    for command in [
        "skin tube.glb -o -",
        "sample tube.glb",
        "convert tube.glb -o -",
        "info tube.glb",
    ] {
        assert_eq!(said(&folder, command), "", "{command}");
    }
    assert!(
        !said(
            &folder,
            "retarget mannequin.glb --onto mannequin.glb --clip walk -o -"
        )
        .contains("wrote")
    );
}

#[test]
fn a_picture_of_nothing_and_a_time_where_none_passes_are_said() {
    if !std::process::Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["render", "--figure", "tube", "--size", "8x8", "-o", "-"])
        .output()
        .is_ok_and(|output| output.status.success())
    {
        assert!(
            std::env::var_os("SINEW_REQUIRE_GPU").is_none(),
            "there is no GPU"
        );
        eprintln!("SKIPPED: there is no GPU");
        return;
    }
    let folder = folder("said_pictures");
    write(&folder, "rod.bvh", ROD);
    let seen = |flags: &str| {
        said(
            &folder,
            &format!("render rod.bvh --size 8x8 -o a.png{flags}"),
        )
    };
    let said_of_it = seen("");
    assert!(said_of_it.contains("rod.bvh has no mesh"), "{said_of_it}");
    assert!(said_of_it.contains("--skeleton"), "{said_of_it}");
    assert!(
        said_of_it.contains("wrote a.png: a picture of 8 × 8 pixels, "),
        "{said_of_it}"
    );
    assert_eq!(seen(" --skeleton").lines().count(), 1);
    let late = seen(" --skeleton --time 9");
    assert!(
        late.contains("lasts from 0 to 0.1 s; at 9 s its last pose is used"),
        "{late}"
    );
    let still = seen(" --skeleton --rest --time 9");
    assert!(still.contains("--time 9 has no effect"), "{still}");
    let frames = said(
        &folder,
        "render rod.bvh --skeleton --fps 20 --size 8x8 -o f-{frame:02}.png",
    );
    assert!(
        frames.contains("wrote f-00.png to f-01.png: 2 pictures of 8 × 8 pixels, "),
        "{frames}"
    );
    let moving = said(
        &folder,
        "render rod.bvh --skeleton --fps 20 --size 8x8 -o m.png",
    );
    assert!(
        moving.contains("wrote m.png: an animation of 2 frames, 8 × 8 pixels, "),
        "{moving}"
    );
    let command = [
        "render", "rod.bvh", "--size", "8x8", "--time", "9", "-o", "a.png", "--json",
    ];
    let report = json(&String::from_utf8_lossy(&run(&folder, &command).stdout));
    assert_eq!(
        report["notes"].as_array().map(Vec::len),
        Some(2),
        "{report}"
    );
}
