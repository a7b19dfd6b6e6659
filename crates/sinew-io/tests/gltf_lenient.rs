//! Documents with faults or requirements that do not affect the character. They are accepted.

use crate::plain_gltf;

use plain_gltf::{codes_at, exported, reads, triangle, triangle_with, try_read};
use serde_json::{Value, json};
use sinew_io::report::Severity;

fn push(document: &mut Value, list: &str, item: Value) {
    document[list].as_array_mut().unwrap().push(item);
}

#[test]
fn what_nothing_uses_may_be_broken_or_missing() {
    let float =
        |view: u32| json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"});
    let cases: [(&str, &str, Value, &str); 7] = [
        (
            "accessors",
            "/accessors/3/bufferView",
            float(9),
            "UNRESOLVED_REFERENCE",
        ),
        ("accessors", "/accessors/3", float(2), "ACCESSOR_TOO_LONG"),
        (
            "accessors",
            "/accessors/3",
            json!({"count": 3, "type": "VEC3"}),
            "UNDEFINED_PROPERTY",
        ),
        ("accessors", "/accessors/3", json!("three"), "TYPE_MISMATCH"),
        (
            "bufferViews",
            "/bufferViews/3/buffer",
            json!({"buffer": 9, "byteLength": 4}),
            "UNRESOLVED_REFERENCE",
        ),
        (
            "bufferViews",
            "/bufferViews/3/byteLength",
            json!({"buffer": 0, "byteLength": 999}),
            "BUFFER_VIEW_TOO_LONG",
        ),
        (
            "buffers",
            "/buffers/1/uri",
            json!({"byteLength": 4, "uri": "gone.bin"}),
            "IO_ERROR",
        ),
    ];
    let whole = reads(&triangle()).character;
    for (list, pointer, item, code) in cases {
        let mut document = triangle();
        push(&mut document, list, item);
        let import = reads(&document);
        assert_eq!(import.character, whole, "{pointer}");
        assert_eq!(codes_at(&import.report, pointer), [code], "{pointer}");
        assert_eq!(import.report.count(Severity::Error), 0);
        let again = reads(&exported(&import).0);
        assert!(again.report.is_empty(), "{pointer}: {}", again.report);
        assert_eq!(again.character, whole);
    }
}

#[test]
fn what_something_uses_must_be_there() {
    let changes: [fn(&mut Value); 4] = [
        |document| document["accessors"][1]["bufferView"] = json!(9),
        |document| document["bufferViews"][1]["byteLength"] = json!(999),
        |document| document["buffers"][0]["uri"] = json!("gone.bin"),
        |document| document["accessors"][0]["type"] = json!(3),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut document = triangle();
        change(&mut document);
        let refusal = try_read(&document).expect_err("the triangle is not all there");
        assert!(refusal.report().is_some(), "{number}: {refusal}");
    }
}

#[test]
fn pictures_may_be_in_a_buffer_that_is_missing() {
    let mut document = triangle_with(json!({
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "textures": [{"source": 0}],
    }));
    push(
        &mut document,
        "buffers",
        json!({"byteLength": 4, "uri": "gone.bin"}),
    );
    push(
        &mut document,
        "bufferViews",
        json!({"buffer": 1, "byteLength": 4}),
    );
    let import = reads(&document);
    assert!(import.character.images[0].bytes.is_empty());
    assert_eq!(codes_at(&import.report, "/buffers/1/uri"), ["IO_ERROR"]);
    let (after, reported) = exported(&import);
    assert_eq!(after.get("images"), None);
    assert_eq!(codes_at(&reported, "/images/0"), ["NOT_WRITTEN"]);
}

