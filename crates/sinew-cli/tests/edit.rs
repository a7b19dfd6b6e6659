//! `sinew edit`, and `sinew clip --key`: the files that they write, and their refusals.

use crate::program::{folder, good, json, refused, run, write};
use serde_json::{Value, json};
use sinew::{Character, LocalPose, sample};
use sinew_edit::{Editor, read_script};
use sinew_io::gltf::{ExportOptions, GltfImport, import, to_glb};
use sinew_samples::humanoid_character;
use std::path::{Path, PathBuf};

const SCRIPT: &str = r#"[
    {"do": "new_clip", "name": "nod"},
    {"do": "insert_key", "clip": "nod", "joint": "head", "time_secs": 0, "rotation": [0, 0, 0, 1]},
    {"do": "insert_key", "clip": "nod", "joint": "head", "time_secs": 0.5, "rotation": [0.6, 0, 0, 0.8], "limits": "allow"},
    {"do": "add_layer", "clip": "walk", "name": "look", "additive": true},
    {"do": "insert_key", "clip": "walk", "layer": "look", "joint": "head", "time_secs": 0.2,
        "rotation": [0, 0.6, 0, 0.8], "limits": "allow"}
]"#;
const LAST: &str = r#"{"do": "add_event", "clip": "nod", "time_secs": 0.25, "name": "down"}"#;

const LAST_OF_WALK: &str =
    r#"{"do": "add_event", "clip": "walk", "time_secs": 0.1, "name": "down"}"#;

fn person(name: &str) -> PathBuf {
    let folder = folder(name);
    let file = to_glb(&humanoid_character(), &ExportOptions::default()).expect("written");
    write(&folder, "person.glb", file);
    folder
}

fn read(folder: &Path, file: &str) -> GltfImport {
    import(folder.join(file)).expect("read")
}

fn clip(character: &Character, name: &str) -> usize {
    character.find_clip(name).expect(name)
}

#[test]
fn a_script_and_an_edit_write_keys_and_layers() {
    let folder = person("edit_script");
    write(&folder, "edits.json", SCRIPT);
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "edits.json",
        "--edit",
        LAST,
        "-o",
        "out.glb",
        "--json",
    ];
    let told = json(&good(&folder, &arguments));
    let edits = told["edits"].as_array().expect("edits");
    let names: Vec<&Value> = edits.iter().map(|edit| &edit["do"]).collect();
    let wanted = [
        "new_clip",
        "insert_key",
        "insert_key",
        "add_layer",
        "insert_key",
        "add_event",
    ];
    assert_eq!(names, wanted);
    let character = read(&folder, "out.glb").character;
    let head = character.skeleton.find("head").expect("a head");
    let nod = &character.clips[clip(&character, "nod")];
    assert_eq!(nod.events[0].name, "down");
    let track = nod.joint(head).and_then(|joint| joint.rotation.as_ref());
    let track = track.expect("rotations");
    assert_eq!(**track.times(), [0.0, 0.5]);
    assert_eq!(track.key(1), [0.6, 0.0, 0.0, 0.8]);
    // The layer is in the file, and the clip is its result.
    let walk = clip(&character, "walk");
    assert_eq!(character.layers.len(), 1);
    assert_eq!(character.layers[0].clip, walk);
    assert!(character.layers[0].gives(&character.skeleton, &character.clips[walk]));
    let info = json(&good(&folder, &["info", "--json", "out.glb"]));
    assert_eq!(info["clips"][walk]["layer_names"], json!(["look"]));
    let text = good(&folder, &["info", "out.glb"]);
    assert!(text.contains("1 layer (\"look\")"), "{text}");
    // A later edit finds the layer.
    let weight = r#"{"do": "set_layer", "clip": "walk", "layer": "look", "weight": 0.5}"#;
    good(
        &folder,
        &["edit", "out.glb", "--edit", weight, "-o", "half.glb"],
    );
    let half = read(&folder, "half.glb").character;
    assert_eq!(half.layers[0].layers[0].weight, 0.5);
    assert_ne!(half.clips[walk], character.clips[walk]);
    good(
        &folder,
        &["edit", "half.glb", "--flatten", "-o", "flat.glb"],
    );
    let flat = read(&folder, "flat.glb").character;
    assert!(flat.layers.is_empty());
    assert_eq!(flat.clips, half.clips);
}

