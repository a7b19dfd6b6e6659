//! Glass: `KHR_materials_transmission`, `KHR_materials_volume`, `KHR_materials_dispersion`.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::shape::pane;
use crate::texture;
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let volume = json!({ "thicknessFactor": 0.6, "attenuationDistance": 0.5, "attenuationColor": [0.3, 0.8, 0.6] });
    let clear = json!({ "thicknessFactor": 0.6 });
    Ok(vec![
        glass("transmission", 0.0, json!({}))?,
        glass("transmission_rough", 0.4, json!({}))?,
        glass("volume", 0.0, json!({ "KHR_materials_volume": volume }))?,
        glass(
            "dispersion",
            0.0,
            json!({ "KHR_materials_volume": clear, "KHR_materials_dispersion": { "dispersion": 5.0 } }),
        )?,
    ])
}

fn glass(name: &str, roughness: f32, mut extensions: Value) -> Result<Case> {
    let mut glb = Glb::default();
    let texture = glb.texture(&texture::chart()?);
    let backdrop = glb.material(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } },
        "extensions": { "KHR_materials_unlit": {} },
    }));
    // The chart fills the picture, because the renderers draw different backgrounds behind glass.
    let chart = pane(1.0).with_uv_scale([2.0, 2.0]);
    glb.add(&chart, backdrop, [0.0, 0.0, -0.6]);
    extensions["KHR_materials_transmission"] = json!({ "transmissionFactor": 1.0 });
    let material = json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0.9, 0.95, 1.0, 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness },
        "extensions": extensions,
    });
    Ok(spheres(name, glb, vec![material], 1))
}
