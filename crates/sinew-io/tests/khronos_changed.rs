//! Mutated documents: each error of the Khronos validator has a finding, and no fault is exported.

use crate::khronos;
use crate::plain_gltf;

use plain_gltf::{ONE_PIXEL, WEBP, data_uri, triangle, try_read};
use serde_json::{Value, json};
use sinew_io::gltf::{ExportOptions, GltfError, to_gltf};
use sinew_io::report::{FileReport, Severity};
use std::collections::{BTreeMap, BTreeSet};

fn rich() -> Value {
    let mut document = triangle();
    let push = |document: &mut Value, list: &str, item: Value| {
        let list = document[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    };
    let mut bytes = vec![0_u8; 12];
    for weight in [1.0_f32, 0.0, 0.0, 0.0].repeat(3) {
        bytes.extend(weight.to_le_bytes());
    }
    bytes.extend([1, 0, 0, 0]);
    for number in [0.5_f32, 0.0, 0.0, 0.0, 1.0] {
        bytes.extend(number.to_le_bytes());
    }
    let uri = data_uri("application/octet-stream", &bytes);
    let buffer = push(
        &mut document,
        "buffers",
        json!({"byteLength": bytes.len(), "uri": uri}),
    );
    let mut view = |offset: usize, length: usize, target: Option<u32>| {
        let mut view = json!({"buffer": buffer, "byteOffset": offset, "byteLength": length});
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        push(&mut document, "bufferViews", view)
    };
    let joints = view(0, 12, Some(34962));
    let weights = view(12, 48, Some(34962));
    let (sparse_indices, values, times) =
        (view(60, 1, None), view(64, 12, None), view(76, 8, None));
    let joints = push(
        &mut document,
        "accessors",
        json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"}),
    );
    let weights = push(
        &mut document,
        "accessors",
        json!({"bufferView": weights, "componentType": 5126, "count": 3, "type": "VEC4"}),
    );
    let moved = push(
        &mut document,
        "accessors",
        json!({
            "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0.5, 0, 0],
            "sparse": {"count": 1, "indices": {"bufferView": sparse_indices, "componentType": 5121}, "values": {"bufferView": values}},
        }),
    );
    let times = push(
        &mut document,
        "accessors",
        json!({
            "bufferView": times, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1],
        }),
    );
    let steps = push(
        &mut document,
        "accessors",
        json!({"componentType": 5126, "count": 2, "type": "VEC3"}),
    );
    let amounts = push(
        &mut document,
        "accessors",
        json!({"componentType": 5126, "count": 2, "type": "SCALAR"}),
    );
    let primitive = &mut document["meshes"][0]["primitives"][0];
    primitive["attributes"]["JOINTS_0"] = json!(joints);
    primitive["attributes"]["WEIGHTS_0"] = json!(weights);
    primitive["targets"] = json!([{"POSITION": moved}]);
    primitive["extensions"] =
        json!({"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}});
    document["meshes"][0]["weights"] = json!([0.5]);
    document["nodes"] = json!([
        {"mesh": 0, "skin": 0, "weights": [0.25], "name": "body"},
        {"children": [2], "translation": [0, 1, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]},
        {"camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"camera": 1, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1]},
    ]);
    document["scenes"] = json!([{"nodes": [0, 1, 3], "name": "stage"}]);
    document["skins"] = json!([{"joints": [1, 2], "skeleton": 1, "name": "skin"}]);
    document["animations"] = json!([{
        "name": "walk",
        "samplers": [
            {"input": times, "output": steps, "interpolation": "LINEAR"},
            {"input": times, "output": amounts, "interpolation": "STEP"},
        ],
        "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "translation"}},
            {"sampler": 1, "target": {"node": 0, "path": "weights"}},
            {"sampler": 0, "target": {
                "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/3/scale"}},
            }},
        ],
    }]);
    document["cameras"] = json!([
        {"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1, "zfar": 9, "aspectRatio": 1.5}, "name": "eye"},
        {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 9}},
    ]);
    let moved = json!({"offset": [0.5, 0], "rotation": 0.5, "scale": [2, 2], "texCoord": 1});
    let texture =
        json!({"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": moved}});
    let all: [(&str, Value); 12] = [
        (
            "anisotropy",
            json!({"anisotropyStrength": 0.5, "anisotropyRotation": 1, "anisotropyTexture": texture}),
        ),
        (
            "clearcoat",
            json!({
                "clearcoatFactor": 0.5, "clearcoatTexture": texture, "clearcoatRoughnessFactor": 0.5,
                "clearcoatRoughnessTexture": {"index": 0}, "clearcoatNormalTexture": {"index": 0, "scale": 2},
            }),
        ),
        ("dispersion", json!({"dispersion": 0.5})),
        ("emissive_strength", json!({"emissiveStrength": 2})),
        ("ior", json!({"ior": 1.5})),
        (
            "iridescence",
            json!({
                "iridescenceFactor": 1, "iridescenceIor": 1.5, "iridescenceTexture": texture,
                "iridescenceThicknessMinimum": 10, "iridescenceThicknessMaximum": 20, "iridescenceThicknessTexture": texture,
            }),
        ),
        (
            "sheen",
            json!({
                "sheenColorFactor": [1, 0.5, 0], "sheenColorTexture": texture, "sheenRoughnessFactor": 0.5,
                "sheenRoughnessTexture": texture,
            }),
        ),
        (
            "specular",
            json!({
                "specularFactor": 0.5, "specularTexture": texture, "specularColorFactor": [1, 2, 0],
                "specularColorTexture": texture,
            }),
        ),
        (
            "transmission",
            json!({"transmissionFactor": 0.5, "transmissionTexture": texture}),
        ),
        (
            "volume",
            json!({
                "thicknessFactor": 1, "thicknessTexture": texture, "attenuationDistance": 2, "attenuationColor": [1, 1, 0],
            }),
        ),
        ("unlit", json!({})),
        (
            "pbrSpecularGlossiness",
            json!({
                "diffuseFactor": [1, 1, 1, 1], "diffuseTexture": texture, "specularFactor": [1, 1, 1], "glossinessFactor": 0.5,
                "specularGlossinessTexture": texture,
            }),
        ),
    ];
    let mut used = vec![
        "EXT_texture_webp",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_materials_variants",
        "KHR_animation_pointer",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect::<Vec<_>>();
    let mut extensions = json!({});
    for (name, object) in all {
        let name = format!("KHR_materials_{name}");
        extensions[&name] = object;
        used.push(name);
    }
    document["extensionsUsed"] = json!(used);
    document["extensionsRequired"] = json!(["EXT_texture_webp"]);
    document["extensions"] = json!({
        "KHR_lights_punctual": {"lights": [{
            "type": "spot", "color": [1, 1, 1], "intensity": 2, "range": 5, "name": "lamp",
            "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5},
        }]},
        "KHR_materials_variants": {"variants": [{"name": "blue"}]},
    });
    document["materials"] = json!([
        {
            "name": "skin",
            "pbrMetallicRoughness": {
                "baseColorFactor": [1, 1, 1, 1], "baseColorTexture": texture, "metallicFactor": 0.5, "roughnessFactor": 0.5,
                "metallicRoughnessTexture": {"index": 0},
            },
            "normalTexture": {"index": 0, "scale": 0.5},
            "occlusionTexture": {"index": 0, "strength": 0.5},
            "emissiveTexture": {"index": 1},
            "emissiveFactor": [1, 1, 1],
            "alphaMode": "MASK",
            "alphaCutoff": 0.5,
            "doubleSided": true,
        },
        {"extensions": extensions},
    ]);
    document["textures"] = json!([
        {"source": 0, "sampler": 0, "name": "one"},
        {"extensions": {"EXT_texture_webp": {"source": 1}}},
    ]);
    document["samplers"] = json!([{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 10497, "name": "soft"}]);
    document["images"] = json!([
        {"uri": data_uri("image/png", ONE_PIXEL), "name": "dot"},
        {"uri": data_uri("image/webp", WEBP), "mimeType": "image/webp"},
    ]);
    document["asset"]["minVersion"] = json!("2.0");
    document["asset"]["generator"] = json!("a test");
    document
}

fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    if !at.is_empty() {
        all.push(at.to_owned());
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                pointers(value, &format!("{at}/{name}"), all);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), all);
            }
        }
        _ => {}
    }
}

/// The document with one change at every pointer: another value, no value, or the value twice.
fn changed(document: &Value) -> Vec<(String, Value)> {
    let mut listed = Vec::new();
    pointers(document, "", &mut listed);
    // With larger numbers the validator would count for hours.
    let others = [
        json!(3),
        json!(-1),
        json!(0.5),
        json!(70_000),
        json!("x"),
        json!([]),
        json!(null),
    ];
    let mut all = Vec::new();
    for at in &listed {
        for other in &others {
            let mut copy = document.clone();
            *copy.pointer_mut(at).unwrap() = other.clone();
            all.push((format!("{at} = {other}"), copy));
        }
        let (owner, name) = at.rsplit_once('/').unwrap();
        let mut copy = document.clone();
        match copy.pointer_mut(owner).unwrap() {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(elements) => drop(elements.remove(name.parse().unwrap())),
            _ => {}
        }
        all.push((format!("{at} removed"), copy));
        let mut copy = document.clone();
        match copy.pointer_mut(at).unwrap() {
            Value::Array(elements) => {
                elements.extend(elements.first().cloned());
                all.push((format!("{at} with its first twice"), copy));
            }
            Value::Object(members) => {
                members.insert(
                    "extensions".into(),
                    json!({"KHR_materials_unlit": {}, "ACME_other": "x"}),
                );
                all.push((format!("{at} with other extensions"), copy));
            }
            _ => {}
        }
    }
    all
}

