//! Materials: what is taken of them, what is said of the rest, and that a file gets back what it had.

use crate::plain_gltf;

use plain_gltf::{codes_at, data_uri, exported, reads, triangle, triangle_with};
use serde_json::{Value, json};
use sinew::character::UV_IDENTITY;

/// A triangle with one material, on two sets of texture coordinates.
fn painted(material: Value) -> Value {
    triangle_with(json!({
        "materials": [material],
        "textures": [{"source": 0}, {"source": 0}],
        "images": [{"uri": data_uri("image/png", plain_gltf::ONE_PIXEL)}],
    }))
}

fn textured_all_over() -> Value {
    json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 0.125, 1.0],
            "metallicFactor": 0.75,
            "roughnessFactor": 0.5,
            "metallicRoughnessTexture": {"index": 0},
        },
        "occlusionTexture": {"index": 0, "strength": 0.5},
        "emissiveTexture": {"index": 1},
        "emissiveFactor": [1.0, 0.5, 0.25],
    })
}

#[test]
fn textures_that_are_not_read_make_neither_metal_nor_light() {
    let document = painted(textured_all_over());
    let import = reads(&document);
    let material = &import.character.materials[0];
    assert_eq!((material.metallic, material.roughness), (0.0, 0.6));
    assert_eq!(material.emissive, [0.0; 3]);
    assert_eq!(material.base_color, [0.5, 0.25, 0.125, 1.0]);
    for member in [
        "pbrMetallicRoughness/metallicRoughnessTexture",
        "occlusionTexture",
        "emissiveTexture",
    ] {
        let at = format!("/materials/0/{member}");
        assert_eq!(codes_at(&import.report, &at), ["NOT_DRAWN"], "{at}");
    }
    let (after, said) = exported(&import);
    assert_eq!(after["materials"], document["materials"]);
    assert!(said.is_empty(), "{said}");
}

#[test]
fn factors_count_where_no_texture_should_have_said() {
    let mut material = textured_all_over();
    material["emissiveTexture"].take();
    material.as_object_mut().unwrap().remove("emissiveTexture");
    material["pbrMetallicRoughness"]
        .as_object_mut()
        .unwrap()
        .remove("metallicRoughnessTexture");
    let import = reads(&painted(material));
    let material = &import.character.materials[0];
    assert_eq!((material.metallic, material.roughness), (0.75, 0.5));
    assert_eq!(material.emissive, [1.0, 0.5, 0.25]);
}

#[test]
fn a_texture_that_does_not_exist_says_nothing_about_the_factors() {
    let mut material = textured_all_over();
    material["pbrMetallicRoughness"]["metallicRoughnessTexture"] = json!({"index": 7});
    material["emissiveTexture"] = json!({"index": 7});
    let import = reads(&painted(material));
    let material = &import.character.materials[0];
    assert_eq!((material.metallic, material.roughness), (0.75, 0.5));
    assert_eq!(material.emissive, [1.0, 0.5, 0.25]);
    let (after, said) = exported(&import);
    let written = &after["materials"][0];
    assert_eq!(written.get("emissiveTexture"), None);
    assert_eq!(said.findings.len(), 2, "{said}");
}

#[test]
fn what_a_caller_says_of_a_surface_goes_over_its_textures() {
    let mut import = reads(&painted(textured_all_over()));
    import.character.materials[0].metallic = 0.25;
    import.character.materials[0].emissive = [0.0, 1.0, 0.0];
    let (after, said) = exported(&import);
    assert_eq!(
        reads(&after).character.materials,
        import.character.materials
    );
    let left_out: Vec<&str> = said.findings.iter().map(|f| f.pointer.as_str()).collect();
    let places = [
        "/materials/0/pbrMetallicRoughness/metallicRoughnessTexture",
        "/materials/0/emissiveTexture",
    ];
    assert_eq!(left_out, places);
    assert!(after["materials"][0].get("occlusionTexture").is_some());
}

/// The coordinate on the image that a use of a texture looks up.
fn looked_up(transform: [[f32; 3]; 2], [u, v]: [f32; 2]) -> [f32; 2] {
    transform.map(|[a, b, c]| a * u + b * v + c)
}

