//! Compressed files: made by code, made by other encoders, and damaged.

use glam::Vec3;
use serde_json::{Value, json};
use sinew::{Character, Clip, Interpolation, Method, Track, deform};
use sinew_io::gltf::{ExportOptions, import_bytes, to_glb};
use sinew_io::report::Severity;

use crate::foreign::foreign;
use crate::hostile::{Random, is_whole, mutated, within_limits};
use crate::made;
use crate::made_meshopt::{MESHOPT, apart, compressed, encode_indices, encode_vertices, together};

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
            let source = Some(&read.source);
            let again = to_glb(&read.character, &ExportOptions::new().source(source)).unwrap();
            let (document, _) = apart(&again);
            assert!(!document.to_string().contains("meshopt"));
            let again = import_bytes(&again, None).unwrap();
            assert_eq!(again.character, plain.character);
        }
    }
}

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
fn broken_streams_are_left_out_or_refused_within_limits() {
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
            // Changes only streams, because other tests change the document.
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

/// A character whose file has a view for each mesh attribute, the matrices of its skin, and a clip.
fn animated() -> Character {
    let mut character = made::skinned(4, 60, 2);
    let keys: Vec<Vec3> = (0..9).map(|k| Vec3::X * k as f32).collect();
    let times: Vec<f32> = (0..9).map(|k| k as f32).collect();
    let mut clip = Clip::new("slide");
    let track = Track::vectors(times, &keys, Interpolation::Linear).unwrap();
    clip.joint_mut(1).translation = Some(track.clone());
    clip.joint_mut(2).scale = Some(track);
    clip.fit_duration();
    character.clips = vec![clip];
    character
}

#[test]
fn parts_that_need_a_broken_view_are_left_out_and_others_are_read() {
    let glb = compressed(&animated(), false, 17);
    let whole = import_bytes(&glb, None).unwrap();
    let drawn = &whole.character.meshes[0].primitives[0];
    let (document, bin) = apart(&glb);
    let views = document["bufferViews"].as_array().unwrap();
    let accessors = document["accessors"].as_array().unwrap();
    let primitive = &document["meshes"][0]["primitives"][0];
    let (mut empty, mut plainer, mut still, mut refused) = (0, 0, 0, 0);
    for (view, _) in views
        .iter()
        .enumerate()
        .filter(|(_, view)| view["extensions"].is_object())
    {
        let reads = |accessor: &Value| {
            accessor
                .as_u64()
                .is_some_and(|a| accessors[a as usize]["bufferView"] == json!(view))
        };
        let mut broken = document.clone();
        broken["bufferViews"][view]["extensions"][MESHOPT]["mode"] = json!("ROUND");
        let read = import_bytes(&together(&broken, &bin), None);
        let names = format!("the broken buffer view {view}");
        if reads(&document["skins"][0]["inverseBindMatrices"]) {
            let refusal = read.unwrap_err().to_string();
            assert!(
                refusal.contains("/skins/0/inverseBindMatrices"),
                "{refusal}"
            );
            assert!(refusal.contains(&names), "{refusal}");
            refused += 1;
            continue;
        }
        let read = read.unwrap_or_else(|error| panic!("{view}: {error}"));
        let findings = read.report.of(Severity::Ignored);
        let findings: Vec<_> = findings
            .filter(|finding| finding.code == "MESHOPT")
            .collect();
        assert!(
            findings[0]
                .pointer
                .starts_with(&format!("/bufferViews/{view}/"))
        );
        assert!(findings.len() > 1 && findings[1..].iter().all(|f| f.message.contains(&names)));
        let found = &read.character.meshes[0].primitives[0];
        let position = &primitive["attributes"]["POSITION"];
        let attributes = primitive["attributes"].as_object().unwrap();
        if reads(position) || reads(&primitive["indices"]) {
            assert!(found.is_empty());
            empty += 1;
        } else if attributes.values().any(reads) {
            assert_eq!(
                (&found.positions, &found.indices),
                (&drawn.positions, &drawn.indices)
            );
            assert_ne!(found, drawn);
            assert_eq!(read.character.clips, whole.character.clips);
            plainer += 1;
        } else {
            assert_eq!(found, drawn);
            assert_ne!(read.character.clips, whole.character.clips);
            still += 1;
        }
        let source = Some(&read.source);
        let again = to_glb(&read.character, &ExportOptions::new().source(source)).unwrap();
        assert!(import_bytes(&again, None).is_ok(), "{view}");
    }
    println!("{empty} empty, {plainer} with fewer attributes, {still} still, {refused} refused");
    assert!(empty > 0 && plainer > 0 && still > 0 && refused > 0);
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
        let refusal = match import_bytes(&together(&document, &bin), None) {
            Ok(import) => import.report.to_string(),
            Err(error) => error.to_string(),
        };
        assert!(
            refusal.contains(&format!("/bufferViews/{view}/extensions/{MESHOPT}")),
            "{refusal}"
        );
        refusal
    };
    assert!(refused("mode", json!("ROUND")).contains("the mode `ROUND` is unknown"));
    assert!(refused("filter", json!("SHINY")).contains("the filter `SHINY` is unknown"));
    assert!(refused("byteStride", json!(-4)).contains("`byteStride`"));
    assert!(refused("byteLength", json!(1_000_000)).contains("does not have 1000000 bytes"));
    assert!(refused("count", json!(1_000_000_000_000_u64)).contains("exceeds the limit"));
    assert!(refused("count", json!(3)).contains("do not fill the view's"));
    assert!(refused("byteOffset", json!(1)).contains("stream"));
}