fn errors(reported: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut errors: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in reported.lines() {
        let Some((name, rest)) = line.split_once(".gltf: ") else {
            continue;
        };
        let mut words = rest.split(' ');
        let (pointer, code) = (words.next().unwrap(), words.next().unwrap_or_default());
        let code = code.trim_end_matches(':').to_owned();
        if code == "VALIDATOR_FAILED" {
            continue;
        }
        errors
            .entry(name.to_owned())
            .or_default()
            .push((pointer.to_owned(), code));
    }
    errors
}

#[test]
fn every_error_has_its_finding_and_none_goes_on() {
    if !khronos::has_validator() {
        return;
    }
    let (before, after) = (
        khronos::empty_folder("khronos_changed/in"),
        khronos::empty_folder("khronos_changed/out"),
    );
    let mut cases = vec![("as it is".to_owned(), rich())];
    cases.extend(changed(&rich()));
    let mut found = BTreeMap::new();
    for (number, (what, document)) in cases.iter().enumerate() {
        let name = format!("{number:05}");
        std::fs::write(before.join(format!("{name}.gltf")), document.to_string()).unwrap();
        let report = match try_read(document) {
            Ok(import) => {
                let source = Some(&import.source);
                let text = to_gltf(&import.character, &ExportOptions::new().source(source))
                    .unwrap_or_else(|e| panic!("{what}: {e}"));
                std::fs::write(after.join(format!("{name}.gltf")), text).unwrap();
                import.report
            }
            Err(GltfError::UnsupportedExtension { pointer, .. }) => {
                let mut report = FileReport::default();
                report.add(Severity::Error, "", pointer, "");
                report
            }
            Err(refusal) => refusal.report().cloned().unwrap_or_default(),
        };
        let findings = report
            .findings
            .into_iter()
            .filter(|f| f.code != "NOT_DRAWN");
        let pointers: BTreeSet<String> = findings.map(|f| f.pointer).collect();
        found.insert(name, pointers);
    }
    let what = |name: &str| &cases[name.parse::<usize>().unwrap()].0;
    let (wrong, carried) = (
        errors(&khronos::validated(&before)),
        errors(&khronos::validated(&after)),
    );
    // A fault can have many consequences, and the validator ignores a list after a wrong element.
    // So a document needs one finding at an error or at the change.
    let (mut silent, mut elsewhere) = (Vec::new(), 0);
    for (name, wanted) in &wrong {
        let is_found = |pointer: &str| {
            let mut pointers = found[name].iter();
            pointers.any(|found| {
                found == pointer || (!found.is_empty() && pointer.starts_with(&format!("{found}/")))
            })
        };
        let missed = wanted
            .iter()
            .filter(|(pointer, _)| !is_found(pointer))
            .count();
        elsewhere += missed;
        let changed = what(name).split(' ').next().unwrap_or_default();
        let is_reported = found[name]
            .iter()
            .any(|pointer| pointer.starts_with(changed));
        // Joints that are not in the skin are accepted if their weights are 0.
        let is_passed_over = wanted
            .iter()
            .all(|(_, code)| code == "ACCESSOR_JOINTS_INDEX_OOB");
        if missed == wanted.len() && !is_reported && !is_passed_over {
            silent.push(format!("{}: {wanted:?}, not {:?}", what(name), found[name]));
        }
    }
    // A sheared node keeps its matrix, because there is no other form for its transform.
    let is_kept = |code: &str| code == "NODE_MATRIX_NON_TRS";
    let carried: Vec<String> = carried
        .iter()
        .flat_map(|(name, errors)| {
            let carried = errors.iter().filter(move |(_, code)| !is_kept(code));
            carried.map(move |error| format!("{}: {error:?}", what(name)))
        })
        .collect();
    let count: usize = wrong.values().map(Vec::len).sum();
    println!(
        "{} documents, {} of them wrong in {count} locations; {} of them in silence, {elsewhere} of the locations found elsewhere, {} carried on",
        cases.len(),
        wrong.len(),
        silent.len(),
        carried.len(),
    );
    assert!(!wrong.contains_key("00000"), "{:?}", wrong["00000"]);
    let all = [("in silence", &silent), ("carried on", &carried)];
    for (how, list) in all {
        for miss in list {
            println!("{how}: {miss}");
        }
    }
    assert!(all.iter().all(|(_, list)| list.is_empty()));
}
