//! Every wrong input ends with one line that gives the error and advice, and leaves no file. Every verb has rows for
//! every kind of mistake that applies.

mod forms;
mod values;

use crate::made_c3d;
use crate::program;

use forms::FORMS;
use made_c3d::C3d;
use program::{run, verbs, write};
use std::collections::BTreeSet;
use std::path::Path;
use values::VALUES;

/// Mistakes that do not apply: the verb reads or writes no file, or takes no names or numbers.
const CANNOT: [(&str, &str); 16] = [
    ("completions", "in"),
    ("completions", "out"),
    ("completions", "value of a number"),
    ("man", "in"),
    ("man", "out"),
    ("man", "value of a number"),
    // A recipe names the outputs. Tests of batches have wrong ones.
    ("batch", "out"),
    ("bench", "in"),
    ("bench", "out"),
    ("demo", "in"),
    ("info", "out"),
    ("measure", "out"),
    ("info", "value of a number"),
    ("mocap", "value of a number"),
    ("plot", "value of a number"),
    ("demo", "value of a number"),
];

fn inputs(folder: &Path) {
    assert!(
        run(folder, &["demo", "--no-pictures", "-o", "."])
            .status
            .success()
    );
    assert!(
        run(folder, &["skin", "tube.glb", "-o", "still.glb"])
            .status
            .success()
    );
    let frame = vec![Some([1.0, 2.0, 3.0])];
    let markers = C3d::new(&["LASI"], vec![frame.clone(), frame.clone(), frame]);
    write(folder, "markers.c3d", markers.bytes());
    write(folder, "joints.json", "{}");
    write(folder, "steps.json", "[]");
    write(
        folder,
        "map.json",
        r#"{"lower": "lower", "upper": "upper"}"#,
    );
    write(
        folder,
        "set.json",
        r#"{"format": "sinew-markers/1", "markers": []}"#,
    );
    write(folder, "empty", "");
    write(folder, "empty.glb", "");
    write(folder, "empty.bvh", "");
    write(
        folder,
        "picture.glb",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01",
    );
    write(
        folder,
        "picture",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01",
    );
    for name in [
        "a-folder",
        "taken.obj",
        "taken.glb",
        "taken.png",
        "taken.csv",
    ] {
        std::fs::create_dir_all(folder.join(name)).expect("the folder is ours");
    }
    for name in ["taken.json", "taken.gltf", "taken.sinew", "taken.svg"] {
        std::fs::create_dir_all(folder.join(name)).expect("the folder is ours");
    }
    write(folder, "taken.folder", "a file");
}

fn everything(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is ours");
    let names = entries.flatten().map(|entry| entry.file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// Runs a command that must be refused. Returns a description of a faulty refusal.
fn fault(folder: &Path, command: &str, words: &[&str]) -> Option<String> {
    let before = everything(folder);
    let arguments: Vec<&str> = command.split(' ').collect();
    let output = run(folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut faults = Vec::new();
    if !matches!(output.status.code(), Some(1 | 2)) {
        faults.push(format!("it ended with {:?}", output.status.code()));
    }
    if said.lines().count() != 1 || !said.starts_with("sinew: ") || said.contains("panicked") {
        faults.push("it is not one line".to_owned());
    }
    if !output.stdout.is_empty() {
        faults.push("it printed something".to_owned());
    }
    for word in words.iter().filter(|word| !said.contains(*word)) {
        faults.push(format!("it does not say {word}"));
    }
    let after = everything(folder);
    for name in after.difference(&before) {
        faults.push(format!("it left {name}"));
        let _ = std::fs::remove_file(folder.join(name));
    }
    let faults = faults.join(", ");
    (!faults.is_empty()).then(|| format!("{command}\n    {faults}:\n    {said}"))
}

fn verb(command: &str) -> &str {
    command.split(' ').next().unwrap_or_default()
}

#[test]
fn every_verb_has_rows_for_every_kind_of_mistake() {
    let verbs = verbs();
    assert!(verbs.len() >= 16, "{verbs:?}");
    let cannot = |verb: &str, kind: &str| CANNOT.contains(&(verb, kind));
    for name in &verbs {
        let forms = || FORMS.iter().filter(|form| verb(form.words) == name);
        let has = |place: &str| forms().any(|form| form.words.contains(place));
        assert!(
            has("IN") || cannot(name, "in"),
            "{name}: nothing wrong to read"
        );
        assert!(
            has("OUT") || cannot(name, "out"),
            "{name}: nowhere wrong to write"
        );
        let values = || VALUES.iter().filter(|row| verb(row.0) == name);
        assert!(values().count() > 1, "{name}: no wrong names and values");
        // A digit outside the name of a file.
        let is_number = |row: &&(&str, &str)| {
            let words = row.0.split(' ').skip(1);
            let mut words = words.filter(|word| !word.ends_with(".c3d"));
            words.any(|word| word.contains(|c: char| c.is_ascii_digit()))
        };
        let number = values().any(|row| is_number(&row));
        assert!(
            number || cannot(name, "value of a number"),
            "{name}: no wrong number"
        );
    }
    for form in &FORMS {
        assert!(
            verbs.iter().any(|name| name == verb(form.words)),
            "{}",
            form.words
        );
    }
}
