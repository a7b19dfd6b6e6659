//! `KHR_texture_transform`, and a second set of texture coordinates.

use crate::case::Case;
use crate::glb::Glb;
use crate::shape::pane;
use crate::texture::chart;
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let transformed = |name, transform: Value| {
        case(
            name,
            json!({ "extensions": { "KHR_texture_transform": transform } }),
        )
    };
    Ok(vec![
        transformed("uv_offset", json!({ "offset": [0.3, 0.1] }))?,
        transformed("uv_rotation", json!({ "rotation": 0.5 }))?,
        transformed("uv_scale", json!({ "scale": [2.0, 0.5] }))?,
        transformed(
            "uv_all",
            json!({ "offset": [0.2, 0.4], "rotation": -0.7, "scale": [1.5, 3.0], "texCoord": 1 }),
        )?,
        case("uv_second", json!({ "texCoord": 1 }))?,
    ])
}

/// Pane with a chart. Its second set of coordinates is the first, rotated by 90°.
fn case(name: &str, mut texture: Value) -> Result<Case> {
    let mut glb = Glb::default();
    texture["index"] = glb.texture(&chart()?).into();
    let material = glb.material(json!({
        "pbrMetallicRoughness": { "baseColorTexture": texture, "metallicFactor": 0.0, "roughnessFactor": 0.7 },
    }));
    let shape = pane(0.5).with_second_uv(|[u, v]| [1.0 - v, u]);
    glb.add(&shape, material, [0.0; 3]);
    Ok(Case::new(name, &glb, 0.5))
}
