//! `sinew convert --compress meshopt`, read by three.js and gltf-transform.

use crate::foreign::{foreign, foreign_files};
use crate::program::{folder, good, has_package, json, node, root};
use std::path::PathBuf;
use std::process::Command;

fn models() -> Vec<PathBuf> {
    let below = foreign_files("gltf", &["glb", "gltf"]);
    let gltf = foreign("gltf");
    let is_one = |path: &PathBuf| path.parent() == gltf.as_deref();
    below.into_iter().filter(is_one).collect()
}

fn compressed(folder: &std::path::Path, model: &std::path::Path) -> String {
    let name = model.file_stem().expect("a name").to_string_lossy();
    let out = format!("{name}.glb");
    let from = model.display().to_string();
    let arguments = ["convert", &from, "--compress", "meshopt", "-o", &out];
    good(folder, &arguments);
    folder.join(out).display().to_string()
}

#[test]
fn three_js_moves_what_is_compressed_as_it_moves_the_original() {
    if !has_package("three") {
        return;
    }
    let folder = folder("compressed_three");
    for model in models() {
        let out = compressed(&folder, &model);
        let from = model.display().to_string();
        let said = node(&["scripts/compare-with-three.mjs", &from, &out]);
        let problem = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{from}: {problem}");
        let said = json(&String::from_utf8_lossy(&said.stdout));
        println!("{from}: {said}");
        assert_eq!(said["clips"][0], said["clips"][1], "{from}");
        assert!(said["vertices"][1].as_u64() > Some(0), "{from}: {said}");
        // The bound of our own reader: weights in 255 steps, rotations of 12 bits along a chain.
        assert!(said["far"].as_f64() < Some(5e-3), "{from}: {said}");
    }
}

#[test]
fn gltf_transform_reads_what_is_compressed() {
    let tool = root().join("target/compressed-tools/node_modules/.bin/gltf-transform");
    if !tool.is_file() {
        println!("SKIPPED: no gltf-transform; scripts/compressed-variants installs it");
        return;
    }
    let folder = folder("compressed_transform");
    for model in models() {
        let out = compressed(&folder, &model);
        // Dequantizing shows that the tool has decoded the streams.
        let plain = folder.join("plain.glb").display().to_string();
        let run = |arguments: &[&str]| {
            let said = Command::new(&tool).args(arguments).output();
            let said = said.expect("the tool runs");
            let problem = String::from_utf8_lossy(&said.stderr).into_owned();
            assert!(said.status.success(), "{arguments:?}: {problem}");
        };
        run(&["inspect", &out]);
        run(&["dequantize", &out, &plain]);
        let [a, b] = [&out, &plain].map(|file| {
            let read = sinew_io::import(file).expect("it is whole");
            let primitives = read.character.meshes.into_iter().flat_map(|m| m.primitives);
            let count = |p: sinew::Primitive| (p.positions.len(), p.triangles().count());
            primitives.map(count).collect::<Vec<_>>()
        });
        assert_eq!(a, b, "{out}");
    }
}
