//! Hostile files must not crash, hang or use too much memory for their size.

use crate::clock::Clock;
use crate::foreign::foreign_files;
use crate::hostile;

use std::time::Duration;

use hostile::{Random, mutated, within_limits};
use sinew_io::gltf::{ExportOptions, GltfError, import_bytes, to_glb, to_gltf};

fn import_within_limits(name: &str, bytes: &[u8]) -> Result<sinew_io::gltf::GltfImport, GltfError> {
    within_limits(name, bytes, 8, || import_bytes(bytes, None))
}

const ASSET: &str = r#""asset":{"version":"2.0"}"#;

fn document(members: &str) -> Vec<u8> {
    format!("{{{ASSET},{members}}}").into_bytes()
}

fn repeated(prefix: &str, item: &str, count: usize, suffix: &str) -> Vec<u8> {
    document(&format!("{prefix}{}{suffix}", vec![item; count].join(",")))
}

#[test]
fn two_billion_vertices_in_two_hundred_bytes_are_refused_by_name() {
    let members = r#""accessors":[{"componentType":5126,"type":"VEC3","count":2000000000}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]"#;
    let refusal = import_within_limits("vertices", &document(members)).expect_err("too many");
    assert!(
        matches!(&refusal, GltfError::MemoryLimit { pointer, .. } if pointer == "/accessors/0"),
        "{refusal}"
    );
    assert!(refusal.to_string().contains("limit"), "{refusal}");
}

