//! Compressed files: streams made by code, real ones of other encoders, and broken ones.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::{Value, json};
use sinew::{Character, Interpolation, Method, deform};
use sinew_io::gltf::{ExportOptions, import, import_bytes, to_glb};

use crate::foreign::foreign;
use crate::hostile::{Random, is_whole, mutated, within_limits};
use crate::made;

const MESHOPT: &str = "EXT_meshopt_compression";

/// Vertices as the codec has them, each group in the narrowest form that holds it, or in a wider one where `random` says.
fn encode_vertices(bytes: &[u8], size: usize, is_new: bool, random: &mut Random) -> Vec<u8> {
    let count = bytes.len() / size;
    let elements = (8192 / size / 16 * 16).min(256);
    let mut out = vec![if is_new { 0xa1 } else { 0xa0 }];
    let first = bytes.get(..size).unwrap_or(&[0; 256][..size]).to_vec();
    let channels: Vec<u8> = (0..size / 4)
        .map(|_| match is_new {
            true => [0, 1, 2, 0x52][random.below(4)],
            false => 0,
        })
        .collect();
    let word = |vertex: usize, column: usize| {
        let at = vertex * size + 4 * column;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    };
    for begin in (0..count).step_by(elements) {
        let end = (begin + elements).min(count);
        let (mut controls, mut streams) = (Vec::new(), Vec::new());
        for column in 0..size / 4 {
            let mut four = [(); 4].map(|()| Vec::new());
            for vertex in begin..end {
                let before = word(vertex.saturating_sub(1), column);
                let step = difference(word(vertex, column), before, channels[column]);
                for (stream, byte) in four.iter_mut().zip(step.to_le_bytes()) {
                    stream.push(byte);
                }
            }
            let mut control = 0;
            for (index, stream) in four.iter().enumerate() {
                let kind = if is_new { random.below(4) } else { 4 };
                let kind = if kind == 2 && stream.iter().any(|b| *b != 0) {
                    3
                } else {
                    kind
                };
                let widths = [[0, 1, 2, 4], [1, 2, 4, 8], [0; 4], [0; 4], [0, 2, 4, 8]][kind];
                match kind {
                    2 => {}
                    3 => streams.extend(stream),
                    _ => streams.extend(groups(stream, widths, random)),
                }
                control |= (kind as u8 & 3) << (2 * index);
            }
            controls.push(control);
        }
        out.extend(controls.iter().filter(|_| is_new));
        out.extend(streams);
    }
    let mut tail = first;
    tail.extend(channels.iter().filter(|_| is_new));
    let least = if is_new { 24 } else { 32 };
    out.extend(vec![0; usize::saturating_sub(least, tail.len())]);
    out.extend(tail);
    out
}

/// What takes a word from the one before to this one.
fn difference(word: u32, before: u32, channel: u8) -> u32 {
    let zigzag = |step: i32, bits: u32| {
        let step = step << (32 - bits) >> (32 - bits);
        ((step << 1) ^ (step >> 31)) as u32 & (u32::MAX >> (32 - bits))
    };
    match channel & 3 {
        2 => (word ^ before).rotate_left(u32::from(channel >> 4)),
        kind => {
            let bits = if kind == 0 { 8 } else { 16 };
            let mask = u32::MAX >> (32 - bits);
            let part = |shift: u32| {
                let step = (word >> shift & mask).wrapping_sub(before >> shift & mask);
                zigzag(step as i32, bits) << shift
            };
            (0..32).step_by(bits as usize).map(part).sum()
        }
    }
}

