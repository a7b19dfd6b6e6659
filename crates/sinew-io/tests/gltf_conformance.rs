//! Compares real files with the results of an independent implementation.

use crate::foreign::{foreign, foreign_files};

use serde_json::Value;
use sinew::{Affine, Method, deform};
use sinew_io::gltf::import;
use sinew_io::report::{FileReport, Finding, Severity};

/// Tolerance relative to the size of the model. The reference does not normalise rotations.
fn tolerance(report: &FileReport) -> f32 {
    let is_length = |finding: &&Finding| finding.code.ends_with("NON_NORMALIZED_QUATERNION");
    if report.findings.iter().any(|finding| is_length(&finding)) {
        5e-4
    } else {
        1e-5
    }
}

#[test]
fn real_files_are_read() {
    let folders = ["gltf", "asset-generator"].map(|folder| foreign_files(folder, &["gltf", "glb"]));
    for path in folders.concat() {
        match import(&path) {
            Ok(import) => assert_eq!(import.report.count(Severity::Error), 0),
            Err(refusal) => panic!("{}: {refusal}", path.display()),
        }
    }
}

fn numbers(value: &Value) -> Vec<f32> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|number| number.as_f64().unwrap_or(f64::NAN) as f32)
        .collect()
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap_or(u64::MAX) as usize
}

#[test]
fn deformed_characters_are_where_they_should_be() {
    let Some(root) = foreign("") else { return };
    let mut worst = (0.0_f32, String::new());
    let mut compared = 0;
    let mut misses = Vec::new();
    for folder in ["gltf", "asset-generator"] {
        for path in foreign_files(&format!("reference/{folder}"), &["json"]) {
            let text = std::fs::read_to_string(&path).expect("references can be read");
            let reference: Value = serde_json::from_str(&text).expect("references are JSON");
            let model = reference["file"].as_str().unwrap_or_default();
            let import = import(root.join(model)).unwrap_or_else(|e| panic!("{model}: {e}"));
            let clip = reference["clip"]["index"]
                .as_u64()
                .map(|clip| clip as usize);
            for sample in reference["samples"].as_array().into_iter().flatten() {
                let time = sample["t"].as_f64().unwrap_or(0.0);
                let off = difference(&import.character, clip, time, &reference, sample);
                compared += 1;
                if off > tolerance(&import.report) {
                    misses.push(format!("{}: off by {off} at {time} s", path.display()));
                }
                if off > worst.0 && tolerance(&import.report) < 1e-4 {
                    worst = (off, path.display().to_string());
                }
            }
        }
    }
    println!(
        "{compared} samples, the worst off by {} in {}",
        worst.0, worst.1
    );
    assert!(compared > 100);
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

fn difference(
    character: &sinew::Character,
    clip: Option<usize>,
    time: f64,
    reference: &Value,
    sample: &Value,
) -> f32 {
    let moved = deform(character, clip, time, Method::Linear)
        .expect("an imported character can be deformed");
    let mut extent = 0.0_f32;
    let (mut off, mut off_nodes) = (0.0_f32, 0.0_f32);
    let stride = index(&reference["vertexStride"]).max(1);
    let listed = reference["meshes"].as_array().into_iter().flatten();
    for (entry, expected) in listed.zip(sample["meshes"].as_array().into_iter().flatten()) {
        let (node, primitive) = (index(&entry["node"]), index(&entry["primitive"]));
        let part = moved
            .primitives
            .iter()
            .find(|part| (part.node, part.primitive) == (node, primitive));
        let part = part.expect("every listed mesh is there");
        let positions = numbers(&expected["positions"]);
        for bound in numbers(&expected["min"])
            .into_iter()
            .chain(numbers(&expected["max"]))
        {
            extent = extent.max(bound.abs());
        }
        for (expected, found) in positions
            .chunks_exact(3)
            .zip(part.positions.iter().step_by(stride))
        {
            for (expected, found) in expected.iter().zip(found.to_array()) {
                off = off.max((expected - found).abs());
            }
        }
    }
    let nodes = numbers(&reference["nodeIndices"]);
    for (node, expected) in nodes
        .iter()
        .zip(sample["nodeWorld"].as_array().into_iter().flatten())
    {
        let expected: [f32; 16] = numbers(expected)
            .try_into()
            .expect("matrices have sixteen numbers");
        let expected = Affine::from_cols_array(&expected);
        let largest = expected.max_difference(&Affine::ZERO).max(1.0);
        let found = &moved.node_worlds[*node as usize];
        off_nodes = off_nodes.max(expected.max_difference(found) / largest);
    }
    (off / extent.max(1e-3)).max(off_nodes)
}
