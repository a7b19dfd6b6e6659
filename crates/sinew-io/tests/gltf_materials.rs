//! Materials: import, findings, and round trips.

use crate::plain_gltf;

use plain_gltf::{codes_at, data_uri, exported, reads, triangle, triangle_with};
use serde_json::{Value, json};
use sinew::character::{LightKind, UV_IDENTITY};

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
fn factors_and_all_five_textures_are_read_and_given_back() {
    let document = painted(textured_all_over());
    let import = reads(&document);
    let material = &import.character.materials[0];
    assert_eq!((material.metallic, material.roughness), (0.75, 0.5));
    assert_eq!(material.emissive, [1.0, 0.5, 0.25]);
    assert_eq!(material.base_color, [0.5, 0.25, 0.125, 1.0]);
    assert_eq!(material.occlusion_strength, 0.5);
    let texture = |used: Option<sinew::character::TextureUse>| used.map(|used| used.texture);
    assert_eq!(texture(material.metallic_roughness_texture), Some(0));
    assert_eq!(texture(material.occlusion_texture), Some(0));
    assert_eq!(texture(material.emissive_texture), Some(1));
    assert!(import.report.is_empty(), "{}", import.report);
    let (after, reported) = exported(&import);
    assert_eq!(after["materials"], document["materials"]);
    assert!(reported.is_empty(), "{reported}");
}

#[test]
fn layers_are_read_and_given_back() {
    let material = json!({"normalTexture": {"index": 0}, "extensions": {
        "KHR_materials_emissive_strength": {"emissiveStrength": 5.0},
        "KHR_materials_ior": {"ior": 1.25},
        "KHR_materials_specular": {"specularFactor": 0.5, "specularColorFactor": [0.5, 1.0, 2.0]},
        "KHR_materials_clearcoat": {
            "clearcoatFactor": 1.0,
            "clearcoatNormalTexture": {"index": 1, "texCoord": 1, "scale": 0.25},
        },
        "KHR_materials_sheen": {"sheenColorFactor": [0.25, 0.5, 1.0], "sheenRoughnessFactor": 0.5},
    }});
    let mut document = painted(material);
    let names = document["materials"][0]["extensions"].as_object().unwrap();
    document["extensionsUsed"] = names.keys().map(|name| json!(name)).collect();
    let mut import = reads(&document);
    let material = &mut import.character.materials[0];
    assert_eq!((material.emissive_strength, material.ior), (5.0, 1.25));
    assert_eq!(material.specular.strength, 0.5);
    assert_eq!(material.specular.color, [0.5, 1.0, 2.0]);
    let coat = &material.clearcoat;
    assert_eq!(
        (coat.strength, coat.roughness, coat.normal_scale),
        (1.0, 0.0, 0.25)
    );
    let normal = coat.normal_texture.unwrap();
    assert_eq!((normal.texture, normal.texcoord), (1, 1));
    assert_eq!(
        (material.sheen.color, material.sheen.roughness),
        ([0.25, 0.5, 1.0], 0.5)
    );
    assert!(import.report.is_empty(), "{}", import.report);
    // Only changed layers are written again.
    material.clearcoat.strength = 0.5;
    let (after, reported) = exported(&import);
    assert!(reported.is_empty(), "{reported}");
    let layers =
        |document: &Value, name: &str| document["materials"][0]["extensions"][name].clone();
    for name in [
        "KHR_materials_sheen",
        "KHR_materials_ior",
        "KHR_materials_specular",
    ] {
        assert_eq!(layers(&after, name), layers(&document, name), "{name}");
    }
    assert_eq!(
        reads(&after).character.materials,
        import.character.materials
    );
}