#[test]
fn the_program_and_an_editor_write_the_same_bytes() {
    let folder = person("edit_same");
    write(&folder, "edits.json", SCRIPT);
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "edits.json",
        "--edit",
        LAST,
        "-o",
        "out.glb",
    ];
    good(&folder, &arguments);
    let import = read(&folder, "person.glb");
    let mut editor = Editor::new(import.character);
    for text in [SCRIPT, LAST] {
        for edit in read_script(text).expect("edits") {
            editor.run(edit).expect("an edit");
        }
    }
    let options = ExportOptions::new().source(Some(&import.source));
    let bytes = to_glb(&editor.document().character(), &options).expect("written");
    let written = std::fs::read(folder.join("out.glb")).expect("written");
    assert!(
        bytes == written,
        "{} and {} bytes",
        bytes.len(),
        written.len()
    );
}

#[test]
fn a_bad_edit_names_file_number_and_joint_and_writes_nothing() {
    let folder = person("edit_bad");
    let _ = std::fs::remove_file(folder.join("bad.glb"));
    let bad = r#"[{"do": "new_clip", "name": "nod"},
        {"do": "insert_key", "clip": "nod", "joint": "haed", "time_secs": 0, "rotation": [0, 0, 0, 1]}]"#;
    write(&folder, "bad.json", bad);
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "bad.json",
        "-o",
        "bad.glb",
    ];
    refused(
        &folder,
        &arguments,
        &["person.glb", "edit 2", "insert_key", "\"haed\"", "head"],
    );
    write(&folder, "unknown.json", "[{\"do\": \"fly\"}]");
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "unknown.json",
        "-o",
        "bad.glb",
    ];
    refused(&folder, &arguments, &["unknown.json", "edit 1", "fly"]);
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "none.json",
        "-o",
        "bad.glb",
    ];
    refused(&folder, &arguments, &["none.json"]);
    assert!(!folder.join("bad.glb").exists());
    let nothing = run(&folder, &["edit", "person.glb", "-o", "bad.glb"]);
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn poses_become_the_keys_of_a_clip() {
    let folder = person("edit_poses");
    write(
        &folder,
        "a.json",
        r#"[{"joint": "head", "rotation": [0.6, 0, 0, 0.8]}]"#,
    );
    let arguments = [
        "clip",
        "person.glb",
        "--key",
        "0=a.json",
        "--key",
        "0.4=walk@0.2",
        "--rename",
        "kick",
        "-o",
        "kick.glb",
    ];
    good(&folder, &arguments);
    let before = read(&folder, "person.glb").character;
    let after = read(&folder, "kick.glb").character;
    assert_eq!(after.clips.len(), before.clips.len() + 1);
    assert_eq!(after.clips[..before.clips.len()], before.clips);
    let at = |character: &Character, name: &str, time: f64| -> LocalPose {
        let mut pose = character.skeleton.rest().clone();
        let clip = &character.clips[clip(character, name)];
        sample(clip, &character.skeleton, time, &mut pose).expect("sampled");
        pose
    };
    let kick = &after.clips[clip(&after, "kick")];
    assert_eq!(kick.duration_secs, 0.4);
    let head = after.skeleton.find("head").expect("a head");
    let first = at(&after, "kick", 0.0);
    for joint in 0..after.skeleton.len() {
        let mut wanted = after.skeleton.rest().get(joint);
        if joint == head {
            wanted.rotation = glam::Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
        }
        assert_eq!(first.get(joint), wanted, "{}", after.skeleton.name(joint));
    }
    let (last, walk) = (
        at(&after, "kick", f64::from(0.4_f32)),
        at(&before, "walk", f64::from(0.2_f32)),
    );
    for joint in 0..after.skeleton.len() {
        let (last, walk) = (last.get(joint), walk.get(joint));
        // The sign of a rotation may differ. The error is the rounding of floats near 1.
        let off = (last.translation - walk.translation).length();
        let cosine = last.rotation.dot(walk.rotation).abs();
        assert!(
            off < 1e-6 && cosine > 1.0 - 1e-6,
            "{}",
            after.skeleton.name(joint)
        );
    }
    let arguments = [
        "clip",
        "person.glb",
        "--key",
        "0=none.json",
        "-o",
        "none.glb",
    ];
    refused(&folder, &arguments, &["person.glb", "none.json"]);
}

