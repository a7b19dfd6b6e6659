//! Reflection of dielectrics: `KHR_materials_ior`, `KHR_materials_specular`.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::texture::{chart, checkerboard};
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let row = |name, materials: Vec<Value>| spheres(name, Glb::default(), materials, 2);
    let with = |extension: &str, members: Value| {
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.25, 0.05, 0.05, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.15 },
            "extensions": { extension: members },
        })
    };
    let ior = [1.0, 1.33, 1.8, 2.4].map(|ior| with("KHR_materials_ior", json!({ "ior": ior })));
    let factor = [0.0, 0.3, 0.7, 1.0]
        .map(|s| with("KHR_materials_specular", json!({ "specularFactor": s })));
    let colors = [
        [1.0, 0.2, 0.1],
        [0.1, 1.0, 0.3],
        [0.2, 0.4, 1.0],
        [4.0, 4.0, 2.0],
    ];
    let color = colors.map(|c| {
        with(
            "KHR_materials_specular",
            json!({ "specularColorFactor": c }),
        )
    });
    let mut glb = Glb::default();
    let strength = glb.texture(&checkerboard(8.0, [[1.0, 1.0, 1.0, 0.0], [1.0; 4]])?);
    let tint = glb.texture(&chart()?);
    let textured = vec![
        with(
            "KHR_materials_specular",
            json!({ "specularTexture": { "index": strength } }),
        ),
        with(
            "KHR_materials_specular",
            json!({ "specularColorTexture": { "index": tint } }),
        ),
    ];
    Ok(vec![
        row("ior", ior.to_vec()),
        row("specular_factor", factor.to_vec()),
        row("specular_color", color.to_vec()),
        spheres("specular_textures", glb, textured, 2),
    ])
}