#[test]
fn many_accessors_of_the_same_bytes_do_not_multiply() {
    let view = r#""buffers":[{"byteLength":1200,"uri":"data:application/octet-stream;base64,"#;
    let data = "AAAA".repeat(400);
    let accessors =
        vec![r#"{"bufferView":0,"componentType":5126,"type":"VEC3","count":100}"#; 20_000]
            .join(",");
    let attributes: Vec<String> = (0..20_000)
        .map(|index| format!("{{\"attributes\":{{\"POSITION\":{index}}}}}"))
        .collect();
    let members = format!(
        r#"{view}{data}"}}],"bufferViews":[{{"buffer":0,"byteLength":1200}}],"accessors":[{accessors}],"meshes":[{{"primitives":[{}]}}]"#,
        attributes.join(",")
    );
    let _ = import_within_limits("accessors", &document(&members));
}

#[test]
fn floods_of_tiny_things_stay_in_proportion() {
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nodes", repeated("\"nodes\":[", "{}", 3_000_000, "]")),
        (
            "accessors",
            repeated("\"accessors\":[", "{}", 1_000_000, "]"),
        ),
        (
            "materials",
            repeated("\"materials\":[", "{}", 1_000_000, "]"),
        ),
        (
            "numbers",
            repeated("\"nodes\":[{\"weights\":[", "1", 4_000_000, "]}]"),
        ),
        (
            "children",
            repeated("\"nodes\":[{\"children\":[", "1", 4_000_000, "]}]"),
        ),
        (
            "joints",
            repeated(
                "\"nodes\":[{},{}],\"skins\":[{\"joints\":[",
                "1",
                2_000_000,
                "]}]",
            ),
        ),
        (
            "targets",
            repeated(
                "\"meshes\":[{\"primitives\":[{\"targets\":[",
                "{}",
                2_000_000,
                "]}]}]",
            ),
        ),
        (
            "attributes",
            repeated(
                "\"meshes\":[{\"primitives\":[{\"attributes\":{",
                "\"\":1",
                2_000_000,
                "}}]}]",
            ),
        ),
        ("unknown", repeated("", "\"a\":0", 2_000_000, "")),
        ("extras", repeated("\"extras\":[", "[]", 4_000_000, "]")),
        (
            "strings",
            repeated("\"extensionsUsed\":[", "\"\"", 2_000_000, "]"),
        ),
        (
            "named joints",
            document(&format!(
                r#""nodes":[{}],"skins":[{{"joints":[{}]}}]"#,
                vec![r#"{"name":"a joint"}"#; 100_000].join(","),
                (0..100_000)
                    .map(|joint| joint.to_string())
                    .collect::<Vec<_>>()
                    .join(",")
            )),
        ),
        (
            "nesting",
            document(&format!(
                "\"extras\":{}{}",
                "[".repeat(2_000_000),
                "]".repeat(2_000_000)
            )),
        ),
        ("wrong types", repeated("\"nodes\":[", "1", 3_000_000, "]")),
        (
            "targets of a primitive that is drawn",
            repeated(
                r#""accessors":[{"componentType":5126,"type":"VEC3","count":3}],
                "meshes":[{"primitives":[{"attributes":{"POSITION":0},"targets":["#,
                "{}",
                400_000,
                "]}]}]",
            ),
        ),
        (
            "names of targets",
            repeated(
                r#""meshes":[{"primitives":[],"extras":{"targetNames":["#,
                "\"\"",
                9_000_000,
                "]}}]",
            ),
        ),
        (
            "nodes of scenes that do not exist",
            document(&format!(
                r#""nodes":[{{}}],"scenes":[{{"nodes":[{}]}}]"#,
                numbers(1_000_000)
            )),
        ),
        (
            "a node that a scene lists again and again",
            repeated(
                r#""nodes":[{}],"scenes":[{"nodes":["#,
                "0",
                4_500_000,
                "]}]",
            ),
        ),
        (
            "members of extras",
            repeated(
                &format!(
                    r#""nodes":[{}],"animations":[{{"channels":[],"samplers":[],"extras":{{"#,
                    vec!["{}"; 15_000].join(",")
                ),
                "\"a\":0",
                240_000,
                "}}]",
            ),
        ),
        (
            "a version of many parts",
            format!(
                "{{\"asset\":{{\"version\":\"{}\"}}}}",
                ".".repeat(20_000_000)
            )
            .into_bytes(),
        ),
    ];
    for (name, bytes) in cases {
        let _ = import_within_limits(name, &bytes);
    }
}

fn numbers(count: usize) -> String {
    let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    numbers.join(",")
}

fn glb(members: &str, bin: &[u8]) -> Vec<u8> {
    let length = bin.len();
    let mut json = document(&format!(
        "{members},\"buffers\":[{{\"byteLength\":{length}}}]"
    ));
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json[..]), (b"BIN\0", bin)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

#[test]
fn sets_of_influences_of_a_refused_file_do_not_multiply() {
    let sets: Vec<String> = (0..400)
        .map(|set| format!(r#""JOINTS_{set}":0,"WEIGHTS_{set}":1"#))
        .collect();
    let members = format!(
        r#""bufferViews":[{{"buffer":0,"byteLength":1200000}}],"accessors":[
        {{"bufferView":0,"componentType":5121,"type":"VEC4","count":300000}},
        {{"bufferView":0,"componentType":5121,"normalized":true,"type":"VEC4","count":300000}}],
        "nodes":[{{"mesh":0,"skin":0}},{{"mesh":7}}],"skins":[{{"joints":[0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":2,{}}}}}]}}]"#,
        sets.join(",")
    );
    let refusal = import_within_limits("sets", &glb(&members, &vec![1; 1_200_000]));
    assert!(matches!(refusal, Err(GltfError::Invalid(_))));
}

#[test]
fn keys_that_many_channels_share_are_looked_at_once() {
    let keys = 100_000;
    let times: Vec<u8> = (0..keys).flat_map(|k| (k as f32).to_le_bytes()).collect();
    let bytes = [times, vec![0; 12 * keys]].concat();
    let channels: Vec<String> = (0..40_000)
        .map(|node| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"scale"}}}}"#))
        .collect();
    let name = "a name, so that there is memory for the nodes, which a longer file has more of";
    let members = format!(
        r#""bufferViews":[{{"buffer":0,"byteLength":400000}},{{"buffer":0,"byteOffset":400000,"byteLength":1200000}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"type":"SCALAR","count":{keys},"min":[0],"max":[99999]}},
        {{"bufferView":1,"componentType":5126,"type":"VEC3","count":{keys}}}],
        "nodes":[{}],"animations":[{{"samplers":[{{"input":0,"output":1}}],"channels":[{}]}}]"#,
        vec![format!(r#"{{"name":"{name}"}}"#); 40_000].join(","),
        channels.join(",")
    );
    let begin = Clock::start();
    let import = import_within_limits("channels", &glb(&members, &bytes)).expect("reads");
    assert_eq!(import.character.clips[0].joints.len(), 40_000);
    assert!(
        begin.elapsed() < Duration::from_secs(3),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn bad_indices_that_many_primitives_share_are_looked_at_once() {
    let count = 1_000_000;
    let primitive = r#"{"attributes":{"POSITION":0},"indices":1}"#;
    let members = format!(
        r#""bufferViews":[{{"buffer":0,"byteLength":4000000}}],
        "accessors":[{{"componentType":5126,"type":"VEC3","count":3}},
        {{"bufferView":0,"componentType":5125,"type":"SCALAR","count":{count}}}],
        "meshes":[{{"primitives":[{}]}}]"#,
        vec![primitive; 40_000].join(",")
    );
    let begin = Clock::start();
    let import = import_within_limits("indices", &glb(&members, &vec![9; 4 * count]));
    assert_eq!(
        import.expect("reads").character.meshes[0].primitives.len(),
        40_000
    );
    assert!(
        begin.elapsed() < Duration::from_secs(3),
        "{:?}",
        begin.elapsed()
    );
}

/// A folder with one file of a megabyte, which is deleted after the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn with_a_megabyte(name: &str) -> Self {
        let unique = format!("sinew-{name}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(unique));
        std::fs::create_dir_all(folder.0.join("sub")).expect("temporary folders can be made");
        std::fs::write(folder.0.join("a.bin"), vec![7; 1 << 20]).expect("and written to");
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn peak_beside(folder: &Folder, document: &[u8]) -> usize {
    hostile::peak_of(|| import_bytes(document, Some(&folder.0))).1
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_not_followed() {
    let folder = Folder::with_a_megabyte("links");
    std::fs::write(folder.0.join("secret.bin"), b"secret").expect("it can be written");
    std::os::unix::fs::symlink("../secret.bin", folder.0.join("sub/a.bin")).expect("a link");
    std::os::unix::fs::symlink("b.bin", folder.0.join("sub/inside.bin")).expect("a link");
    std::fs::write(folder.0.join("sub/b.bin"), b"beside").expect("it can be written");
    let buffer = |name: &str| {
        let members = format!(
            r#""buffers":[{{"byteLength":6,"uri":"{name}"}}],
            "bufferViews":[{{"buffer":0,"byteLength":6}}],
            "images":[{{"bufferView":0,"mimeType":"image/png"}}],
            "textures":[{{"source":0}}],"materials":[{{"normalTexture":{{"index":0}}}}]"#
        );
        import_bytes(&document(&members), Some(&folder.0.join("sub")))
    };
    let reported = match buffer("a.bin") {
        Ok(import) => {
            let bytes = |image: &sinew::character::Image| format!("{image:?}");
            let images: Vec<_> = import.character.images.iter().map(bytes).collect();
            assert!(!images.join("").contains("115, 101, 99, 114"), "{images:?}");
            import.report.to_string()
        }
        Err(refusal) => refusal.to_string(),
    };
    assert!(
        reported.contains("leads out of the document's folder"),
        "{reported}"
    );
    let inside = buffer("inside.bin").map_or_else(|e| e.to_string(), |i| i.report.to_string());
    assert!(!inside.contains("IO_ERROR"), "{inside}");
}

#[test]
fn a_file_that_many_images_name_is_read_once() {
    let folder = Folder::with_a_megabyte("images");
    let images = repeated("\"images\":[", r#"{"uri":"a.bin"}"#, 300, "]");
    let limit = 8 * (images.len() + (1 << 20)) + (16 << 20);
    let peak = peak_beside(&folder, &images);
    assert!(peak <= limit, "peak {peak} of {limit}");
}

#[test]
fn a_file_that_many_buffers_name_in_many_ways_is_read_once() {
    let folder = Folder::with_a_megabyte("buffers");
    let buffers: Vec<String> = (1..=300)
        .map(|length| {
            let way = ["a.bin", "./a.bin", "sub/../a.bin", "%61.bin"][length % 4];
            let length = length + 1_000_000;
            format!(r#"{{"uri":"{way}","byteLength":{length}}}"#)
        })
        .collect();
    let document = document(&format!("\"buffers\":[{}]", buffers.join(",")));
    let limit = 8 * (document.len() + (1 << 20)) + (16 << 20);
    let peak = peak_beside(&folder, &document);
    assert!(peak <= limit, "peak {peak} of {limit}");
}

#[test]
fn deep_trees_and_long_chains_take_linear_time() {
    let count = 200_000;
    let chain = |member: &str| -> Vec<String> {
        (1..=count)
            .map(|next| {
                format!(
                    "{{\"children\":[{}]{member}}}",
                    if next == count { 0 } else { next }
                )
            })
            .collect()
    };
    let ring = chain("").join(",");
    let _ = import_within_limits("ring", &document(&format!("\"nodes\":[{ring}]")));
    let mut nodes = chain(r#","mesh":0,"skin":0"#);
    nodes.pop();
    let nodes = nodes.join(",");
    let joints: Vec<String> = (0..count - 1)
        .rev()
        .map(|joint| joint.to_string())
        .collect();
    let skins = vec![format!("{{\"joints\":[{}]}}", joints.join(",")); 3].join(",");
    let members = format!(
        r#""nodes":[{nodes},{{}}],"skins":[{skins}],"meshes":[{{"primitives":[]}}],"scenes":[{{"nodes":[0]}}]"#
    );
    let _ = import_within_limits("chain", &document(&members));
}

/// Two valid files made by code, and small files of the conformance folder if it exists.
fn seeds() -> Vec<Vec<u8>> {
    let options = ExportOptions::default();
    let tube = sinew_samples::tube_character();
    let mut seeds = vec![
        to_glb(&tube, &options).expect("exports"),
        to_gltf(&tube, &options).expect("exports").into_bytes(),
        document(r#""nodes":[{"children":[1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]"#),
    ];
    for folder in [
        "bad/gltf-validator/mesh",
        "bad/gltf-validator/animation",
        "bad/gltf-validator/skin",
        "bad/gltf-validator/accessor",
        "bad/gltf-validator/glb",
        "gltf",
    ] {
        for path in foreign_files(folder, &["gltf", "glb"]) {
            let bytes = std::fs::read(path).expect("it can be read");
            if bytes.len() < 100_000 {
                seeds.push(bytes);
            }
        }
    }
    seeds
}

#[test]
fn ten_thousand_mutated_files_are_refused_or_read() {
    let seeds = seeds();
    let mutations = 10_000;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for (number, seed) in seeds.iter().cycle().take(mutations).enumerate() {
        let bytes = mutated(seed, &mut random);
        let begin = Clock::start();
        let result = import_within_limits(&format!("mutation {number}"), &bytes);
        assert!(
            begin.elapsed() < Duration::from_secs(1),
            "mutation {number} hangs"
        );
        if let Ok(import) = result {
            let character = &import.character;
            let clip = (!character.clips.is_empty()).then_some(0);
            let moved = sinew::deform(character, clip, 0.5, sinew::Method::Linear);
            assert!(hostile::is_whole(&moved), "{moved:?}");
            read += 1;
        }
    }
    println!(
        "{mutations} mutations of {} files, {read} read",
        seeds.len()
    );
    assert!(
        read > 0 && read < mutations,
        "mutations that change nothing, or everything"
    );
}
