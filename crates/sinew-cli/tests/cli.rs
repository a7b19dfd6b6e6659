//! The program as a person meets it: what it prints, what it writes, how it refuses. Inputs are what
//! `sinew demo` makes.

use serde_json::Value;
use sinew_io::gltf;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with the demo's files in it, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("sinew-cli-{}-{number}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        good(&["demo", "--no-pictures", "-o", &folder.at("")]);
        folder
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
}

fn run(arguments: &[&str]) -> Output {
    let output = program().args(arguments).output();
    output.expect("the program starts")
}

fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("it reads to the end");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Standard output of a run that must succeed without a word on standard error.
#[track_caller]
fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    text(&output.stdout)
}

/// Standard error of a run that must end with `code` and print nothing else.
#[track_caller]
fn bad(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    said
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().expect("a list");
    values
        .iter()
        .map(|v| v.as_f64().expect("a number"))
        .collect()
}

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
        (&["convert", &tube, "-o", "tube.fbx"], ".glb or .gltf"),
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
            "not a glTF, GLB, BVH or .sinew file",
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
        (&["skin", &tube, "-o", &nowhere], &nowhere, "make it first"),
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
    let verbs: [(&str, &[&str]); 6] = [
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
        ("convert", &["--output", ".glb", ".gltf"]),
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
    assert!(program.contains("Exit code"));
    assert!(good(&["--version"]).starts_with("sinew "));
}

#[test]
fn spec_105_the_demo_sets_the_methods_side_by_side_and_writes_files_that_info_reads() {
    let folder = Folder::new();
    let printed = good(&["demo", "--no-pictures", "-o", &folder.at("again/and again")]);
    for wanted in [
        "linear blend",
        "dual quaternion",
        "rigid",
        "tube twist 170°",
        "wrote",
    ] {
        assert!(printed.contains(wanted), "{wanted}: {printed}");
    }
    let said = good(&["info", &folder.at("again/and again/mannequin.glb")]);
    for wanted in [
        "52 joints",
        "\"walk\": 1.040 s",
        "2 events, 1 curve",
        "nothing is odd",
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
    assert_eq!(moments.len(), 9);
    let twisted = moments
        .iter()
        .find(|m| m["clip"] == "twist" && m["angle_deg"] == 170.0)
        .expect("it is measured");
    let kept = |method: &str| twisted[method].as_f64().expect("a number");
    assert!((kept("lbs") - 0.668).abs() < 1e-3, "{twisted}");
    assert!((kept("dqs") - 1.001).abs() < 1e-3, "{twisted}");
}

#[test]
fn spec_16_104_info_counts_freedom_and_memory() {
    let folder = Folder::new();
    let info = json(&good(&["info", "--json", &folder.at("mannequin.glb")]));
    assert_eq!(info["joints"], 52);
    // The body and the sword.
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
    // Thirty-two keys a track, 12 bytes a vertex.
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
fn skinning_to_json_has_the_layout_of_the_references() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let file = folder.at("tube.json");
    let arguments = [
        "skin", &tube, "--clip", "bend", "--time", "0,1,2", "--method", "dqs",
    ];
    let printed = good(&arguments);
    assert_eq!(good(&[&arguments[..], &["-o", &file]].concat()), "");
    assert_eq!(
        std::fs::read_to_string(&file).expect("it was written"),
        printed
    );

    let document = json(&printed);
    assert_eq!(document["format"], "skinref/1");
    assert_eq!(document["matrixOrder"], "column-major");
    let clip = &document["clip"];
    assert_eq!((&clip["index"], &clip["name"]), (&1.into(), &"bend".into()));
    assert_eq!(clip["duration"], 2.0);
    assert_eq!(document["meshes"][0]["vertexCount"], 818);
    assert_eq!(document["nodeIndices"], serde_json::json!([0, 1, 2]));
    let samples = document["samples"].as_array().expect("a list");
    assert_eq!(samples.len(), 3);
    for (sample, t) in samples.iter().zip([0.0, 1.0, 2.0]) {
        assert_eq!(sample["t"], t);
        assert_eq!(sample["nodeWorld"].as_array().map(Vec::len), Some(3));
        assert_eq!(numbers(&sample["nodeWorld"][1]).len(), 16);
        let mesh = &sample["meshes"][0];
        let positions = numbers(&mesh["positions"]);
        assert_eq!(positions.len(), 3 * 818);
        assert_eq!(numbers(&mesh["normals"]).len(), 3 * 818);
        for (axis, (min, max)) in numbers(&mesh["min"])
            .iter()
            .zip(numbers(&mesh["max"]))
            .enumerate()
        {
            let along = positions.iter().skip(axis).step_by(3);
            assert!(along.clone().all(|x| (*min..=max).contains(x)));
            assert!(along.clone().any(|x| x == min) && along.clone().any(|x| *x == max));
        }
    }
    // 60° about z at half time, then 120°, of a joint at height 1.
    let matrix = numbers(&samples[1]["nodeWorld"][1]);
    assert!((matrix[0] - 0.5).abs() < 1e-6 && (matrix[13] - 1.0).abs() < 1e-6);
    let matrix = numbers(&samples[2]["nodeWorld"][1]);
    assert!((matrix[0] + 0.5).abs() < 1e-6);
}

#[test]
fn clips_go_by_name_and_number_and_methods_differ() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let skin = |rest: &[&str]| good(&[&["skin", &tube], rest].concat());
    let twisted = skin(&["--clip", "twist", "--time", "1.5"]);
    assert_eq!(skin(&["--clip", "0", "--time", "1.5"]), twisted);
    assert_eq!(skin(&["--time", "1.5"]), twisted, "the first clip");
    assert_ne!(skin(&["--clip", "1", "--time", "1.5"]), twisted);
    assert_eq!(skin(&["--time", "1.5", "--method", "lbs"]), twisted);
    let rigid = skin(&["--time", "1.5", "--method", "rigid"]);
    let dqs = skin(&["--time", "1.5", "--method", "dqs"]);
    assert!(rigid != twisted && dqs != twisted && rigid != dqs);

    let rest = json(&skin(&[]));
    assert_eq!(rest["clip"], Value::Null);
    let at_start = json(&skin(&["--clip", "twist"]));
    assert_eq!(at_start["samples"][0]["t"], 0.0);
    assert_eq!(
        at_start["samples"][0]["meshes"],
        rest["samples"][0]["meshes"]
    );
}