fn groups(stream: &[u8], widths: [u32; 4], random: &mut Random) -> Vec<u8> {
    let groups = stream.len().div_ceil(16);
    let mut headers = vec![0_u8; groups.div_ceil(4)];
    let mut data = Vec::new();
    for (index, group) in stream.chunks(16).enumerate() {
        let mut bytes = [0; 16];
        bytes[..group.len()].copy_from_slice(group);
        let is_zero = bytes.iter().all(|byte| *byte == 0);
        let least = usize::from(widths[0] == 0 && !is_zero);
        let kind = least + random.below(4 - least);
        headers[index / 4] |= (kind as u8) << (index % 4 * 2);
        let width = widths[kind];
        if width == 0 {
            continue;
        }
        if width == 8 {
            data.extend(bytes);
            continue;
        }
        let escape = (1_u8 << width) - 1;
        let codes = bytes.map(|byte| byte.min(escape));
        for packed in codes.chunks(8 / width as usize) {
            let places = packed.iter().enumerate();
            data.push(places.fold(0, |sum, (place, code)| {
                let place = place as u32 * width;
                sum | match width {
                    1 => code << place,
                    _ => code << (8 - width - place),
                }
            }));
        }
        data.extend(bytes.iter().filter(|byte| **byte >= escape));
    }
    headers.extend(data);
    headers
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn step(index: u32, last: u32) -> u32 {
    let step = index.wrapping_sub(last) as i32;
    ((step << 1) ^ (step >> 31)) as u32
}

/// Triangles that share nothing: every index is a step from the last.
fn encode_triangles(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xe1];
    out.extend(vec![0xff; indices.len() / 3]);
    let mut last = 0;
    for triangle in indices.chunks(3) {
        out.push(0xff);
        for index in triangle {
            varint(step(*index, last), &mut out);
            last = *index;
        }
    }
    out.extend([0; 16]);
    out
}

fn encode_indices(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xd1];
    let mut last = [0; 2];
    for (place, index) in indices.iter().enumerate() {
        let run = place % 2;
        varint(step(*index, last[run]) << 1 | run as u32, &mut out);
        last[run] = *index;
    }
    out.extend([0; 4]);
    out
}

/// The document and the bytes of a GLB file.
pub(crate) fn apart(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let json = &glb[20..20 + length(12)];
    let bin = &glb[28 + json.len()..][..length(20 + json.len())];
    (serde_json::from_slice(json).unwrap(), bin.to_vec())
}

fn together(document: &Value, bin: &[u8]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", bin)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}

/// The same file with every buffer view of accessors compressed.
fn compressed(character: &Character, is_new: bool, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let name = if is_new {
        "KHR_meshopt_compression"
    } else {
        MESHOPT
    };
    let glb = to_glb(character, &ExportOptions::default()).unwrap();
    let (mut document, bin) = apart(&glb);
    let accessors = document["accessors"].as_array().unwrap().clone();
    let (mut streams, mut used) = (Vec::new(), 0_u64);
    for (index, view) in document["bufferViews"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        let accessor = accessors.iter().find(|a| a["bufferView"] == json!(index));
        let begin = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        let bytes = &bin[begin..begin + length];
        let at = streams.len();
        let Some(accessor) = accessor else {
            streams.extend(bytes);
            streams.resize(streams.len().next_multiple_of(4), 0);
            view["byteOffset"] = json!(at);
            continue;
        };
        let component = match accessor["componentType"].as_u64().unwrap() {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let is_index = view["target"] == json!(34963) && component > 1;
        let stride = match (is_index, view["byteStride"].as_u64()) {
            (true, _) => component,
            (false, Some(stride)) => stride as usize,
            (false, None) => 4,
        };
        if !length.is_multiple_of(stride) {
            streams.extend(bytes);
            streams.resize(streams.len().next_multiple_of(4), 0);
            view["byteOffset"] = json!(at);
            continue;
        }
        let count = length / stride;
        let (mode, stream) = match is_index {
            true => {
                let numbers = bytes.chunks(component);
                let numbers =
                    numbers.map(|b| b.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)));
                let numbers: Vec<u32> = numbers.collect();
                match count.is_multiple_of(3) && random.below(2) == 0 {
                    true => ("TRIANGLES", encode_triangles(&numbers)),
                    false => ("INDICES", encode_indices(&numbers)),
                }
            }
            false => (
                "ATTRIBUTES",
                encode_vertices(bytes, stride, is_new, &mut random),
            ),
        };
        view["extensions"][name] = json!({
            "buffer": 0, "byteOffset": at, "byteLength": stream.len(), "byteStride": stride, "count": count,
            "mode": mode, "filter": "NONE",
        });
        view["buffer"] = json!(1);
        view["byteOffset"] = json!(used);
        used += length as u64;
        streams.extend(stream);
        streams.resize(streams.len().next_multiple_of(4), 0);
    }
    document["buffers"] = json!([
        {"byteLength": streams.len()},
        {"byteLength": used, "extensions": {name: {"fallback": true}}},
    ]);
    for list in ["extensionsUsed", "extensionsRequired"] {
        let mut names = document[list].as_array().cloned().unwrap_or_default();
        names.push(json!(name));
        document[list] = Value::Array(names);
    }
    together(&document, &streams)
}

