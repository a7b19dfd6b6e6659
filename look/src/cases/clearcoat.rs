//! `KHR_materials_clearcoat`.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::texture::{bumps, checkerboard, png};
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let plain =
        |name, coats: [Value; 4]| spheres(name, Glb::default(), coats.map(coated).to_vec(), 2);
    let factor = [0.0, 0.4, 0.7, 1.0].map(|f| json!({ "clearcoatFactor": f }));
    let roughness = [0.0, 0.2, 0.5, 1.0]
        .map(|r| json!({ "clearcoatFactor": 1.0, "clearcoatRoughnessFactor": r }));
    let mut glb = Glb::default();
    let fields = glb.texture(&checkerboard(8.0, [[0.0, 0.0, 0.0, 1.0], [1.0; 4]])?);
    let ramp = glb.texture(&png(64, |_, v| [0.0, v, 0.0, 1.0])?);
    let normal = glb.texture(&bumps(8.0)?);
    let textured = [
        json!({ "clearcoatFactor": 1.0, "clearcoatTexture": { "index": fields } }),
        json!({ "clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 1.0, "clearcoatRoughnessTexture": { "index": ramp } }),
        json!({ "clearcoatFactor": 1.0, "clearcoatNormalTexture": { "index": normal } }),
    ];
    let mut textured = textured.map(coated).to_vec();
    // The coat is smooth over a bumpy base.
    let mut base = coated(json!({ "clearcoatFactor": 1.0 }));
    base["normalTexture"] = json!({ "index": normal });
    textured.push(base);
    Ok(vec![
        plain("clearcoat_factor", factor),
        plain("clearcoat_roughness", roughness),
        spheres("clearcoat_textures", glb, textured, 2),
    ])
}

fn coated(coat: Value) -> Value {
    json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.03, 0.03, 1.0], "metallicFactor": 0.3, "roughnessFactor": 0.6 },
        "extensions": { "KHR_materials_clearcoat": coat },
    })
}
