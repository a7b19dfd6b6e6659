//! `KHR_materials_unlit`, `KHR_materials_emissive_strength`.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::texture::chart;
use anyhow::Result;
use serde_json::json;

pub fn cases() -> Result<Vec<Case>> {
    let mut glb = Glb::default();
    let texture = glb.texture(&chart()?);
    let unlit = json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture }, "baseColorFactor": [0.9, 0.9, 0.6, 1.0] },
        "extensions": { "KHR_materials_unlit": {} },
    });
    let strength = |strength: f32| {
        json!({
            "emissiveFactor": [0.6, 0.2, 0.05],
            "pbrMetallicRoughness": { "baseColorFactor": [0.05, 0.05, 0.05, 1.0], "metallicFactor": 0.0 },
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": strength } },
        })
    };
    let strengths = [0.0, 0.5, 1.0, 4.0].map(strength).to_vec();
    Ok(vec![
        spheres("unlit", glb, vec![unlit], 1),
        spheres("emissive_strength", Glb::default(), strengths, 2),
    ])
}
