//! Export restores data that a character cannot hold.

use crate::made;

use serde_json::{Value, json};
use sinew::{Character, Interpolation};
use sinew_io::gltf::{ExportOptions, GltfImport, export, import_bytes, to_gltf};

fn changed(character: &Character, change: impl FnOnce(&mut Value)) -> String {
    let text = to_gltf(character, &ExportOptions::default()).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    change(&mut document);
    document.to_string()
}

fn read(text: &str) -> GltfImport {
    import_bytes(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error}"))
}

fn written(import: &GltfImport) -> Value {
    let options = ExportOptions::new().source(Some(&import.source));
    let text = to_gltf(&import.character, &options).unwrap();
    read(&text);
    serde_json::from_str(&text).unwrap()
}

/// JSON pointers of objects that may have `extras` and `extensions`.
const OBJECTS: [&str; 17] = [
    "",
    "/asset",
    "/scenes/0",
    "/nodes/0",
    "/nodes/3",
    "/meshes/0",
    "/meshes/0/primitives/0",
    "/skins/0",
    "/animations/0",
    "/animations/0/channels/1",
    "/animations/0/channels/1/target",
    "/animations/0/samplers/1",
    "/materials/0",
    "/materials/0/pbrMetallicRoughness",
    "/materials/0/pbrMetallicRoughness/baseColorTexture",
    "/textures/0",
    "/images/0",
];

fn rich() -> Character {
    let mut character = made::painted();
    let mut animated = made::animated(&[Interpolation::Slerp]);
    animated.materials = std::mem::take(&mut character.materials);
    animated.textures = character.textures;
    animated.images = character.images;
    animated.meshes[0].primitives[0].material = Some(0);
    animated.clips[0].add_event(0.5, "step");
    animated
}

#[test]
fn extras_extensions_and_unknown_members_are_kept() {
    let text = changed(&rich(), |document| {
        for (index, pointer) in OBJECTS.iter().enumerate() {
            let object = document.pointer_mut(pointer).unwrap();
            object["extras"] = json!({"from": pointer, "deep": [index, {"a": null}]});
            object["extensions"]["ACME_things"] = json!({"number": 0.1});
        }
        let used = document["extensionsUsed"].as_array_mut().unwrap();
        used.push(json!("ACME_things"));
        document["asset"]["copyright"] = json!("someone");
        document["cameras"] = json!([{"type": "perspective",
            "perspective": {"yfov": 0.7, "znear": 0.01}, "name": "eye"}]);
        document["nodes"][3]["camera"] = json!(0);
        document["scenes"][0]["name"] = json!("stage");
        document["scenes"]
            .as_array_mut()
            .unwrap()
            .push(json!({"nodes": [0]}));
        document["scene"] = json!(1);
        document["materials"][0]["occlusionTexture"] = json!({"index": 0, "strength": 0.5});
        document["samplers"][0]["name"] = json!("soft");
        document["skins"][0]["skeleton"] = json!(0);
        document["unknown"] = json!({"member": true});
    });
    let before: Value = serde_json::from_str(&text).unwrap();
    let after = written(&read(&text));
    for pointer in OBJECTS {
        for member in ["extras", "extensions"] {
            let at = format!("{pointer}/{member}");
            let mut kept = after.pointer(&at).cloned().unwrap();
            // `extras` also holds the event of the character.
            if let Some(object) = kept.as_object_mut() {
                object.remove("sinew");
            }
            assert_eq!(Some(&kept), before.pointer(&at), "{at}");
        }
    }
    let same = [
        "/asset/copyright",
        "/cameras",
        "/nodes",
        "/scenes",
        "/scene",
        "/materials",
        "/samplers",
        "/textures",
        "/skins/0/skeleton",
        "/unknown",
        "/extensionsUsed",
    ];
    for pointer in same {
        assert_eq!(after.pointer(pointer), before.pointer(pointer), "{pointer}");
    }
}

