//! Faults in parts that a character does not need. They are reported and not exported.

use crate::plain_gltf;

use plain_gltf::{ONE_PIXEL, WEBP, codes_at, data_uri, exported, reads, triangle, triangle_with};
use serde_json::{Value, json};

/// Imports documents with these members and checks the pointers and codes of the findings.
fn check(cases: impl IntoIterator<Item = (Value, Vec<(&'static str, &'static str)>)>) {
    for (members, wanted) in cases {
        let import = reads(&triangle_with(members.clone()));
        for (pointer, code) in &wanted {
            let found = codes_at(&import.report, pointer);
            assert!(
                found.contains(code),
                "{members}: {code} at {pointer}\n{}",
                import.report
            );
        }
        let (after, _) = exported(&import);
        let again = reads(&after);
        let mut carried_on = again.report.findings.iter();
        let finding = carried_on.find(|f| f.code != "NOT_DRAWN");
        assert_eq!(finding, None, "{members}: carried on\n{after}");
        assert_eq!(again.character.meshes, import.character.meshes);
    }
}

#[test]
fn references_that_do_not_resolve() {
    let texture = |info: Value| json!({"materials": [{"normalTexture": info}], "textures": [{}]});
    const UNRESOLVED: &str = "UNRESOLVED_REFERENCE";
    check([
        (
            json!({"textures": [{"source": 7}]}),
            vec![("/textures/0/source", UNRESOLVED)],
        ),
        (
            json!({"textures": [{"sampler": 7}]}),
            vec![("/textures/0/sampler", UNRESOLVED)],
        ),
        (
            texture(json!({"index": 1})),
            vec![("/materials/0/normalTexture/index", UNRESOLVED)],
        ),
        (
            texture(json!({})),
            vec![("/materials/0/normalTexture", "UNDEFINED_PROPERTY")],
        ),
        (
            texture(json!({"index": 0, "texCoord": -1})),
            vec![("/materials/0/normalTexture/texCoord", "VALUE_NOT_IN_RANGE")],
        ),
        (
            texture(json!({"index": 0, "scale": "x"})),
            vec![("/materials/0/normalTexture/scale", "TYPE_MISMATCH")],
        ),
        (
            json!({"images": [{"bufferView": 9, "mimeType": "image/png"}]}),
            vec![("/images/0/bufferView", UNRESOLVED)],
        ),
        (
            json!({"nodes": [{"mesh": 0, "camera": 1}]}),
            vec![("/nodes/0/camera", UNRESOLVED)],
        ),
    ]);
}