#[test]
fn what_is_compressed_is_read_as_what_it_was() {
    let characters = [
        made::skinned(9, 700, 3),
        made::morphed(),
        made::skinned(3, 40, 6),
    ];
    for (index, character) in characters.iter().enumerate() {
        let plain = to_glb(character, &ExportOptions::default()).unwrap();
        let plain = import_bytes(&plain, None).unwrap();
        for (is_new, seed) in [(false, 3), (true, 5), (true, 9)] {
            let bytes = compressed(character, is_new, seed + index as u64);
            let read =
                import_bytes(&bytes, None).unwrap_or_else(|e| panic!("{index} {is_new}: {e}"));
            assert_eq!(read.character, plain.character, "{index} {is_new} {seed}");
            assert!(read.report.is_empty(), "{:?}", read.report);
            // Written again, it is plain.
            let source = Some(&read.source);
            let again = to_glb(&read.character, &ExportOptions { source }).unwrap();
            let (document, _) = apart(&again);
            assert!(!document.to_string().contains("meshopt"));
            let again = import_bytes(&again, None).unwrap();
            assert_eq!(again.character, plain.character);
        }
    }
}

/// The places of all vertices that are drawn, at a time of the first clip.
pub(crate) fn places(character: &Character, time_secs: f64) -> Vec<Vec3> {
    let clip = (!character.clips.is_empty()).then_some(0);
    let moved = deform(character, clip, time_secs, Method::Linear).unwrap();
    let parts = moved.primitives.into_iter();
    let drawn = parts.flat_map(|part| {
        let primitive = &character.meshes[part.mesh].primitives[part.primitive];
        let all = 0..part.positions.len() as u32;
        let mut drawn = match &primitive.indices {
            Some(indices) => indices.to_vec(),
            None => all.collect(),
        };
        drawn.sort_unstable();
        drawn.dedup();
        let places = drawn
            .into_iter()
            .map(|vertex| part.positions[vertex as usize]);
        places.collect::<Vec<_>>()
    });
    drawn.collect()
}

/// How far the place of either that is farthest from all of the other is, relative to their extent. Encoders put
/// vertices in another order, and leave out those that nothing uses.
pub(crate) fn distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    let min = a.iter().fold(Vec3::INFINITY, |m, p| m.min(*p));
    let max = a.iter().fold(Vec3::NEG_INFINITY, |m, p| m.max(*p));
    let far = |a: &[Vec3], b: &[Vec3]| {
        let nearest = |p: &Vec3| {
            b.iter()
                .map(|q| p.distance_squared(*q))
                .fold(f32::INFINITY, f32::min)
        };
        a.iter().step_by(7).map(nearest).fold(0.0, f32::max).sqrt()
    };
    far(a, b).max(far(b, a)) / (max - min).max_element()
}

#[test]
fn draco_files_are_the_same_as_plain_ones() {
    let Some(folder) = foreign("gltf/variants") else {
        return;
    };
    for name in ["CesiumMan", "RiggedFigure", "RiggedSimple"] {
        let read = |kind: &str| import(folder.join(format!("{name}-{kind}/{name}.gltf"))).unwrap();
        let (plain, packed) = (read("glTF"), read("Draco"));
        for time_secs in [0.0, 0.7, 1.3] {
            let [a, b] = [&plain, &packed].map(|read| places(&read.character, time_secs));
            let off = distance(&a, &b);
            // Positions of fourteen bits and weights of eight.
            assert!(off < 2e-3, "{name} at {time_secs}: {off}");
        }
        let weights = |read: &sinew_io::gltf::GltfImport| {
            let meshes = read.character.meshes.iter();
            meshes
                .flat_map(|mesh| &mesh.primitives)
                .all(|p| p.influences.is_some())
        };
        assert!(weights(&packed));
    }
}

/// `scripts/compressed-variants` makes them with the usual optimisers.
/// The models that lie in a folder.
pub(crate) fn models_in(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut models: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    models.retain(|path| path.extension().is_some_and(|e| e == "glb" || e == "gltf"));
    models.sort();
    models
}