#[test]
fn poses_are_sampled_to_json_and_csv() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let all = json(&good(&["sample", &tube, "--clip", "twist", "--fps", "2"]));
    let joints = all["joints"].as_array().expect("joints");
    let samples = all["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 5, "two seconds, ends counted");
    assert_eq!(samples[3]["time"], 1.5);
    let last = joints.last().expect("some")["name"]
        .as_str()
        .expect("a name");
    let one = json(&good(&["sample", &tube, "--time", "1.5", "--joints", last]));
    assert_eq!(one["joints"][0]["name"], last);
    for channel in ["translation", "rotation", "scale", "worldPosition"] {
        let whole = samples[3][channel].as_array().expect("one a joint");
        assert_eq!(whole.len(), joints.len());
        assert_eq!(one["samples"][0][channel][0], *whole.last().expect("some"));
    }
    let table = folder.at("poses.csv");
    good(&["sample", &tube, "--time", "0,1.5", "-o", &table]);
    let table = std::fs::read_to_string(table).expect("written");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 1 + 2 * joints.len());
    assert!(rows[1..].iter().all(|row| row.split(',').count() == 15));
    let events = json(&good(&["sample", &tube, "--events"]));
    assert!(events["events"].is_array());
    let nobody = bad(&["sample", &tube, "--joints", "tail"], 1);
    assert!(
        nobody.contains("tail") && nobody.contains("sinew info"),
        "{nobody}"
    );
    bad(&["sample", &tube, "--fps", "0"], 2);
}

#[test]
fn times_outside_the_clip_hold_its_ends_and_are_mentioned() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let at = |time: &str| {
        let output = run(&["skin", &tube, "--time", time]);
        assert_eq!(output.status.code(), Some(0));
        let mut document = json(&text(&output.stdout));
        (
            document["samples"][0]["meshes"].take(),
            text(&output.stderr),
        )
    };
    let (first, quiet) = at("0");
    assert_eq!(quiet, "");
    let (last, quiet) = at("2");
    assert_eq!(quiet, "");
    let (after, said) = at("99");
    assert_eq!(after, last);
    assert!(said.contains("99 s its last pose"), "{said}");
    let (before, said) = at("-1");
    assert_eq!(before, first);
    assert!(said.contains("-1 s its first pose"), "{said}");
}

