//! Importing a GLB of fifty megabytes, beside what it cannot do without: parsing the JSON and copying the buffer.
//!
//! The goal is an import in less than twice the time of those two together.

use divan::{Bencher, black_box};
use sinew_io::gltf::budget::Budget;
use sinew_io::gltf::schema::Document;
use sinew_io::gltf::{glb, import_bytes};
use sinew_io::report::Report;

const PARTS: usize = 16;
const VERTICES: usize = 50_000;
const JOINTS: usize = 60;

fn main() {
    divan::main();
}

/// A skinned, animated character in many parts.
fn model() -> Vec<u8> {
    let mut bin: Vec<u8> = Vec::new();
    let (mut views, mut accessors, mut primitives) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |bytes: Vec<u8>, component: u32, element: &str, count: usize, bounds: &str| {
        views.push(format!(
            r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#,
            bin.len(),
            bytes.len()
        ));
        accessors.push(format!(
            r#"{{"bufferView":{},"componentType":{component},"type":"{element}","count":{count}{bounds}}}"#,
            views.len() - 1
        ));
        bin.extend(bytes);
        accessors.len() - 1
    };
    let floats = |values: Vec<f32>| {
        values
            .into_iter()
            .flat_map(f32::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    for part in 0..PARTS {
        let spread =
            |vertex: usize, axis: usize| ((vertex * 31 + axis * 7 + part) % 1000) as f32 / 999.0;
        let positions = (0..VERTICES * 3).map(|i| spread(i / 3, i % 3)).collect();
        let position = add(
            floats(positions),
            5126,
            "VEC3",
            VERTICES,
            r#","min":[0,0,0],"max":[1,1,1]"#,
        );
        let normals = (0..VERTICES * 3)
            .map(|i| if i % 3 == 1 { 1.0 } else { 0.0 })
            .collect();
        let normal = add(floats(normals), 5126, "VEC3", VERTICES, "");
        let texcoord = add(
            floats((0..VERTICES * 2).map(|i| spread(i / 2, i % 2)).collect()),
            5126,
            "VEC2",
            VERTICES,
            "",
        );
        let joints = (0..VERTICES)
            .flat_map(|v| [0, 1, 2, 3].map(|k| (((v / 100 + k) % JOINTS) as u16).to_le_bytes()));
        let joint = add(joints.flatten().collect(), 5123, "VEC4", VERTICES, "");
        let weights = (0..VERTICES).flat_map(|_| [0.5, 0.25, 0.25, 0.0]).collect();
        let weight = add(floats(weights), 5126, "VEC4", VERTICES, "");
        let indices = (0..VERTICES * 3).map(|i| ((i * 17) % VERTICES) as u32);
        let index = add(
            indices.flat_map(u32::to_le_bytes).collect(),
            5125,
            "SCALAR",
            VERTICES * 3,
            "",
        );
        primitives.push(format!(
            r#"{{"attributes":{{"POSITION":{position},"NORMAL":{normal},"TEXCOORD_0":{texcoord},"JOINTS_0":{joint},"WEIGHTS_0":{weight}}},"indices":{index}}}"#
        ));
    }
    let times = add(
        floats((0..200).map(|key| key as f32 / 30.0).collect()),
        5126,
        "SCALAR",
        200,
        r#","min":[0],"max":[6.6333333]"#,
    );
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for joint in 0..JOINTS {
        let rotations = (0..200).flat_map(|_| [0.0, 0.0, 0.0, 1.0]).collect();
        let output = add(floats(rotations), 5126, "VEC4", 200, "");
        samplers.push(format!(r#"{{"input":{times},"output":{output}}}"#));
        channels.push(format!(
            r#"{{"sampler":{joint},"target":{{"node":{joint},"path":"rotation"}}}}"#
        ));
    }
    let nodes: Vec<String> = (0..JOINTS)
        .map(|joint| {
            let children = if joint + 1 < JOINTS {
                format!(r#","children":[{}]"#, joint + 1)
            } else {
                String::new()
            };
            format!(r#"{{"name":"joint{joint}","translation":[0,0.1,0]{children}}}"#)
        })
        .collect();
    let joints: Vec<String> = (0..JOINTS).map(|joint| joint.to_string()).collect();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{},{{"mesh":0,"skin":0}}],"skins":[{{"joints":[{}]}}],"meshes":[{{"primitives":[{}]}}],"animations":[{{"channels":[{}],"samplers":[{}]}}],"accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}}}]}}"#,
        nodes.join(","),
        joints.join(","),
        primitives.join(","),
        channels.join(","),
        samplers.join(","),
        accessors.join(","),
        views.join(","),
        bin.len()
    );
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let mut glb = Vec::new();
    let total = 12 + 8 + json.len() + 8 + bin.len();
    for word in [
        u32::from_le_bytes(*b"glTF"),
        2,
        total as u32,
        json.len() as u32,
        u32::from_le_bytes(*b"JSON"),
    ] {
        glb.extend(word.to_le_bytes());
    }
    glb.extend(json.as_bytes());
    glb.extend((bin.len() as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(bin);
    glb
}

#[divan::bench(sample_count = 20)]
fn import(bencher: Bencher) {
    let model = model();
    let report = import_bytes(&model, None)
        .expect("the model is valid")
        .report;
    assert!(report.is_empty(), "{report}");
    bencher.bench(|| import_bytes(black_box(&model), None));
}

#[divan::bench(sample_count = 20)]
fn parse_and_copy(bencher: Bencher) {
    let model = model();
    let glb = glb::read(&model, &mut Report::default()).expect("the model is valid");
    let text = std::str::from_utf8(glb.json).expect("the model is valid");
    bencher.bench(|| {
        let mut budget = Budget::for_json(text.len());
        let document = Document::read(black_box(text), &mut Report::default(), &mut budget);
        (document, glb.bin.map(<[u8]>::to_vec))
    });
}
