//! Names in files cannot fake lines of a report or command the terminal.

use crate::program;
use crate::render::is_without_gpu;
use program::{folder, good, json, run, verbs, write};
use serde_json::Value;
use std::path::Path;

/// A line break, a terminal command in two encodings, and reversed text.
const HOSTILE: &str = "\nfaked\u{1b}[2J\u{202e}\u{9b}31m";

/// `@` stands for the hostile end of a name.
const COMMANDS: [(&str, i32); 41] = [
    ("info bad.gltf --joints", 0),
    ("info bad.gltf --joints --json", 0),
    ("skin bad.gltf", 0),
    ("skin bad.gltf --time 9 -o a.obj", 0),
    ("render bad.gltf --size 8x8 --time 9 --json -o a.png", 0),
    ("plot bad.gltf -o -", 0),
    ("plot bad.gltf --json -o p.svg", 0),
    ("sample bad.gltf --time 9", 0),
    ("sample bad.gltf --events", 0),
    ("sample bad.gltf --events -o e.json", 0),
    ("ik bad.gltf --chain lower@..upper@ --goal 0.6,0.8,0", 0),
    (
        "ik bad.gltf --chain lower@..upper@ --goal 0.6,0.8,0 --json",
        0,
    ),
    ("ik bad.gltf --chain lower@..uppe --goal 0.6,0.8,0", 1),
    ("limits bad.gltf --set upper@=fixed", 0),
    ("limits bad.gltf --set upper@=fixed --json", 0),
    ("bind still.gltf bad.gltf --report -o b.glb", 0),
    ("bind still.gltf bad.gltf --json -o b.glb", 0),
    ("weights bad.gltf", 0),
    ("weights bad.gltf --vertex 0", 0),
    ("weights bad.gltf --json", 0),
    ("measure bad.gltf", 0),
    ("measure bad.gltf --json", 0),
    ("measure bad.gltf --fail-if volume<2", 1),
    ("convert bad.gltf -o c.bvh", 0),
    ("convert bad.gltf --json -o c.glb", 0),
    ("clip bad.gltf --reverse -o c.glb", 0),
    ("clip bad.gltf --reverse --json -o c.glb", 0),
    ("clip bad.gltf --clip nope --reverse -o c.glb", 1),
    ("compress bad.gltf -o c.sinew", 0),
    ("compress bad.gltf --json -o c.sinew", 0),
    ("compress bad.gltf -o -", 0),
    ("batch library.toml", 0),
    ("batch library.toml --json", 0),
    ("clean body.gltf -o c.glb", 0),
    ("clean body.gltf --json -o c.glb", 0),
    ("retarget body.gltf --onto body.gltf --report -o r.glb", 0),
    (
        "retarget body.gltf --onto body.gltf --map map.json --report -o r.glb",
        0,
    ),
    (
        "retarget body.gltf --onto body.gltf --map map.json --json -o r.glb",
        0,
    ),
    (
        "retarget body.gltf --onto body.gltf --map map.json --report -o -",
        0,
    ),
    (
        r#"edit bad.gltf --edit {"do":"reverse_clip","clip":0} -o x.glb --json"#,
        0,
    ),
    (
        r#"edit bad.gltf --edit {"do":"reverse_clip","clip":"none"} -o x.glb"#,
        1,
    ),
];

/// Verbs that print no names of a file, and `mocap`, whose labels are tested beside its files.
const OTHERS: [&str; 6] = ["demo", "bench", "mocap", "view", "completions", "man"];

fn spoil(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("name" | "generator", Value::String(name)) => *name += HOSTILE,
                    ("targetNames", Value::Array(names)) => {
                        for name in names {
                            *name = format!("{}{HOSTILE}", name.as_str().unwrap_or("")).into();
                        }
                    }
                    (_, value) => spoil(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(spoil),
        _ => {}
    }
}

fn spoiled(folder: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(folder.join(from)).expect("it was written");
    let mut document = json(&text);
    spoil(&mut document);
    write(folder, to, document.to_string());
}

#[test]
fn names_fake_no_line_and_send_no_command_in_any_verb() {
    let folder = folder("foreign_names");
    for command in [
        "demo --no-pictures -o .",
        "clip tube.glb --event 0.3=grasp -o tube.gltf",
        "skin tube.glb -o still.glb",
        "convert still.glb -o stood.gltf",
        "clip mannequin.glb --clip walk --only -o man.gltf",
    ] {
        good(&folder, &command.split(' ').collect::<Vec<_>>());
    }
    for (from, to) in [
        ("tube.gltf", "bad.gltf"),
        ("stood.gltf", "still.gltf"),
        ("man.gltf", "body.gltf"),
    ] {
        spoiled(&folder, from, to);
    }
    let map = "retarget man.gltf --onto man.gltf --write-map map.json -o r.glb";
    good(&folder, &map.split(' ').collect::<Vec<_>>());
    let map = std::fs::read_to_string(folder.join("map.json")).expect("a map");
    let Value::Object(mut map) = json(&map) else {
        panic!("{map}");
    };
    for name in map.values_mut() {
        if let Value::String(name) = name {
            *name += HOSTILE;
        }
    }
    let map = map.into_iter().map(|(k, v)| (k + HOSTILE, v)).collect();
    write(&folder, "map.json", Value::Object(map).to_string());
    let recipe =
        "inputs = \"body.gltf\"\n[[step]]\nverb = \"convert\"\noutput = \"made/{name}.glb\"\n";
    write(&folder, "library.toml", recipe);
    for (command, code) in COMMANDS {
        let words = command.split(' ').map(|word| word.replace('@', HOSTILE));
        let words: Vec<String> = words.collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run(&folder, &words);
        let said = String::from_utf8_lossy(&output.stderr);
        if command.starts_with("render") && is_without_gpu() {
            continue;
        }
        assert_eq!(output.status.code(), Some(code), "{command}: {said}");
        // A file on standard output is no report.
        let is_file = command.ends_with("-o -") && !command.starts_with("plot");
        let printed = if is_file {
            String::new()
        } else {
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        for text in [&*printed, &*said] {
            assert!(
                text.lines().all(|line| !line.starts_with("faked")),
                "{command}: {text}"
            );
            let commands = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(commands), "{command}: {text:?}");
        }
        let is_json = command.contains("--json")
            || (["skin ", "sample "].iter().any(|v| command.starts_with(v)))
                && !command.contains(" -o ");
        if is_json {
            let text = json(&printed).to_string();
            assert!(
                !text.contains("faked") || text.contains("\\u001b"),
                "names are whole: {text}"
            );
        }
    }
    for verb in verbs() {
        let is_tested = COMMANDS
            .iter()
            .any(|(c, _)| c.split(' ').next() == Some(&verb));
        assert!(is_tested || OTHERS.contains(&verb.as_str()), "{verb}");
    }
}