#[test]
fn skinning_to_obj_ply_and_glb_keeps_every_vertex_and_triangle() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let moment = ["skin", &tube, "--clip", "bend", "--time", "2"];
    let write = |name: &str| {
        let file = folder.at(name);
        assert_eq!(good(&[&moment[..], &["-o", &file]].concat()), "");
        std::fs::read(file).expect("it was written")
    };
    let document = json(&good(&moment));
    let wanted = numbers(&document["samples"][0]["meshes"][0]["positions"]);

    let obj = text(&write("bent.obj"));
    let lines = |kind: &str| {
        obj.lines()
            .filter(|l| l.split(' ').next() == Some(kind))
            .count()
    };
    assert_eq!((lines("v"), lines("vn"), lines("f")), (818, 818, 1536));
    let vertices = obj.lines().filter_map(|l| l.strip_prefix("v "));
    let found: Vec<f64> = vertices
        .flat_map(|l| l.split(' '))
        .map(|x| x.parse::<f32>().expect("a number").into())
        .collect();
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6));

    let ply = write("bent.PLY");
    let header = "element vertex 818\n";
    let end = b"end_header\n";
    let body = ply
        .windows(end.len())
        .position(|w| w == end)
        .expect("a header")
        + end.len();
    assert!(text(&ply[..body]).contains(header));
    assert_eq!(ply.len() - body, 818 * 24 + 1536 * 13);

    write("bent.glb");
    let again = gltf::import(folder.at("bent.glb")).expect("it can be read");
    let primitive = &again.character.meshes[0].primitives[0];
    assert!(again.character.clips.is_empty() && again.character.skins.is_empty());
    assert_eq!(primitive.triangles().count(), 1536);
    let found = primitive.positions.iter().flat_map(|p| p.to_array());
    assert!(
        found
            .zip(&wanted)
            .all(|(a, b)| (f64::from(a) - b).abs() < 1e-6)
    );
}

#[test]
fn converting_there_and_back_changes_nothing_that_info_sees() {
    let folder = Folder::new();
    let (glb, gltf) = (folder.at("mannequin.glb"), folder.at("mannequin.gltf"));
    let back = folder.at("back.glb");
    assert_eq!(good(&["convert", &glb, "-o", &gltf]), "");
    assert_eq!(good(&["convert", &gltf, "-o", &back]), "");
    let info = |file: &str| json(&good(&["info", "--json", "--joints", file]));
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
        said.contains("1 thing repaired") && said.contains("sinew info"),
        "{said}"
    );
    let info = good(&["info", &text_file]);
    assert!(
        info.contains("odd about this file") && info.contains("/nodes/0/rotation"),
        "{info}"
    );
}

/// A reader that has seen enough closes the pipe.
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
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn spec_103_bench_times_linear_and_dual_quaternion_beside_a_copy() {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args([
            "bench",
            "--json",
            "--filter",
            "/pn-parallel",
            "--budget",
            "1",
        ])
        .output()
        .expect("runs");
    assert!(output.status.success());
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = rows.as_array().expect("rows");
    for name in ["skin/lbs/pn-parallel", "skin/dqs/pn-parallel"] {
        let row = rows.iter().find(|row| row["name"] == name).expect(name);
        for number in [
            "influences",
            "items",
            "ns_per_item",
            "times_copy",
            "times_glam",
        ] {
            assert!(
                row[number].as_f64().is_some_and(|n| n > 0.0),
                "{name}: {number}"
            );
        }
        assert!(row["level"].is_string());
    }
    let refused = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["bench", "--level", "mmx"])
        .output()
        .expect("runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it has"));
}

#[test]
fn bench_times_a_blend_beside_a_plain_loop() {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["bench", "--json", "--filter", "pose/blend", "--budget", "1"])
        .output()
        .expect("runs");
    assert!(output.status.success());
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = rows.as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["items"]), (1, &67.into()));
    for number in ["ns_per_item", "times_plain"] {
        assert!(
            rows[0][number].as_f64().is_some_and(|n| n > 0.0),
            "{number}"
        );
    }
}