#[test]
fn many_views_of_one_stream_are_bounded_together() {
    // Sixteen zeros of a byte stream take 2 bits.
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
    assert!(
        refusal
            .unwrap_err()
            .to_string()
            .contains("exceeds the limit")
    );
}

#[test]
fn what_a_draco_stream_does_not_hold_is_named() {
    let Some((document, bin)) = draco_model() else {
        return;
    };
    let at = "/meshes/0/primitives/0";
    let read = |change: &dyn Fn(&mut Value)| {
        let mut document = document.clone();
        change(document.pointer_mut(at).unwrap());
        let read = import_bytes(&together(&document, &bin), None).unwrap();
        let primitive = read.character.meshes[0].primitives[0].clone();
        (primitive, read.report.to_string())
    };
    let draco = "KHR_draco_mesh_compression";
    let (moved, said) = read(&|p| p["extensions"][draco]["attributes"] = json!({"COLOR_0": 0}));
    assert!(
        moved.is_empty() && said.contains("`POSITION`: it is neither"),
        "{said}"
    );
    let (missing, said) = read(&|p| {
        let listed = p["extensions"][draco]["attributes"]
            .as_object_mut()
            .unwrap();
        listed.remove("JOINTS_0").unwrap();
    });
    assert!(missing.influences.is_none() && !missing.is_empty());
    assert!(said.contains("`JOINTS_0` was left out"), "{said}");
    let (points, said) = read(&|p| p["mode"] = json!(0));
    assert!(
        points.is_empty() && said.contains("only triangles"),
        "{said}"
    );
    // A second primitive with its own indices does not change the vertices of the first.
    let plain = import_bytes(&together(&document, &bin), None)
        .unwrap()
        .character;
    let mut shared = document.clone();
    let mut second = shared.pointer(at).unwrap().clone();
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

/// Some exporters pad the view of three 2-byte indices to eight bytes.
#[test]
fn a_view_padded_to_four_bytes_is_read() {
    let positions = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bin: Vec<u8> = positions.iter().flat_map(|n| n.to_le_bytes()).collect();
    let stream = encode_indices(&[2, 0, 1]);
    bin.extend(&stream);
    let file = |padded: usize| {
        let packed = json!({
            "buffer": 0, "byteOffset": 36, "byteLength": stream.len(), "byteStride": 2, "count": 3,
            "mode": "INDICES",
        });
        let document = json!({
            "asset": {"version": "2.0"}, "extensionsUsed": [MESHOPT], "extensionsRequired": [MESHOPT],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                 "min": [0, 0, 0], "max": [1, 1, 0]},
                {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteLength": 36},
                {"buffer": 1, "byteLength": padded, "extensions": {MESHOPT: packed}},
            ],
            "buffers": [
                {"byteLength": bin.len()},
                {"byteLength": padded, "extensions": {MESHOPT: {"fallback": true}}},
            ],
        });
        import_bytes(&together(&document, &bin), None)
    };
    for padded in [6, 8] {
        let read = file(padded).unwrap_or_else(|error| panic!("{padded}: {error}"));
        let indices = read.character.meshes[0].primitives[0].indices.clone();
        assert_eq!(indices.unwrap()[..], [2, 0, 1]);
    }
    for wrong in [4, 7, 12] {
        let read = file(wrong).unwrap_or_else(|error| panic!("{wrong}: {error}"));
        assert!(read.character.meshes[0].primitives[0].is_empty(), "{wrong}");
    }
}
