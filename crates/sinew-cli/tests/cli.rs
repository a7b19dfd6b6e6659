//! Output, files and errors of the program, on the files of `sinew demo`.

use crate::program;

use program::demo::{Folder, bad, besides, good, json, piped, program, run, text};
use program::verbs as verbs_of_the_program;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

#[test]
fn wrong_usage_is_refused_with_exit_code_2() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let obj = folder.at("two.obj");
    let table: [(&[&str], &str); 13] = [
        (&[], "Usage"),
        (&["dance"], "dance"),
        (&["info"], "<INPUT>"),
        (&["info", &tube, "--loud"], "--loud"),
        (&["convert", &tube], "--output"),
        (
            &["convert", &tube, "-o", "tube.fbx"],
            ".glb, .gltf, .vrm, .bvh or .html",
        ),
        (
            &["skin", &tube, "-o", "tube.fbx"],
            ".json, .obj, .ply or .glb",
        ),
        (&["skin", &tube, "-o", "tube"], ".json, .obj, .ply or .glb"),
        (&["skin", &tube, "--method", "magic"], "rigid, lbs, dqs"),
        (&["skin", &tube, "--time", "noon"], "seconds"),
        (&["skin", &tube, "--time", "nan"], "seconds"),
        (&["skin", &tube, "--time", "0,inf"], "seconds"),
        (&["skin", &tube, "--time", "0,1", "-o", &obj], "one --time"),
    ];
    for (arguments, wanted) in table {
        let said = bad(arguments, 2);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    assert!(!Path::new(&obj).exists());
}

#[test]
fn bad_inputs_and_outputs_are_refused_with_exit_code_1_by_name() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let missing = folder.at("missing.glb");
    let prose = folder.at("prose.txt");
    std::fs::write(&prose, "Once upon a time").expect("the folder is ours");
    let cut = folder.at("cut.glb");
    let whole = std::fs::read(&tube).expect("the demo wrote it");
    std::fs::write(&cut, &whole[..whole.len() / 2]).expect("the folder is ours");
    let broken = folder.at("broken.gltf");
    std::fs::write(&broken, "{\n  \"asset\": 7,,\n}").expect("the folder is ours");
    let nowhere = folder.at("no/such/folder.obj");
    let taken = folder.at("taken.obj");
    std::fs::create_dir(&taken).expect("the folder is ours");
    let still = folder.at("still.glb");
    good(&["skin", &tube, "-o", &still]);

    let table: [(&[&str], &str, &str); 10] = [
        (&["info", &missing], &missing, "cannot read"),
        (&["info", &folder.at("")], &folder.at(""), "cannot read"),
        (
            &["info", &prose],
            &prose,
            "not a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file",
        ),
        (&["info", &cut], &cut, "export the file again"),
        (&["info", &broken], &broken, "line 2"),
        (
            &["skin", &tube, "--clip", "fly"],
            &tube,
            "\"twist\" (0) and \"bend\" (1)",
        ),
        (
            &["skin", &tube, "--clip", "2"],
            &tube,
            "\"twist\" (0) and \"bend\" (1)",
        ),
        (&["skin", &still, "--time", "1"], &still, "no clips"),
        (
            &["skin", &tube, "-o", &nowhere],
            &nowhere,
            "create it first",
        ),
        (&["skin", &tube, "-o", &taken], &taken, "cannot write"),
    ];
    for (arguments, file, wanted) in table {
        let said = bad(arguments, 1);
        assert!(said.starts_with("sinew: "), "{said}");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
        assert_eq!(said.matches(file).count(), 1, "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(said.matches("os error").count().max(1), 1, "{said}");
    }
    let said = bad(&["demo", "-o", &prose], 1);
    assert!(said.contains(&prose) && said.contains("-o"), "{said}");
    let output = piped(&["info", "-"], b"glTF");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("standard input"));
}