#[test]
fn other_formats_are_written_and_the_input_is_kept() {
    let folder = person("edit_formats");
    write(&folder, "edits.json", SCRIPT);
    let input = std::fs::read(folder.join("person.glb")).expect("read");
    let own = [
        "edit",
        "person.glb",
        "--edit",
        LAST_OF_WALK,
        "-o",
        "person.glb",
    ];
    refused(&folder, &own, &["person.glb", "--overwrite"]);
    assert_eq!(
        std::fs::read(folder.join("person.glb")).expect("read"),
        input
    );
    for output in ["out.bvh", "out.sinew"] {
        let said = run(
            &folder,
            &["edit", "person.glb", "--script", "edits.json", "-o", output],
        );
        let text = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(said.status.success(), "{output}: {text}");
        assert!(text.contains("layers of 1 clip are flattened"), "{text}");
    }
    let script = sinew_io::import(folder.join("out.bvh")).expect("read");
    assert_eq!(script.character.clips.len(), 1);
    let packed = sinew_io::import(folder.join("out.sinew"))
        .expect("read")
        .character;
    assert!(packed.find_clip("nod").is_some() && packed.find_clip("walk").is_some());
    let nod = [
        "edit",
        "person.glb",
        "--script",
        "edits.json",
        "--clip",
        "nod",
        "-o",
        "nod.bvh",
    ];
    good(&folder, &nod);
    let nod = sinew_io::import(folder.join("nod.bvh"))
        .expect("read")
        .character;
    assert!((nod.clips[0].duration_secs - 0.5).abs() < 0.02);
    let all = [
        "edit",
        "person.glb",
        "--edit",
        LAST_OF_WALK,
        "-o",
        "person.glb",
        "--overwrite",
    ];
    good(&folder, &all);
    assert_ne!(
        std::fs::read(folder.join("person.glb")).expect("read"),
        input
    );
}

#[test]
fn a_pull_says_how_far_it_missed() {
    let folder = person("edit_reach");
    let far = r#"{"do": "reach", "joint": "left_lower_arm", "position": [9, 9, 9]}"#;
    let said = run(
        &folder,
        &["edit", "person.glb", "--edit", far, "-o", "out.glb"],
    );
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(text.contains("; missed by "), "{text}");
}

/// The viewer runs a script with the commands of the program, and exports the same bytes.
#[cfg(feature = "view")]
#[test]
fn the_viewer_and_the_program_write_the_same_bytes() {
    use sinew_view::Session;
    use sinew_view::script::{Step, parse};
    let folder = person("edit_viewer");
    let pose = r#"{"do": "rotate", "joints": ["head"], "rotation": [0, 0.1, 0, 0.995], "over": {"clip": "nod", "time_secs": 0.3}},
        {"do": "key_pose", "clip": "nod", "time_secs": 0.3},
        {"do": "mirror_clip", "clip": "walk"}"#;
    let script = SCRIPT.replace("\n]", &format!(",\n{pose},\n{LAST}\n]"));
    write(&folder, "edits.json", &script);
    let arguments = [
        "edit",
        "person.glb",
        "--script",
        "edits.json",
        "-o",
        "out.glb",
    ];
    good(&folder, &arguments);
    let mut session = Session::opening([folder.join("person.glb")]);
    let settle = |session: &mut Session| {
        for _ in 0..6000 {
            session.advance(0.0);
            if !session.is_busy() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("still busy after half a minute");
    };
    settle(&mut session);
    for step in parse(&script).expect("commands") {
        if let Step::Do(command) = step {
            session.run(command);
        }
    }
    let said: Vec<String> = session
        .messages()
        .iter()
        .map(|said| said.text.clone())
        .collect();
    let shown = folder.join("shown.glb");
    let export = json!([{"do": "export", "what": "glb", "path": shown}]);
    for step in parse(&export.to_string()).expect("a command") {
        if let Step::Do(command) = step {
            session.run(command);
        }
    }
    settle(&mut session);
    let read = |file: &str| std::fs::read(folder.join(file)).expect("written");
    assert!(read("out.glb") == read("shown.glb"), "{said:?}");
}