#[test]
fn files_of_the_usual_optimisers_are_the_same_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/compressed");
    let Ok(listed) = std::fs::read_dir(&folder) else {
        println!("SKIPPED: no folder target/compressed; scripts/compressed-variants makes it");
        return;
    };
    let given = foreign("gltf").into_iter();
    let given = given.flat_map(|gltf| models_in(&gltf));
    let models: Vec<PathBuf> = given.collect();
    let mut compared = 0;
    for entry in listed.flatten() {
        let packed = entry.path();
        let name = packed.file_name().unwrap().to_string_lossy().into_owned();
        let Some((model, _)) = name.split_once("--").filter(|_| name.ends_with(".glb")) else {
            continue;
        };
        // Others are there for their size.
        if !models
            .iter()
            .any(|path| path.file_stem().is_some_and(|stem| *stem == *model))
        {
            continue;
        }
        let plain = import(folder.join(format!("{model}.glb"))).unwrap();
        let packed = import(&packed).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        let first = plain.character.clips.first().into_iter();
        let mut turns =
            first.flat_map(|clip| clip.joints.iter().filter_map(|j| j.rotation.as_ref()));
        let has_splines = turns.any(|turn| turn.interpolation() == Interpolation::CubicHermite);
        if has_splines && name.ends_with("--meshopt-high.glb") {
            println!(
                "SKIPPED: {name}, whose tool makes slopes of turns quaternions: three.js moves it otherwise, too"
            );
            continue;
        }
        for time_secs in [0.0, 0.4, 1.1] {
            let [a, b] = [&plain, &packed].map(|read| places(&read.character, time_secs));
            let off = distance(&a, &b);
            assert!(off < 1e-2, "{name} at {time_secs}: {off}");
            compared += 1;
        }
    }
    println!("{compared} compared");
    assert!(compared > 0);
    // Every model is among them, by every tool.
    for model in &models {
        let name = model.file_stem().unwrap().to_string_lossy().into_owned();
        let written = |variant: &str| folder.join(format!("{name}--{variant}.glb"));
        for variant in [
            "meshopt-medium",
            "meshopt-high",
            "draco",
            "draco-sequential",
            "quantize",
        ] {
            let file = written(variant);
            if let Ok(words) = std::fs::read_to_string(file.with_extension("refused")) {
                println!("SKIPPED: {name}--{variant}, which its tool refused: {words}");
                continue;
            }
            assert!(
                file.is_file(),
                "no {name}--{variant}; run scripts/compressed-variants"
            );
        }
        // Without pictures that did not come with the model.
        let plain = import(folder.join(format!("{name}.glb"))).unwrap();
        let images = plain.character.images;
        if !images.is_empty() {
            let others = import(written("webp")).unwrap().character.images;
            assert_eq!(others.len(), images.len(), "{name}");
            assert!(others.iter().all(|i| i.mime_type == "image/webp"), "{name}");
        }
    }
}

/// A model by Draco, whose buffer is told apart.
fn draco_model() -> Option<(Value, Vec<u8>)> {
    let folder = foreign("gltf/variants/RiggedSimple-Draco")?;
    let text = std::fs::read(folder.join("RiggedSimple.gltf")).unwrap();
    let bin = std::fs::read(folder.join("RiggedSimple0.bin")).unwrap();
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    let buffer = document["buffers"][0].as_object_mut().unwrap();
    buffer.remove("uri");
    Some((document, bin))
}