#[test]
fn pictures() {
    let image = |image: Value| json!({"images": [image], "textures": [{"source": 0}]});
    let uri = |mime_type: &str, bytes: &[u8]| image(json!({"uri": data_uri(mime_type, bytes)}));
    let mut no_width = ONE_PIXEL.to_vec();
    no_width[19] = 0;
    let mut odd_depth = ONE_PIXEL.to_vec();
    odd_depth[24] = 3;
    let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0];
    let flat_jpeg = [
        0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xd9,
    ];
    check([
        (
            uri("image/png", &ONE_PIXEL[..20]),
            vec![("/images/0", "IMAGE_UNEXPECTED_EOS")],
        ),
        (
            uri("image/png", &no_width),
            vec![("/images/0", "IMAGE_DATA_INVALID")],
        ),
        (
            uri("image/png", &odd_depth),
            vec![("/images/0", "IMAGE_DATA_INVALID")],
        ),
        (
            uri("image/jpeg", &jpeg),
            vec![("/images/0", "IMAGE_UNEXPECTED_EOS")],
        ),
        (
            uri("image/jpeg", &flat_jpeg),
            vec![("/images/0", "IMAGE_DATA_INVALID")],
        ),
        (
            uri("image/webp", &WEBP[..18]),
            vec![("/images/0", "IMAGE_UNEXPECTED_EOS")],
        ),
        (
            uri("image/jpeg", ONE_PIXEL),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            uri("application/octet-stream", ONE_PIXEL),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            uri("image/png", b"no picture at all"),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            uri("image/png", b""),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            image(json!({"uri": "data:image/png;base64,***"})),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            image(json!({"uri": ":"})),
            vec![("/images/0/uri", "INVALID_URI")],
        ),
        (
            image(json!({"uri": 3})),
            vec![
                ("/images/0/uri", "TYPE_MISMATCH"),
                ("/images/0", "ONE_OF_MISMATCH"),
            ],
        ),
        (
            image(json!({"uri": data_uri("image/png", ONE_PIXEL), "mimeType": "image/jpeg"})),
            vec![("/images/0/uri", "IMAGE_MIME_TYPE_INVALID")],
        ),
        (
            image(
                json!({"uri": data_uri("image/png", ONE_PIXEL), "bufferView": 0, "mimeType": "image/png"}),
            ),
            vec![("/images/0", "ONE_OF_MISMATCH")],
        ),
        (
            image(json!({"bufferView": 0})),
            vec![("/images/0/bufferView", "UNSATISFIED_DEPENDENCY")],
        ),
        (
            uri("image/webp", WEBP),
            vec![
                ("/images/0", "IMAGE_NON_ENABLED_MIME_TYPE"),
                ("/textures/0/source", "TEXTURE_INVALID_IMAGE_MIME_TYPE"),
            ],
        ),
        (
            json!({
                "extensionsUsed": ["EXT_texture_webp"],
                "images": [{"uri": data_uri("image/png", ONE_PIXEL)}],
                "textures": [{"extensions": {"EXT_texture_webp": {"source": 0}}}],
            }),
            vec![(
                "/textures/0/extensions/EXT_texture_webp/source",
                "TEXTURE_INVALID_IMAGE_MIME_TYPE",
            )],
        ),
    ]);
    let mut document = triangle();
    document["bufferViews"][0]["byteStride"] = json!(12);
    document["images"] = json!([{"bufferView": 0, "mimeType": "image/png"}]);
    let report = reads(&document).report;
    let found = codes_at(&report, "/images/0/bufferView");
    assert!(
        found.contains(&"IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE"),
        "{report}"
    );
}

#[test]
fn samplers_and_materials() {
    let material = |material: Value| json!({"materials": [material], "textures": [{}]});
    const RANGE: &str = "VALUE_NOT_IN_RANGE";
    check([
        (
            json!({"samplers": [{"wrapS": "a"}]}),
            vec![("/samplers/0/wrapS", "TYPE_MISMATCH")],
        ),
        (
            json!({"samplers": [{"wrapS": 1}]}),
            vec![("/samplers/0/wrapS", "VALUE_NOT_IN_LIST")],
        ),
        (
            json!({"samplers": [{"name": 3}]}),
            vec![("/samplers/0/name", "TYPE_MISMATCH")],
        ),
        (
            material(
                json!({"pbrMetallicRoughness": {"metallicFactor": 2, "roughnessFactor": -1, "baseColorFactor": [1, 2, 1, 1]}}),
            ),
            vec![
                ("/materials/0/pbrMetallicRoughness/metallicFactor", RANGE),
                ("/materials/0/pbrMetallicRoughness/roughnessFactor", RANGE),
                ("/materials/0/pbrMetallicRoughness/baseColorFactor/1", RANGE),
            ],
        ),
        (
            material(json!({"emissiveFactor": [1, 1, 9]})),
            vec![("/materials/0/emissiveFactor/2", RANGE)],
        ),
        (
            material(json!({"alphaMode": "MASK", "alphaCutoff": -1})),
            vec![("/materials/0/alphaCutoff", RANGE)],
        ),
        (
            material(json!({"occlusionTexture": {"index": 0, "strength": 4}})),
            vec![("/materials/0/occlusionTexture/strength", RANGE)],
        ),
    ]);
}

