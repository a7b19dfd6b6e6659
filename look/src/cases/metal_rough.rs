use crate::case::{Case, Tone, spheres};
use crate::glb::Glb;
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let grid = || {
        let quarters = || (0..5).map(|i| i as f32 / 4.0);
        let materials = quarters().flat_map(|m| quarters().map(move |r| material(m, r)));
        spheres("metal_rough", Glb::default(), materials.collect(), 5)
    };
    let mirror = json!({ "pbrMetallicRoughness": { "roughnessFactor": 0.0 } });
    let mut neutral = grid();
    neutral.name = "neutral".to_owned();
    neutral.tone = Tone::Neutral;
    Ok(vec![
        spheres("mirror", Glb::default(), vec![mirror], 1),
        grid(),
        neutral,
    ])
}

fn material(metallic: f32, roughness: f32) -> Value {
    json!({ "pbrMetallicRoughness": {
        "baseColorFactor": [0.9, 0.55, 0.25, 1.0],
        "metallicFactor": metallic,
        "roughnessFactor": roughness,
    } })
}
