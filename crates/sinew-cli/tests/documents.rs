//! Commands in README and docs: each command of a code block runs, on files made by code under the names in it.

use crate::beasts::{steed, walking_dog};
use crate::machine::MACHINE;
use crate::made_vrm::{Version, avatar, glb};
use crate::mocap::c3d;
use crate::program::{demo_files, folder, good, root, run, write};
use crate::render::is_without_gpu;
use crate::retarget_bodies::save;
use sinew_io::gltf::ExportOptions;
use std::fs;
use std::path::{Path, PathBuf};

/// A body of legs alone.
const ROBOT_BVH: &str = "HIERARCHY
ROOT Hips
{
OFFSET 0 90 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
LEG
}
MOTION
Frames: 1
Frame Time: 0.1
0 90 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
";

#[test]
fn every_command_of_the_documents_runs() {
    if is_without_gpu() {
        return;
    }
    let inputs = inputs();
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let commands = commands(&text);
        // Counted without regard to blocks: only a line of Cargo.toml begins like a command.
        let lines = text
            .lines()
            .map(|line| line.trim().trim_start_matches("$ "));
        let is_command = |line: &&str| line.starts_with("sinew ") && !line.starts_with("sinew = ");
        let expected = lines.filter(is_command).count();
        assert_eq!(commands.len(), expected, "{}", document.display());
        if commands.is_empty() {
            continue;
        }
        let name = document.file_stem().expect("a name").to_string_lossy();
        let folder = folder(&format!("documents_{name}"));
        for input in fs::read_dir(&inputs).expect("a folder").flatten() {
            if input.path().is_file() {
                fs::copy(input.path(), folder.join(input.file_name())).expect("a copy");
            }
        }
        add_batch(&folder, &text);
        write(&folder, "walk.json", MACHINE);
        for command in commands {
            let words = small(words(&command));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = run(&folder, &words);
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{}: {command}: {message}",
                document.display()
            );
            count += 1;
        }
    }
    assert!(count > 75, "{count} commands were found");
}

/// The recipe of a document, or that of `docs/batch.md`, with a take.
fn add_batch(folder: &Path, document: &str) {
    const BEGIN: &str = "```toml\n# nightly.toml";
    let guide = fs::read_to_string(root().join("docs/batch.md")).expect("a document");
    let recipe = document.split(BEGIN).nth(1).or(guide.split(BEGIN).nth(1));
    let recipe = recipe.and_then(|rest| rest.split("```").next());
    write(
        folder,
        "nightly.toml",
        format!("#{}", recipe.expect("a recipe")),
    );
    fs::create_dir_all(folder.join("takes/monday")).expect("the folder is ours");
    fs::copy(
        folder.join("walk.bvh"),
        folder.join("takes/monday/walk.bvh"),
    )
    .expect("a take");
}

#[test]
fn commands_after_a_block_of_another_language_are_found() {
    let text = "sinew no\n```text\nsinew no\n```\nsinew no\n```sh\nsinew a \\\n  b  # c\n```\n```\n$ sinew d\n```";
    assert_eq!(commands(text), ["sinew a b", "sinew d"]);
}