#[test]
fn cameras() {
    let camera = |camera: Value| json!({"cameras": [camera], "nodes": [{"mesh": 0, "camera": 0}]});
    let perspective =
        |members: Value| camera(json!({"type": "perspective", "perspective": members}));
    let orthographic =
        |members: Value| camera(json!({"type": "orthographic", "orthographic": members}));
    let (yfov, flat) = (
        json!({"yfov": 1, "znear": 1}),
        json!({"xmag": 1, "ymag": 1, "znear": 1, "zfar": 2}),
    );
    const RANGE: &str = "VALUE_NOT_IN_RANGE";
    const MISSING: &str = "UNDEFINED_PROPERTY";
    check([
        (camera(json!({})), vec![("/cameras/0", MISSING)]),
        (
            camera(json!({"type": "fisheye"})),
            vec![("/cameras/0/type", "VALUE_NOT_IN_LIST")],
        ),
        (
            camera(json!({"type": 3, "perspective": yfov})),
            vec![("/cameras/0/type", "TYPE_MISMATCH")],
        ),
        (
            camera(json!({"type": "perspective"})),
            vec![("/cameras/0", MISSING)],
        ),
        (
            camera(json!({"type": "perspective", "orthographic": flat})),
            vec![("/cameras/0", MISSING)],
        ),
        (
            camera(json!({"type": "perspective", "perspective": yfov, "orthographic": flat})),
            vec![("/cameras/0", "ONE_OF_MISMATCH")],
        ),
        (
            camera(json!({"type": "perspective", "perspective": 3})),
            vec![("/cameras/0/perspective", "TYPE_MISMATCH")],
        ),
        (
            perspective(json!({})),
            vec![("/cameras/0/perspective", MISSING)],
        ),
        (
            perspective(json!({"yfov": 0, "znear": 0, "aspectRatio": 0})),
            vec![
                ("/cameras/0/perspective/yfov", RANGE),
                ("/cameras/0/perspective/znear", RANGE),
                ("/cameras/0/perspective/aspectRatio", RANGE),
            ],
        ),
        (
            perspective(json!({"yfov": 1, "znear": 1, "zfar": 1})),
            vec![("/cameras/0/perspective", "CAMERA_ZFAR_LEQUAL_ZNEAR")],
        ),
        (
            perspective(json!({"yfov": "1", "znear": 1})),
            vec![("/cameras/0/perspective/yfov", "TYPE_MISMATCH")],
        ),
        (
            orthographic(json!({})),
            vec![("/cameras/0/orthographic", MISSING)],
        ),
        (
            orthographic(json!({"xmag": 0, "ymag": 0, "znear": 1, "zfar": 2})),
            vec![
                ("/cameras/0/orthographic/xmag", "CAMERA_XMAG_YMAG_ZERO"),
                ("/cameras/0/orthographic/ymag", "CAMERA_XMAG_YMAG_ZERO"),
            ],
        ),
        (
            orthographic(json!({"xmag": 1, "ymag": 1, "znear": -1, "zfar": 0})),
            vec![
                ("/cameras/0/orthographic/znear", RANGE),
                ("/cameras/0/orthographic/zfar", RANGE),
            ],
        ),
        (
            orthographic(json!({"xmag": 1, "ymag": 1, "znear": 2, "zfar": 1})),
            vec![("/cameras/0/orthographic", "CAMERA_ZFAR_LEQUAL_ZNEAR")],
        ),
    ]);
}