#[test]
fn lights_are_read_with_their_nodes() {
    let mut document = triangle_with(json!({"extensionsUsed": ["KHR_lights_punctual"]}));
    document["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "intensity": 20.0, "color": [1.0, 0.5, 0.25], "range": 4.0,
         "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
        {"type": "directional"},
    ]}});
    document["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 1}});
    let character = reads(&document).character;
    assert_eq!(character.nodes[0].light, Some(1));
    assert_eq!(character.lights[0].color, [1.0, 0.5, 0.25]);
    assert_eq!(character.lights[0].intensity, 20.0);
    let cone = LightKind::Spot {
        range: Some(4.0),
        inner_rad: 0.25,
        outer_rad: 0.5,
    };
    assert_eq!(character.lights[0].kind, cone);
    assert_eq!(character.lights[1].kind, LightKind::Directional);
    assert_eq!(character.lights[1].intensity, 1.0);
}

#[test]
fn the_old_description_becomes_metal_and_roughness() {
    let old = |specular: f64, diffuse: f64| {
        let mut document = painted(
            json!({"extensions": {"KHR_materials_pbrSpecularGlossiness": {
                "diffuseFactor": [diffuse, diffuse, diffuse, 1.0],
                "specularFactor": [specular, specular, specular],
                "glossinessFactor": 0.75,
            }}}),
        );
        document["extensionsUsed"] = json!(["KHR_materials_pbrSpecularGlossiness"]);
        reads(&document).character.materials[0].clone()
    };
    let plastic = old(0.04, 0.5);
    assert!(
        plastic.metallic < 1e-3 && (plastic.base_color[0] - 0.5).abs() < 1e-3,
        "{plastic:?}"
    );
    assert_eq!(plastic.roughness, 0.25);
    let gold = old(0.9, 0.0);
    assert!(
        gold.metallic > 0.99 && (gold.base_color[0] - 0.9).abs() < 0.01,
        "{gold:?}"
    );
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
    let (after, reported) = exported(&import);
    let written = &after["materials"][0];
    assert_eq!(written.get("emissiveTexture"), None);
    assert_eq!(reported.findings.len(), 2, "{reported}");
}

#[test]
fn what_a_caller_says_of_a_surface_is_written_beside_its_textures() {
    let mut import = reads(&painted(textured_all_over()));
    import.character.materials[0].metallic = 0.25;
    import.character.materials[0].emissive = [0.0, 1.0, 0.0];
    import.character.materials[0].occlusion_texture = None;
    let (after, reported) = exported(&import);
    assert!(reported.is_empty(), "{reported}");
    let mut wanted = import.character.materials.clone();
    // The strength is not written without a texture.
    wanted[0].occlusion_strength = 1.0;
    assert_eq!(reads(&after).character.materials, wanted);
}

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
    // Scale to (2, 0) and (0, 3), and rotation by 90° counter-clockwise: right becomes up.
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
    let (after, reported) = exported(&import);
    assert_eq!(after["materials"], document["materials"]);
    assert_eq!(after["extensionsUsed"], document["extensionsUsed"]);
    assert!(reported.is_empty(), "{reported}");
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
    let (after, reported) = exported(&import);
    assert!(reported.is_empty(), "{reported}");
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
    // A shear is not written.
    let base = import.character.materials[0].base_color_texture.as_mut();
    base.unwrap().transform = [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0]];
    let (_, reported) = exported(&import);
    let at = "/materials/0/pbrMetallicRoughness/baseColorTexture";
    assert_eq!(codes_at(&reported, at), ["NOT_WRITTEN"]);
}

#[test]
fn every_feature_that_is_not_drawn_is_reported() {
    let mut document = painted(json!({
        "extensions": {
            "KHR_materials_transmission": {"transmissionFactor": 1.0},
            "KHR_materials_iridescence": {"iridescenceFactor": 1.0},
        },
    }));
    document["extensionsUsed"] = json!([
        "KHR_materials_transmission",
        "KHR_materials_iridescence",
        "KHR_materials_variants",
        "EXT_mesh_gpu_instancing",
    ]);
    document["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let report = reads(&document).report;
    for at in [
        "/materials/0/extensions/KHR_materials_transmission",
        "/materials/0/extensions/KHR_materials_iridescence",
        "/meshes/0/primitives/0/mode",
        "/extensionsUsed/2",
        "/extensionsUsed/3",
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