#[test]
fn help_names_every_verb_and_every_flag() {
    let program = good(&["--help"]);
    let verbs: [(&str, &[&str]); 8] = [
        ("demo", &["--output", "--no-pictures", "--json"]),
        ("info", &["--json", "--joints", "<INPUT>"]),
        (
            "skin",
            &[
                "--output", "--clip", "--time", "--method", "rigid", "lbs", "dqs",
            ],
        ),
        (
            "measure",
            &["--clip", "--method", "--fps", "--fail-if", "--json"],
        ),
        (
            "convert",
            &[
                "--output",
                ".glb",
                ".gltf",
                ".vrm",
                ".bvh",
                "--scale",
                "auto",
                "--clip",
                "--fps",
                "--offsets",
            ],
        ),
        ("bench", &["--filter", "--budget", "--level", "pose/"]),
        (
            "render",
            &[
                "glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew",
                ".png",
                ".apng",
                "{frame}",
                "{frame:04}",
                "rigid",
                "lbs",
                "dqs",
                "quat",
                "mannequin",
                "--skeleton",
                "--axes",
                "--weights",
                "dominant",
                "--wireframe",
                "--grid",
                "turntable",
                "bloom",
                "--zoom",
                "--fov",
                "--target",
                "--follow",
                "--floor",
                "--names",
                "--sheet",
                "--raw",
                "--report",
                ".gif",
                ".jpg",
                ".mp4",
                ".webm",
            ],
        ),
        (
            "sample",
            &["--clip", "--time", "--fps", "--joints", "--events"],
        ),
    ];
    for (verb, flags) in verbs {
        assert!(program.contains(verb));
        let help = good(&[verb, "--help"]);
        for flag in flags {
            assert!(help.contains(flag), "{verb} does not name {flag}: {help}");
        }
        assert!(good(&["help", verb]).contains("Usage"));
    }
    for verb in verbs_of_the_program() {
        let takes = good(&[&verb, "--help"]).contains("--json");
        let reports = !["skin", "view", "completions", "man"].contains(&&*verb);
        assert_eq!(takes, reports, "{verb}");
    }
    let words: Vec<&str> = program.split_whitespace().collect();
    assert!(
        words.join(" ").contains("Exit codes: 0 success"),
        "{program}"
    );
    assert!(good(&["--version"]).starts_with("sinew "));
}

#[test]
fn the_demo_sets_the_methods_side_by_side_and_writes_files_that_info_reads() {
    let folder = Folder::new();
    let printed = good(&["demo", "--no-pictures", "-o", &folder.at("again/and again")]);
    for wanted in [
        "linear blend",
        "dual quaternion",
        "rigid",
        "tube twist 170°",
        "next steps",
    ] {
        assert!(printed.contains(wanted), "{wanted}: {printed}");
    }
    let said = good(&["info", &folder.at("again/and again/mannequin.glb")]);
    for wanted in [
        "52 joints",
        "\"walk\": 1.040 s",
        r#"2 events ("footstep_left", "footstep_right"), 1 curve ("travel")"#,
        "findings   none",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }

    let measured = json(&good(&[
        "demo",
        "--no-pictures",
        "--json",
        "-o",
        &folder.at(""),
    ]));
    let moments = measured["moments"].as_array().expect("a list");
    assert_eq!(moments.len(), 7);
    let twisted = moments
        .iter()
        .find(|m| m["clip"] == "twist" && m["angle_deg"] == 170.0)
        .expect("it is measured");
    let kept = |method: &str| twisted[method].as_f64().expect("a number");
    assert!((kept("lbs") - 0.668).abs() < 1e-3, "{twisted}");
    assert!((kept("dqs") - 1.001).abs() < 1e-3, "{twisted}");
    // The shoulder's own ring, not the whole body.
    let shoulder = &measured["shoulder"][0];
    let kept = |method: &str| shoulder[method].as_f64().expect("a number");
    assert!(kept("lbs") < 0.8 && kept("dqs") > 0.9, "{shoulder}");
    // Table 1 of Xu et al., whose sum of faces leaves the sword out.
    let table = measured["table"].as_array().expect("a list");
    let sum = |column: &str| {
        let rows = table[..3].iter().map(|row| row[column].as_u64());
        rows.map(|count| count.expect("a number")).sum::<u64>()
    };
    for column in ["vertices", "faces", "published_vertices", "published_faces"] {
        assert_eq!(table[3][column], sum(column), "{column}");
    }
    assert_eq!(table[3]["published_faces"], 18037);
}