#[test]
fn broken_streams_are_refused_within_limits() {
    let mut files: Vec<(String, Vec<u8>)> = [false, true]
        .map(|is_new| {
            (
                format!("made {is_new}"),
                compressed(&made::skinned(4, 60, 2), is_new, 17),
            )
        })
        .into();
    if let Some((document, bin)) = draco_model() {
        files.push(("draco".to_owned(), together(&document, &bin)));
    }
    let (mut random, mut refused, mut read) = (Random(77), 0, 0);
    for (name, bytes) in &files {
        for _ in 0..400 {
            let mut bytes = bytes.clone();
            let json = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            // Streams rather than the document: that has tests of its own.
            for _ in 0..=random.below(4) {
                let at = 28 + json + random.below(bytes.len() - 28 - json);
                bytes[at] = random.below(256) as u8;
            }
            if random.below(4) == 0 {
                bytes = mutated(&bytes, &mut random);
            }
            match within_limits(name, &bytes, 80, || import_bytes(&bytes, None)) {
                Ok(import) => {
                    read += 1;
                    assert!(is_whole(&deform(
                        &import.character,
                        None,
                        0.0,
                        Method::Linear
                    )));
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 50 && refused > 50);
}

#[test]
fn what_the_extension_says_wrong_is_named() {
    let glb = compressed(&made::skinned(4, 60, 2), false, 17);
    let (document, bin) = apart(&glb);
    let views = document["bufferViews"].as_array().unwrap();
    let view = views
        .iter()
        .position(|view| view["extensions"].is_object())
        .unwrap();
    let refused = |member: &str, value: Value| {
        let mut document = document.clone();
        document["bufferViews"][view]["extensions"][MESHOPT][member] = value;
        let refusal = import_bytes(&together(&document, &bin), None)
            .unwrap_err()
            .to_string();
        assert!(
            refusal.contains(&format!("/bufferViews/{view}/extensions/{MESHOPT}")),
            "{refusal}"
        );
        refusal
    };
    assert!(refused("mode", json!("ROUND")).contains("no mode `ROUND`"));
    assert!(refused("filter", json!("SHINY")).contains("no filter `SHINY`"));
    assert!(refused("byteStride", json!(-4)).contains("`byteStride`"));
    assert!(refused("byteLength", json!(1_000_000)).contains("no 1000000 bytes"));
    assert!(refused("count", json!(1_000_000_000_000_u64)).contains("past the limit"));
    assert!(refused("count", json!(3)).contains("are not the view's"));
    assert!(refused("byteOffset", json!(1)).contains("stream"));
}

#[test]
fn many_views_of_one_stream_are_bounded_together() {
    // Zeros: 2 bits for sixteen of each byte.
    let zeros = vec![0; 256 * 256];
    let stream = encode_vertices(&zeros, 256, false, &mut Random(1));
    let views = |count: usize| -> Vec<Value> {
        let packed = json!({
            "buffer": 0, "byteLength": stream.len(), "byteStride": 256, "count": 256, "mode": "ATTRIBUTES",
        });
        let view = json!({"buffer": 1, "byteLength": zeros.len(), "byteStride": 252, "extensions": {MESHOPT: packed}});
        vec![view; count]
    };
    let file = |count: usize| {
        let mut views = views(count);
        views
            .iter_mut()
            .for_each(|view| drop(view.as_object_mut().unwrap().remove("byteStride")));
        let document = json!({
            "asset": {"version": "2.0"}, "extensionsUsed": [MESHOPT], "extensionsRequired": [MESHOPT],
            "buffers": [
                {"byteLength": stream.len()},
                {"byteLength": zeros.len() * count, "extensions": {MESHOPT: {"fallback": true}}},
            ],
            "bufferViews": views,
        });
        together(&document, &stream)
    };
    assert!(import_bytes(&file(4), None).is_ok());
    let bytes = file(4000);
    let refusal = within_limits("views of one stream", &bytes, 80, || {
        import_bytes(&bytes, None)
    });
    assert!(refusal.unwrap_err().to_string().contains("past the limit"));
}

#[test]
fn what_a_draco_stream_does_not_hold_is_named() {
    let Some((document, bin)) = draco_model() else {
        return;
    };
    let place = "/meshes/0/primitives/0";
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut document = document.clone();
        change(document.pointer_mut(place).unwrap());
        let refusal = import_bytes(&together(&document, &bin), None)
            .unwrap_err()
            .to_string();
        assert!(refusal.contains(place), "{refusal}");
        refusal
    };
    let draco = "KHR_draco_mesh_compression";
    let moved = refused(&|p| p["extensions"][draco]["attributes"] = json!({"COLOR_0": 0}));
    assert!(moved.contains("no attribute `COLOR_0`"), "{moved}");
    let missing = refused(&|p| {
        let listed = p["extensions"][draco]["attributes"]
            .as_object_mut()
            .unwrap();
        listed.remove("JOINTS_0").unwrap();
    });
    assert!(missing.contains("`JOINTS_0` is neither"), "{missing}");
    let points = refused(&|p| p["mode"] = json!(0));
    assert!(points.contains("only triangles"), "{points}");
    // A second primitive with indices of its own keeps the first one's vertices as they are.
    let plain = import_bytes(&together(&document, &bin), None)
        .unwrap()
        .character;
    let mut shared = document.clone();
    let mut second = shared.pointer(place).unwrap().clone();
    let accessors = shared["accessors"].as_array_mut().unwrap();
    let indices = accessors[second["indices"].as_u64().unwrap() as usize].clone();
    accessors.push(indices);
    second["indices"] = json!(accessors.len() - 1);
    shared["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(second);
    let shared = import_bytes(&together(&shared, &bin), None)
        .unwrap()
        .character;
    let both = &shared.meshes[0].primitives;
    assert_eq!(both[0], plain.meshes[0].primitives[0]);
    assert_eq!(both[1], plain.meshes[0].primitives[0]);
}