#[test]
fn makefile_scripts_and_examples_that_documents_name_are_there() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("a Makefile");
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for line in text.lines() {
            let quoted = line.split('`').skip(1).step_by(2);
            for command in quoted.chain([line.trim().trim_start_matches("$ ")]) {
                let words: Vec<&str> = command.split_whitespace().collect();
                let is_there = match words[..] {
                    ["make", target, ..] => makefile.contains(&format!("\n{target}:")),
                    [script, ..] if script.starts_with("scripts/") => root().join(script).exists(),
                    ["cargo", ..] => has_program(&words),
                    _ => continue,
                };
                assert!(is_there, "{}: {command}", document.display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} commands were found");
}

/// True if the example or benchmark that a command of Cargo names has a source.
fn has_program(words: &[&str]) -> bool {
    let after = |flag: &str| {
        let at = words.iter().position(|word| *word == flag)?;
        words.get(at + 1).copied()
    };
    let package = after("-p").unwrap_or("sinew");
    let has = |kind: &str, name: &str| {
        let sources = root().join("crates").join(package).join(kind);
        sources.join(format!("{name}.rs")).is_file() || sources.join(name).is_dir()
    };
    after("--example").is_none_or(|name| has("examples", name))
        && after("--bench").is_none_or(|name| has("benches", name))
}

/// README, guides, records and the pages of crates.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let crates = fs::read_dir(root().join("crates")).expect("crates");
    found.extend(crates.flatten().map(|c| c.path().join("README.md")));
    for folder in ["docs", "docs/records"] {
        let entries = fs::read_dir(root().join(folder)).expect("documents");
        let paths = entries.flatten().map(|entry| entry.path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    found.retain(|path| path.is_file());
    found.sort();
    found
}

/// Commands of `sinew` in the code blocks of a document, each in one line and without its comment.
fn commands(text: &str) -> Vec<String> {
    let (mut found, mut language, mut open) = (Vec::new(), None, String::new());
    for line in text.lines().map(str::trim) {
        if let Some(begun) = line.strip_prefix("```") {
            // The fence that closes a block begins none, whatever the language of the block is.
            language = if language.is_none() {
                Some(begun)
            } else {
                None
            };
            continue;
        }
        if !matches!(language, Some("" | "sh")) {
            continue;
        }
        open += line.trim_start_matches("$ ");
        if let Some(part) = open.strip_suffix('\\') {
            open.truncate(part.len());
            continue;
        }
        let line = std::mem::take(&mut open);
        let command = line.split("  #").next().unwrap_or(&line).trim();
        if command.starts_with("sinew ") {
            found.push(command.to_owned());
        }
    }
    found
}

/// Arguments of a command, without the program's name and without quotes.
fn words(command: &str) -> Vec<String> {
    let (mut found, mut is_quoted) = (vec![String::new()], false);
    for c in command.chars() {
        match (c, is_quoted) {
            ('"', _) => is_quoted = !is_quoted,
            (' ', false) => found.push(String::new()),
            _ => found.last_mut().expect("one at least").push(c),
        }
    }
    found.retain(|word| !word.is_empty());
    found.remove(0);
    found
}

/// The same command with small pictures, few frames and no window.
fn small(mut words: Vec<String>) -> Vec<String> {
    if words[0].contains('.') {
        words.insert(0, "view".to_owned());
    }
    let options: &[(&str, &str)] = match words[0].as_str() {
        "view" => &[("--size", "400x300"), ("--screenshot", "small.png")],
        "render" => &[("--size", "40x30")],
        "bench" => &[("--filter", "tree/"), ("--budget", "1")],
        _ => &[],
    };
    for (flag, value) in options {
        match words.iter().position(|word| word == flag) {
            Some(at) => words[at + 1] = (*value).to_owned(),
            None => words.extend([*flag, *value].map(str::to_owned)),
        }
    }
    if words[0] == "demo" {
        let takes_mesh = words.iter().any(|word| word.ends_with(".obj"));
        let option = if takes_mesh {
            "--small"
        } else {
            "--no-pictures"
        };
        words.push(option.to_owned());
    }
    // A shell would have listed the files.
    let listed = |word: String| match word.as_str() {
        "*.glb" => vec!["hero.glb".to_owned(), "scan.glb".to_owned()],
        _ => vec![word],
    };
    words.into_iter().flat_map(listed).collect()
}

/// A folder with every file that the documents' commands read.
fn inputs() -> PathBuf {
    let folder = folder("documents_inputs");
    let demo = demo_files();
    for name in ["hero.glb", "skeleton.glb"] {
        fs::copy(demo.join("mannequin.glb"), folder.join(name)).expect("a copy");
    }
    let make = |arguments: &[&str]| {
        good(&folder, arguments);
    };
    make(&["convert", "hero.glb", "--clip", "walk", "-o", "walk.bvh"]);
    make(&["convert", "hero.glb", "--clip", "wave", "-o", "clap.bvh"]);
    for name in ["take.bvh", "truth.bvh"] {
        fs::copy(folder.join("walk.bvh"), folder.join(name)).expect("a copy");
    }
    make(&["skin", "hero.glb", "-o", "scan.obj"]);
    for name in ["scan.glb", "mesh.glb", "statue.glb"] {
        make(&["skin", "hero.glb", "-o", name]);
    }
    let tube = demo.join("tube.glb").display().to_string();
    make(&["skin", &tube, "-o", "eel.glb"]);
    let leg = |side: &str| {
        let joint = |name: &str, y: f32, inner: &str| {
            format!(
                "JOINT {side}{name}\n{{\nOFFSET 0 {y} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inner}}}\n"
            )
        };
        let foot = joint("Foot", -40.0, "End Site\n{\nOFFSET 0 0 12\n}\n");
        joint("UpLeg", -5.0, &joint("Leg", -40.0, &foot))
    };
    let legs = leg("Left") + &leg("Right");
    write(&folder, "robot.bvh", ROBOT_BVH.replace("LEG\n", &legs));
    make(&["convert", "robot.bvh", "-o", "robot.glb"]);
    write(&folder, "avatar.vrm", glb(&avatar(Version::V1)));
    for name in ["trial.c3d", "walk.c3d"] {
        write(&folder, name, c3d(&crate::mocap::walk(12)).bytes());
    }
    write(&folder, "steps.json", r#"[{"do": "clip", "clip": 1}]"#);
    let guide = fs::read_to_string(root().join("docs/edit.md")).expect("a guide");
    let script = guide
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    write(&folder, "kick.json", script.expect("a script in the guide"));
    let pose = r#"[{"joint": "right_upper_leg", "rotation": [-0.5, 0, 0, 0.866]}]"#;
    write(&folder, "kick_pose.json", pose);
    write(&folder, "bubble.gltf", BUBBLE);
    let (dog, walk) = walking_dog();
    save(&folder, "dog.glb", dog, Some(walk));
    save(&folder, "horse.glb", steed(), None);
    without_weights(&folder);
    folder
}

/// A file whose one material has colours of thin films.
const BUBBLE: &str = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "bubble"}],
    "extensionsUsed": ["KHR_materials_iridescence"],
    "materials": [{"extensions": {"KHR_materials_iridescence": {"iridescenceFactor": 1}}}]}"#;

/// Writes the mannequin as `figure.glb`: with its skin, without weights.
fn without_weights(folder: &Path) {
    let import = sinew_io::import(folder.join("hero.glb")).expect("a character");
    let mut character = import.character;
    for mesh in &mut character.meshes {
        for primitive in &mut mesh.primitives {
            primitive.influences = None;
        }
    }
    let path = folder.join("figure.glb");
    sinew_io::gltf::write(path, &character, &ExportOptions::default()).expect("a file");
}