fn moving() -> Value {
    let mut document = triangle();
    let times = plain_gltf::data_uri("application/octet-stream", &[0, 0, 0, 0, 0, 0, 0x80, 0x3f]);
    push(
        &mut document,
        "buffers",
        json!({"byteLength": 8, "uri": times}),
    );
    push(
        &mut document,
        "bufferViews",
        json!({"buffer": 1, "byteLength": 8}),
    );
    push(
        &mut document,
        "accessors",
        json!({
            "bufferView": 3, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [1.0],
        }),
    );
    push(
        &mut document,
        "accessors",
        json!({"componentType": 5126, "count": 2, "type": "VEC3"}),
    );
    document["animations"] = json!([{
        "samplers": [{"input": 3, "output": 4, "interpolation": "LINEAR"}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
    }]);
    document
}

#[test]
fn an_interpolation_that_is_no_word_is_linear() {
    let wanted = reads(&moving()).character;
    assert_eq!(wanted.clips[0].joints.len(), 1);
    for spelled in [json!(3), json!(null), json!(["STEP"]), json!("linear")] {
        let mut document = moving();
        document["animations"][0]["samplers"][0]["interpolation"] = spelled.clone();
        let import = reads(&document);
        assert_eq!(import.character, wanted, "{spelled}");
        let at = "/animations/0/samplers/0/interpolation";
        assert_eq!(codes_at(&import.report, at).len(), 1, "{spelled}");
    }
}

#[test]
fn a_sampler_that_no_channel_uses_may_be_broken() {
    let wanted = reads(&moving()).character;
    for sampler in [
        json!({"input": 99, "output": 4}),
        json!({"input": 2, "output": 4}),
        json!({}),
    ] {
        let mut document = moving();
        push(&mut document["animations"][0], "samplers", sampler.clone());
        let import = reads(&document);
        assert_eq!(import.character, wanted, "{sampler}");
        assert!(!import.report.is_empty());
    }
}

#[test]
fn looks_cameras_and_scenes_that_cannot_be_read_cost_only_themselves() {
    let wanted = reads(&triangle()).character;
    type Change = (&'static str, fn(&mut Value));
    let changes: [Change; 8] = [
        ("/materials/0/normalTexture/index", |d| {
            d["materials"][0]["normalTexture"] = json!({"index": -1});
        }),
        ("/materials/0/pbrMetallicRoughness", |d| {
            d["materials"][0]["pbrMetallicRoughness"] = json!([]);
        }),
        ("/materials/0/alphaMode", |d| {
            d["materials"][0]["alphaMode"] = json!(2);
        }),
        ("/samplers", |d| d["samplers"] = json!({})),
        ("/cameras/0", |d| d["cameras"] = json!([3])),
        ("/nodes/0/camera", |d| {
            d["nodes"][0]["camera"] = json!("front");
        }),
        ("/scene", |d| d["scene"] = json!(-1)),
        ("/scenes/0/nodes/0", |d| {
            d["scenes"][0]["nodes"] = json!(["root"]);
        }),
    ];
    for (pointer, change) in changes {
        let mut document = triangle();
        change(&mut document);
        let import = reads(&document);
        let mut found = import.character.clone();
        // A camera that cannot be read keeps its index, because pointers refer to it.
        let cameras = std::mem::take(&mut found.cameras);
        assert_eq!(found, wanted, "{pointer}");
        assert_eq!(cameras.len(), usize::from(pointer == "/cameras/0"));
        assert!(cameras.iter().all(|camera| camera.node.is_none()));
        assert!(
            !codes_at(&import.report, pointer).is_empty(),
            "{pointer}: {}",
            import.report
        );
        assert_eq!(
            reads(&exported(&import).0).report.to_string(),
            "",
            "{pointer}"
        );
    }
}

#[test]
fn extensions_whose_loss_leaves_a_character_may_be_required() {
    let wanted = reads(&triangle()).character;
    for name in ["EXT_texture_avif", "EXT_mesh_gpu_instancing"] {
        let document =
            triangle_with(json!({"extensionsUsed": [name], "extensionsRequired": [name]}));
        let import = reads(&document);
        assert_eq!(import.character, wanted, "{name}");
        assert_eq!(
            codes_at(&import.report, "/extensionsUsed/0"),
            ["NOT_DRAWN"],
            "{name}"
        );
    }
    for name in [
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "KHR_node_visibility",
        "KHR_animation_pointer",
    ] {
        let document =
            triangle_with(json!({"extensionsUsed": [name], "extensionsRequired": [name]}));
        let import = reads(&document);
        assert_eq!(import.character, wanted, "{name}");
        assert!(import.report.is_empty(), "{name}: {}", import.report);
    }
    let name = "ACME_other_vertices";
    let document = triangle_with(json!({"extensionsUsed": [name], "extensionsRequired": [name]}));
    let refusal = try_read(&document).expect_err("nobody knows what is lost");
    assert!(refusal.to_string().contains(name), "{refusal}");
}

#[test]
fn strips_begin_again_where_restarts_are_allowed() {
    let indices: Vec<u8> = [0_u16, 1, 2, 0xffff, 2, 1, 0]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let mut document = triangle();
    push(
        &mut document,
        "buffers",
        json!({
            "byteLength": 14, "uri": plain_gltf::data_uri("application/octet-stream", &indices),
        }),
    );
    push(
        &mut document,
        "bufferViews",
        json!({"buffer": 1, "byteLength": 14}),
    );
    push(
        &mut document,
        "accessors",
        json!({
            "bufferView": 3, "componentType": 5123, "count": 7, "type": "SCALAR",
        }),
    );
    let primitive = &mut document["meshes"][0]["primitives"][0];
    primitive["indices"] = json!(3);
    primitive["mode"] = json!(5);
    let name = "KHR_mesh_primitive_restart";
    document["extensionsUsed"] = json!([name]);
    document["extensionsRequired"] = json!([name]);
    let import = reads(&document);
    let primitive = &import.character.meshes[0].primitives[0];
    assert_eq!(**primitive.indices.as_ref().unwrap(), [0, 1, 2, 2, 1, 0]);
    assert!(import.report.is_empty(), "{}", import.report);
    let (after, _) = exported(&import);
    assert_eq!(after.get("extensionsRequired"), None);
    assert_eq!(reads(&after).character, import.character);
}