#[test]
fn info_counts_freedom_and_memory() {
    let folder = Folder::new();
    let info = json(&good(&["info", "--json", &folder.at("mannequin.glb")]));
    assert_eq!(info["joints"], 52);
    assert_eq!(info["nodes"], 54);
    assert!(info["degrees_of_freedom"].as_u64() > Some(20));
    assert_eq!(info["skins"][0]["joints"], 52);
    assert_eq!(info["meshes"][0]["morph_targets"], 0);
    assert_eq!(info["findings"], Value::Array(Vec::new()));
    assert!(info.get("tree").is_none());
    let clips = info["clips"].as_array().expect("a list");
    let clip = clips
        .iter()
        .find(|c| c["name"] == "walk")
        .expect("it walks");
    let meshes = info["meshes"].as_array().expect("a list");
    let vertices: u64 = meshes.iter().filter_map(|m| m["vertices"].as_u64()).sum();
    let (keys, moving) = (&clip["bytes"], &clip["bytes_as_vertices"]);
    // Thirty-two keys per track, 12 bytes per vertex.
    assert_eq!(moving.as_u64(), Some(32 * 12 * vertices));
    assert!(moving.as_u64() > keys.as_u64().map(|b| 40 * b), "{clip}");
    let all: u64 = clips.iter().filter_map(|c| c["bytes"].as_u64()).sum();
    assert_eq!(info["bytes"]["clips"].as_u64(), Some(all));

    let tree = json(&good(&[
        "info",
        "--json",
        "--joints",
        &folder.at("tube.glb"),
    ]));
    assert_eq!(tree["tree"][1]["name"], "upper");
    assert_eq!(tree["tree"][1]["parent"], 0);
    let printed = good(&["info", "--joints", &folder.at("tube.glb")]);
    assert!(
        printed.contains("\n  0 lower (") && printed.contains("\n    1 upper ("),
        "{printed}"
    );
}

#[test]
fn converting_there_and_back_changes_nothing_that_info_sees() {
    let folder = Folder::new();
    let (glb, gltf) = (folder.at("mannequin.glb"), folder.at("mannequin.gltf"));
    let back = folder.at("back.glb");
    assert_eq!(good(&["convert", &glb, "-o", &gltf]), "");
    assert_eq!(good(&["convert", &gltf, "-o", &back]), "");
    let info = |file: &str| {
        let mut info = json(&good(&["info", "--json", "--joints", file]));
        assert_eq!(info["file"].take(), *file);
        info
    };
    assert_eq!(info(&glb), info(&gltf));
    assert_eq!(info(&glb), info(&back));
    let walk = |file: &str| good(&["skin", file, "--clip", "walk", "--time", "0.3"]);
    assert_eq!(walk(&glb), walk(&back));
    let names = std::fs::read_dir(&folder.0)
        .expect("the folder is ours")
        .count();
    assert_eq!(names, 4, "one file each, and nothing beside it");
}

#[test]
fn a_dash_is_standard_input_or_output() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let bytes = std::fs::read(&tube).expect("the demo wrote it");
    let info = piped(&["info", "-"], &bytes);
    assert_eq!(text(&info.stdout), good(&["info", &tube]));
    let skin = piped(&["skin", "-", "-o", "-", "--time", "1"], &bytes);
    assert_eq!(text(&skin.stdout), good(&["skin", &tube, "--time", "1"]));
    let copy = piped(&["convert", "-", "-o", "-"], &bytes);
    assert_eq!(text(&copy.stderr), "");
    assert!(copy.stdout.starts_with(b"glTF"));
    let info = piped(&["info", "-"], &copy.stdout);
    assert_eq!(text(&info.stdout), good(&["info", &tube]));
}

#[test]
fn what_was_repaired_is_mentioned_and_listed_by_info() {
    let folder = Folder::new();
    let text_file = folder.at("tube.gltf");
    good(&["convert", &folder.at("tube.glb"), "-o", &text_file]);
    let written = std::fs::read_to_string(&text_file).expect("it was written");
    let mut document = json(&written);
    document["nodes"][0]["rotation"] = serde_json::json!([0, 0, 0, 0.5]);
    std::fs::write(&text_file, document.to_string()).expect("the folder is ours");
    let output = run(&["skin", &text_file]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("1 problem of ") && said.contains("sinew info"),
        "{said}"
    );
    let info = good(&["info", &text_file]);
    assert!(
        info.contains("findings:") && info.contains("/nodes/0/rotation"),
        "{info}"
    );
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new();
    for arguments in [
        vec![
            "demo".to_owned(),
            "--no-pictures".to_owned(),
            "-o".to_owned(),
            folder.at(""),
        ],
        vec!["skin".to_owned(), folder.at("mannequin.glb")],
    ] {
        let mut child = program()
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(besides(&text(&output.stderr)), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}