#[test]
fn accessors_keep_their_indices_when_an_unknown_extension_may_name_them() {
    let pointer_channel = json!({
        "sampler": 0,
        "target": {"path": "pointer", "extensions": {
            "KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/metallicFactor"}
        }}
    });
    let text = changed(&rich(), |document| {
        document["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_animation_pointer"]);
        let channels = document["animations"][0]["channels"]
            .as_array_mut()
            .unwrap();
        channels.push(pointer_channel.clone());
    });
    let before: Value = serde_json::from_str(&text).unwrap();
    let import = read(&text);
    assert_eq!(import.source.buffers.len(), 1);
    let after = written(&import);
    for list in ["accessors", "bufferViews"] {
        let [before, after] = [&before, &after].map(|d| d[list].as_array().unwrap());
        assert_eq!(after[..before.len()], before[..], "{list}");
    }
    let channels = after["animations"][0]["channels"].as_array().unwrap();
    let kept = &channels[channels.len() - 1];
    assert_eq!(kept["target"], pointer_channel["target"]);
    let sampler = kept["sampler"].as_u64().unwrap() as usize;
    let samplers = after["animations"][0]["samplers"].as_array().unwrap();
    assert_eq!(samplers[sampler], before["animations"][0]["samplers"][0]);
    assert_eq!(read(&after.to_string()).character, import.character);
}

#[test]
fn pointers_follow_what_they_point_at() {
    let camera =
        |yfov: f64| json!({"type": "perspective", "perspective": {"yfov": yfov, "znear": 0.01}});
    let channel = |pointer: &str| {
        json!({"sampler": 0, "target": {"path": "pointer", "extensions": {
            "KHR_animation_pointer": {"pointer": pointer, "extras": 7}
        }}})
    };
    let text = changed(&rich(), |document| {
        // The first camera is invalid and omitted. The first mesh is empty.
        document["cameras"] = json!([{"type": "perspective"}, camera(0.7)]);
        let empty = json!({"primitives": [{"attributes": {}}]});
        document["meshes"].as_array_mut().unwrap().insert(0, empty);
        document["nodes"][2]["mesh"] = json!(1);
        document["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_animation_pointer"]);
        let channels = document["animations"][0]["channels"].as_array_mut();
        channels.unwrap().extend([
            channel("/cameras/1/perspective/yfov"),
            channel("/cameras/0/perspective/yfov"),
            channel("/meshes/1/weights"),
            channel("/meshes/0/weights"),
            channel("/materials/0/alphaCutoff"),
        ]);
    });
    let import = read(&text);
    let options = ExportOptions::new().source(Some(&import.source));
    let export = export(&import.character, &options).unwrap();
    let written: Value = serde_json::from_str(&export.to_gltf().unwrap()).unwrap();
    assert_eq!(written["cameras"], json!([camera(0.7)]));
    let channels = written["animations"][0]["channels"].as_array().unwrap();
    let pointers: Vec<_> = channels
        .iter()
        .filter_map(|c| c["target"]["extensions"].get("KHR_animation_pointer"))
        .collect();
    let pointer = |to: &str| json!({"pointer": to, "extras": 7});
    let wanted = [
        pointer("/cameras/0/perspective/yfov"),
        pointer("/meshes/0/weights"),
        pointer("/materials/0/alphaCutoff"),
    ];
    assert_eq!(pointers, wanted.iter().collect::<Vec<_>>());
    let lost = export.report.findings.iter();
    let lost = lost.filter(|f| f.message.contains("target was left out"));
    assert_eq!(lost.count(), 2, "{}", export.report);
}

#[test]
fn what_is_nested_too_deep_to_read_is_left_out() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for (depth, is_kept) in [(100, true), (101, false), (200_000, false)] {
        let text = changed(&rich(), |document| {
            document["nodes"][0]["extras"] = json!("deep");
            document["nodes"][0]["name"] = json!("named");
        });
        let text = text.replace("\"deep\"", &nested(depth));
        let import = read(&text);
        let found = import.report.findings.iter();
        let found: Vec<_> = found.filter(|f| f.code == "NESTED_TOO_DEEP").collect();
        assert_eq!(found.is_empty(), is_kept, "{depth}");
        if let Some(finding) = found.first() {
            assert_eq!(finding.pointer, "/nodes/0/extras");
            assert!(finding.message.contains(&depth.to_string()), "{finding}");
        }
        // Parsers that allow 128 levels can still read it.
        let after = written(&import);
        assert_eq!(after["nodes"][0].get("extras").is_some(), is_kept);
        assert_eq!(after["nodes"][0]["name"], "named");
    }
}