#[test]
fn a_camera_that_is_left_out_takes_no_other_ones_index() {
    let good = json!({"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}});
    let document = triangle_with(json!({
        "cameras": [{"type": "perspective"}, good],
        "nodes": [{"mesh": 0, "camera": 1}, {"camera": 0}],
    }));
    let (after, reported) = exported(&reads(&document));
    assert_eq!(after["cameras"], json!([good]));
    assert_eq!(after["nodes"][0]["camera"], 0);
    assert_eq!(after["nodes"][1].get("camera"), None);
    assert_eq!(codes_at(&reported, "/cameras/0"), ["NOT_WRITTEN"]);
}

#[test]
fn extensions() {
    let of_material = |name: &'static str, value: Value| {
        let extensions = json!({name: value});
        json!({"extensionsUsed": [name], "materials": [{"extensions": extensions}], "textures": [{}]})
    };
    let lights = |light: Value| {
        json!({
            "extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": [light]}},
            "nodes": [{"mesh": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}],
        })
    };
    let spot = |spot: Value| lights(json!({"type": "spot", "spot": spot}));
    const RANGE: &str = "VALUE_NOT_IN_RANGE";
    const COAT: &str = "KHR_materials_clearcoat";
    const LIGHT: &str = "/extensions/KHR_lights_punctual/lights/0";
    check([
        (
            of_material("KHR_materials_unlit", json!("yes")),
            vec![(
                "/materials/0/extensions/KHR_materials_unlit",
                "TYPE_MISMATCH",
            )],
        ),
        (
            of_material("ACME_gold", json!("yes")),
            vec![("/materials/0/extensions/ACME_gold", "TYPE_MISMATCH")],
        ),
        (
            json!({"extensionsUsed": ["ACME_gold"], "asset": {"version": "2.0", "extensions": {"ACME_gold": 3}}}),
            vec![("/asset/extensions/ACME_gold", "TYPE_MISMATCH")],
        ),
        (
            of_material(COAT, json!({"clearcoatFactor": 2})),
            vec![(
                "/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor",
                RANGE,
            )],
        ),
        (
            of_material(COAT, json!({"clearcoatTexture": {"index": 9}})),
            vec![(
                "/materials/0/extensions/KHR_materials_clearcoat/clearcoatTexture/index",
                "UNRESOLVED_REFERENCE",
            )],
        ),
        (
            of_material(
                COAT,
                json!({"clearcoatTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [1]}}}}),
            ),
            vec![
                (
                    "/materials/0/extensions/KHR_materials_clearcoat/clearcoatTexture/extensions/KHR_texture_transform",
                    "UNDECLARED_EXTENSION",
                ),
                (
                    "/materials/0/extensions/KHR_materials_clearcoat/clearcoatTexture/extensions/KHR_texture_transform/scale",
                    "ARRAY_LENGTH_NOT_IN_LIST",
                ),
            ],
        ),
        (
            of_material(
                "KHR_materials_sheen",
                json!({"sheenColorFactor": [1, "b", 1]}),
            ),
            vec![(
                "/materials/0/extensions/KHR_materials_sheen/sheenColorFactor",
                "ARRAY_TYPE_MISMATCH",
            )],
        ),
        (
            json!({
                "extensionsUsed": ["KHR_texture_transform"],
                "materials": [{"normalTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"rotation": "a"}}}}],
                "textures": [{}],
            }),
            vec![(
                "/materials/0/normalTexture/extensions/KHR_texture_transform/rotation",
                "TYPE_MISMATCH",
            )],
        ),
        (lights(json!({})), vec![(LIGHT, "UNDEFINED_PROPERTY")]),
        (
            spot(json!({"innerConeAngle": 1, "outerConeAngle": 0.5})),
            vec![(
                "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle",
                "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES",
            )],
        ),
        (
            lights(json!({"type": "spot"})),
            vec![(LIGHT, "UNDEFINED_PROPERTY")],
        ),
        (
            json!({
                "extensionsUsed": ["KHR_lights_punctual"],
                "nodes": [{"mesh": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}}],
            }),
            vec![(
                "/nodes/0/extensions/KHR_lights_punctual",
                "UNSATISFIED_DEPENDENCY",
            )],
        ),
        (
            json!({
                "extensionsUsed": ["KHR_lights_punctual"],
                "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}},
                "nodes": [{"mesh": 0, "extensions": {"KHR_lights_punctual": {"light": 5}}}],
            }),
            vec![(
                "/nodes/0/extensions/KHR_lights_punctual/light",
                "UNRESOLVED_REFERENCE",
            )],
        ),
        (
            json!({"extensionsUsed": ["KHR_materials_unlit"], "nodes": [{"mesh": 0, "extensions": {"KHR_materials_unlit": {}}}]}),
            vec![(
                "/nodes/0/extensions/KHR_materials_unlit",
                "UNEXPECTED_EXTENSION_OBJECT",
            )],
        ),
        (
            json!({"extensionsUsed": ["ACME_gold", "ACME_gold"]}),
            vec![("/extensionsUsed/1", "DUPLICATE_ELEMENTS")],
        ),
        (
            json!({"extensionsUsed": ["KHR_mesh_quantization"]}),
            vec![("/extensionsUsed/0", "NON_REQUIRED_EXTENSION")],
        ),
        (
            json!({"extensionsRequired": ["KHR_materials_unlit"]}),
            vec![
                ("/extensionsRequired", "UNSATISFIED_DEPENDENCY"),
                ("/extensionsRequired/0", "UNUSED_EXTENSION_REQUIRED"),
            ],
        ),
    ]);
}

#[test]
fn variants_and_tangents() {
    let mut variants = triangle_with(json!({
        "extensionsUsed": ["KHR_materials_variants"],
        "extensions": {"KHR_materials_variants": {"variants": [{"name": "a"}, {"name": "b"}]}},
    }));
    let mappings = json!({"mappings": [{"material": 0, "variants": [0, 1]}, {"material": 0, "variants": [1]}]});
    variants["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": mappings});
    let mut bumpy = triangle_with(json!({
        "extensionsUsed": ["KHR_materials_clearcoat"],
        "textures": [{}],
        "materials": [{"extensions": {"KHR_materials_clearcoat": {"clearcoatNormalTexture": {"index": 0}}}}],
    }));
    bumpy["asset"]["extras"] = json!(3);
    let cases = [
        (
            variants,
            "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/1/variants/0",
            "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT",
        ),
        (
            bumpy,
            "/meshes/0/primitives/0/material",
            "MESH_PRIMITIVE_NO_TANGENT_SPACE",
        ),
    ];
    check(cases.map(|(document, pointer, code)| (document, vec![(pointer, code)])));
}

#[test]
fn pointers_of_animations() {
    let times = data_uri("application/octet-stream", &[0; 4]);
    let animated = |target: Value| {
        let mut document = triangle();
        let push = |list: &mut Value, item: Value| list.as_array_mut().unwrap().push(item);
        push(
            &mut document["buffers"],
            json!({"byteLength": 4, "uri": times}),
        );
        push(
            &mut document["bufferViews"],
            json!({"buffer": 1, "byteLength": 4}),
        );
        push(
            &mut document["accessors"],
            json!({"bufferView": 3, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]}),
        );
        push(
            &mut document["accessors"],
            json!({"componentType": 5126, "count": 1, "type": "VEC3"}),
        );
        document["extensionsUsed"] = json!(["KHR_animation_pointer"]);
        document["animations"] = json!([{
            "samplers": [{"input": 3, "output": 4}],
            "channels": [{"sampler": 0, "target": target}],
        }]);
        document
    };
    let pointer = |pointer: Value| json!({"KHR_animation_pointer": {"pointer": pointer}});
    const AT: &str = "/animations/0/channels/0/target/extensions/KHR_animation_pointer";
    check([
        (
            animated(
                json!({"node": 0, "path": "pointer", "extensions": pointer(json!("/nodes/0/scale"))}),
            ),
            vec![(AT, "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE")],
        ),
        (
            animated(json!({"path": "scale", "extensions": pointer(json!("/nodes/0/scale"))})),
            vec![(AT, "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH")],
        ),
        (
            animated(json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {}}})),
            vec![(AT, "UNDEFINED_PROPERTY")],
        ),
        (
            animated(json!({"path": "pointer", "extensions": pointer(json!("nodes"))})),
            vec![(
                "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer",
                "PATTERN_MISMATCH",
            )],
        ),
    ]);
}

#[test]
fn versions() {
    check([(
        json!({"asset": {"version": "2.0", "minVersion": "x"}}),
        vec![("/asset/minVersion", "PATTERN_MISMATCH")],
    )]);
    let document = triangle_with(json!({"asset": {"version": "2.0", "minVersion": "2.1"}}));
    let refusal = plain_gltf::try_read(&document).expect_err("it is for a later version");
    let report = refusal.report().expect("it was read that far");
    let found = codes_at(report, "/asset/minVersion");
    assert!(
        found.contains(&"ASSET_MIN_VERSION_GREATER_THAN_VERSION"),
        "{report}"
    );
}
