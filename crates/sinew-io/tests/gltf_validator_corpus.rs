//! Each error of the Khronos validator about objects that we read has a finding at its pointer.

use crate::foreign::{foreign, foreign_files};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew_io::gltf::import;
use sinew_io::report::FileReport;

const CORPUS: &str = "bad/gltf-validator";

const OBJECTS: [&str; 7] = [
    "/accessors",
    "/bufferViews",
    "/buffers",
    "/meshes",
    "/nodes",
    "/skins",
    "/animations",
];

fn pointers(report: &FileReport) -> BTreeSet<String> {
    report
        .findings
        .iter()
        .map(|finding| match finding.offset {
            Some(offset) => format!("byte {offset}"),
            None => finding.pointer.clone(),
        })
        .collect()
}

fn expected_pointers(path: &Path) -> Vec<(String, String)> {
    let report = PathBuf::from(format!("{}.report.json", path.display()));
    let text = std::fs::read_to_string(&report).expect("every file has a report");
    let report: Value = serde_json::from_str(&text).expect("reports are JSON");
    let messages = report["issues"]["messages"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let errors = messages.iter().filter(|message| message["severity"] == 0);
    errors
        .filter_map(|message| {
            let code = message["code"].as_str()?.to_owned();
            if code.starts_with("GLB_") {
                return Some((code, format!("byte {}", message["offset"])));
            }
            let pointer = message["pointer"].as_str()?;
            let is_ours = OBJECTS.iter().any(|object| pointer.starts_with(object));
            is_ours.then(|| (code, pointer.to_owned()))
        })
        .collect()
}

#[test]
fn every_error_is_found_at_its_location() {
    let Some(root) = foreign(CORPUS) else { return };
    let files = foreign_files(CORPUS, &["gltf", "glb"]);
    assert!(files.len() > 100, "the corpus is incomplete");
    let mut misses = Vec::new();
    let mut expected_count = 0;
    for path in &files {
        let name = path.strip_prefix(&root).unwrap_or(path).display();
        let found = match import(path) {
            Ok(import) => pointers(&import.report),
            Err(refusal) => refusal.report().map(pointers).unwrap_or_default(),
        };
        for (code, pointer) in expected_pointers(path) {
            expected_count += 1;
            if !found.contains(&pointer) {
                misses.push(format!("{name}: {code} at {pointer}; found {found:?}"));
            }
        }
    }
    println!("{expected_count} errors in {} files", files.len());
    assert!(
        misses.is_empty(),
        "{} of {expected_count} misses:\n{}",
        misses.len(),
        misses.join("\n")
    );
}

#[test]
fn files_without_errors_are_not_refused() {
    for path in foreign_files(CORPUS, &["gltf", "glb"]) {
        let text = std::fs::read_to_string(format!("{}.report.json", path.display()))
            .expect("every file has a report");
        let report: Value = serde_json::from_str(&text).expect("reports are JSON");
        if report["issues"]["numErrors"] == 0
            && let Err(refusal) = import(&path)
        {
            panic!("{}: {refusal}", path.display());
        }
    }
}
