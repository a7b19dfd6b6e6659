//! Thin films and brushed metal: `KHR_materials_iridescence`, `KHR_materials_anisotropy`.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let ball = |metallic: f32, extensions: Value| {
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.6, 0.6, 0.6, 1.0], "metallicFactor": metallic, "roughnessFactor": 0.25 },
            "extensions": extensions,
        })
    };
    let film = |metallic: f32, thickness: f32| {
        let film = json!({ "iridescenceFactor": 1.0, "iridescenceIor": 1.4, "iridescenceThicknessMaximum": thickness });
        ball(metallic, json!({ "KHR_materials_iridescence": film }))
    };
    let brushed = |strength: f32, rotation: f32| {
        let brush = json!({ "anisotropyStrength": strength, "anisotropyRotation": rotation });
        ball(1.0, json!({ "KHR_materials_anisotropy": brush }))
    };
    let films = vec![
        film(0.0, 250.0),
        film(0.0, 500.0),
        film(1.0, 250.0),
        film(1.0, 500.0),
    ];
    let brushes = vec![
        brushed(0.4, 0.0),
        brushed(0.9, 0.0),
        brushed(0.9, 0.8),
        brushed(0.9, std::f32::consts::FRAC_PI_2),
    ];
    Ok(vec![
        spheres("iridescence", Glb::default(), films, 2),
        spheres("anisotropy", Glb::default(), brushes, 2),
    ])
}
