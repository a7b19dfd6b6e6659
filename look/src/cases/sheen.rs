//! `KHR_materials_sheen`: colour against roughness.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use anyhow::Result;
use serde_json::json;

pub fn cases() -> Result<Vec<Case>> {
    let colors = [[0.2, 0.2, 0.2], [0.9, 0.9, 0.9], [0.9, 0.3, 0.1]];
    let cloth = |color: [f32; 3], roughness: f32| {
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.15, 0.1, 0.3, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9 },
            "extensions": { "KHR_materials_sheen": { "sheenColorFactor": color, "sheenRoughnessFactor": roughness } },
        })
    };
    let materials = colors
        .iter()
        .flat_map(|&c| [0.2, 0.5, 1.0].map(|r| cloth(c, r)));
    Ok(vec![spheres(
        "sheen",
        Glb::default(),
        materials.collect(),
        3,
    )])
}