#[test]
fn texture_transforms_are_read_and_given_back() {
    let moved = |extension: Value| json!({"index": 1, "texCoord": 0, "extensions": {"KHR_texture_transform": extension}});
    let mut document = painted(json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": moved(json!({
                "offset": [0.25, 0.5], "rotation": std::f64::consts::FRAC_PI_2, "scale": [2.0, 3.0], "texCoord": 1,
            })),
        },
        "normalTexture": moved(json!({"offset": [0.5, 0.0]})),
    }));
    document["extensionsUsed"] = json!(["KHR_texture_transform"]);
    document["extensionsRequired"] = json!(["KHR_texture_transform"]);
    let import = reads(&document);
    let material = &import.character.materials[0];
    let base = material.base_color_texture.unwrap();
    assert_eq!((base.texture, base.texcoord), (1, 1));
    // Scaled to (2, 0) and (0, 3), then turned a quarter against the clock as one sees it, v downward: right goes up.
    let cases = [
        ([0.0, 0.0], [0.25, 0.5]),
        ([1.0, 0.0], [0.25, -1.5]),
        ([0.0, 1.0], [3.25, 0.5]),
    ];
    for (at, wanted) in cases {
        let found = looked_up(base.transform, at);
        let off = (0..2).map(|i| (found[i] - wanted[i]).abs());
        assert!(
            off.fold(0.0, f32::max) < 1e-6,
            "{at:?}: {found:?} {wanted:?}"
        );
    }
    let normal = material.normal_texture.unwrap();
    assert_eq!(normal.texcoord, 0);
    assert_eq!(normal.transform, [[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]);
    let at = "/materials/0/normalTexture/texCoord";
    assert_eq!(codes_at(&import.report, at), ["NOT_DRAWN"]);
    let (after, said) = exported(&import);
    assert_eq!(after["materials"], document["materials"]);
    assert_eq!(after["extensionsUsed"], document["extensionsUsed"]);
    assert!(said.is_empty(), "{said}");
}

#[test]
fn texture_transforms_of_a_caller_are_written() {
    let mut import = reads(&painted(json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
    })));
    let base = import.character.materials[0].base_color_texture.as_mut();
    let base = base.unwrap();
    assert_eq!(base.transform, UV_IDENTITY);
    base.transform = [[0.0, 0.5, 0.1], [-2.0, 0.0, 0.2]];
    let (after, said) = exported(&import);
    assert!(said.is_empty(), "{said}");
    let again = reads(&after).character.materials[0]
        .base_color_texture
        .unwrap();
    let wanted = import.character.materials[0].base_color_texture.unwrap();
    for (found, wanted) in again
        .transform
        .iter()
        .flatten()
        .zip(wanted.transform.iter().flatten())
    {
        assert!((found - wanted).abs() < 1e-6, "{again:?} {wanted:?}");
    }
    // A lean is no offset, rotation and scale.
    let base = import.character.materials[0].base_color_texture.as_mut();
    base.unwrap().transform = [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0]];
    let (_, said) = exported(&import);
    let at = "/materials/0/pbrMetallicRoughness/baseColorTexture";
    assert_eq!(codes_at(&said, at), ["NOT_WRITTEN"]);
}

#[test]
fn every_feature_that_is_not_drawn_is_said() {
    let clearcoat = json!({"clearcoatFactor": 1.0, "clearcoatTexture": {"index": 0}});
    let mut document = painted(json!({
        "extensions": {"KHR_materials_clearcoat": clearcoat, "KHR_materials_ior": {"ior": 1.4}},
    }));
    document["extensionsUsed"] = json!([
        "KHR_materials_clearcoat",
        "KHR_materials_ior",
        "KHR_lights_punctual",
        "KHR_node_visibility",
        "EXT_mesh_gpu_instancing",
    ]);
    document["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    document["samplers"] = json!([{"magFilter": 9728}]);
    document["textures"][0]["sampler"] = json!(0);
    document["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let report = reads(&document).report;
    for at in [
        "/materials/0/extensions/KHR_materials_clearcoat",
        "/materials/0/extensions/KHR_materials_ior",
        "/samplers/0/magFilter",
        "/meshes/0/primitives/0/mode",
        "/extensionsUsed/2",
        "/extensionsUsed/3",
        "/extensionsUsed/4",
    ] {
        assert_eq!(codes_at(&report, at), ["NOT_DRAWN"], "{at}: {report}");
    }
}

#[test]
fn a_plain_material_has_no_findings() {
    let report = reads(&painted(json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5},
        "normalTexture": {"index": 1, "scale": 0.5},
        "emissiveFactor": [1.0, 1.0, 1.0],
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
    })))
    .report;
    assert!(report.is_empty(), "{report}");
    assert!(reads(&triangle()).report.is_empty());
}