#[test]
fn morphed_attributes_that_a_character_lacks_are_kept() {
    let text = changed(&made::morphed(), |document| {
        let accessors = document["accessors"].as_array_mut().unwrap();
        let zeros = json!({"componentType": 5126, "type": "VEC2", "count": 200});
        accessors.push(zeros);
        let index = json!(accessors.len() - 1);
        document["meshes"][0]["primitives"][0]["targets"][1]["TEXCOORD_0"] = index;
    });
    let before: Value = serde_json::from_str(&text).unwrap();
    let after = written(&read(&text));
    let at = "/meshes/0/primitives/0/targets/1/TEXCOORD_0";
    assert!(after.pointer(at).is_some());
    assert_eq!(after.pointer(at), before.pointer(at));
}

#[test]
fn extensions_about_storage_are_gone() {
    let before = written(&read(&changed(&rich(), |_| {})))["extensionsUsed"].clone();
    let text = changed(&rich(), |document| {
        let compressed = json!({"bufferView": 0, "attributes": {"POSITION": 0}});
        let extensions = json!({"KHR_draco_mesh_compression": compressed});
        document["meshes"][0]["primitives"][0]["extensions"] = extensions;
        let used = document["extensionsUsed"].as_array_mut().unwrap();
        used.extend([
            json!("KHR_draco_mesh_compression"),
            json!("KHR_mesh_quantization"),
        ]);
        document["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    });
    let after = written(&read(&text));
    assert_eq!(after["extensionsUsed"], before);
    assert_eq!(after.get("extensionsRequired"), None);
    let primitive = &after["meshes"][0]["primitives"][0];
    assert_eq!(primitive.get("extensions"), None);
}

#[test]
fn changes_to_the_character_win_over_the_source() {
    let mut import = read(&changed(&rich(), |_| {}));
    let character = &mut import.character;
    character.nodes[3].name = "renamed".into();
    character.nodes.push(made::still("new", Some(3)));
    character.nodes.push(made::still("new root", None));
    character.materials[0].unlit = true;
    character.materials[1].unlit = false;
    character.materials[0].base_color = [0.5; 4];
    character.clips[0].events.clear();
    character.textures[0].wrap = Default::default();
    let after = written(&import);
    assert_eq!(after["nodes"][3]["name"], "renamed");
    assert_eq!(after["nodes"][3]["children"], json!([4]));
    assert_eq!(after["scenes"][0]["nodes"], json!([0, 3, 5]));
    assert_eq!(after["animations"][0].get("extras"), None);
    assert_eq!(read(&after.to_string()).character, import.character);
}

#[test]
fn extras_that_are_no_object_stay_and_events_are_left_out() {
    let text = changed(&rich(), |document| {
        document["animations"][0]["extras"] = json!("mine");
    });
    let mut import = read(&text);
    import.character.clips[0].add_event(0.1, "lost");
    let after = written(&import);
    assert_eq!(after["animations"][0]["extras"], "mine");
}

#[test]
fn broken_extras_are_left_out_with_a_finding() {
    let cases = [
        json!(3),
        json!({"events": 3}),
        json!({"events": [{"time": -1, "name": "early"}]}),
        json!({"events": [{"time": 1e99, "name": "late"}]}),
        json!({"events": [{"name": "when"}]}),
        json!({"curves": [{"name": "flat", "width": 0, "interpolation": "STEP", "times": [], "values": []}]}),
        json!({"curves": [{"name": "odd", "width": 1, "interpolation": "ODD", "times": [0], "values": [0]}]}),
        json!({"duration": "long"}),
    ];
    for case in cases {
        let text = changed(&rich(), |document| {
            document["animations"][0]["extras"]["sinew"] = case.clone();
        });
        let import = read(&text);
        let findings = &import.report.findings;
        assert!(
            findings.iter().any(|f| f.code == "EXTRAS_UNREADABLE"),
            "{case}"
        );
        assert!(import.character.clips[0].events.is_empty(), "{case}");
    }
}
