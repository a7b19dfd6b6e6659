//! Each of the five textures alone, and vertex colours.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::shape::sphere;
use crate::texture::{bumps, chart, checkerboard, png};
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let base = one(
        "base_color",
        &chart()?,
        |t| json!({ "pbrMetallicRoughness": { "baseColorTexture": t, "metallicFactor": 0.0, "roughnessFactor": 0.5 } }),
    );
    // Roughness increases from top to bottom. Metal alternates in columns.
    let stripes = png(256, |u, v| {
        [0.0, v, ((u * 8.0).floor()).rem_euclid(2.0), 1.0]
    })?;
    let metal = one(
        "metallic_roughness",
        &stripes,
        |t| json!({ "pbrMetallicRoughness": { "metallicRoughnessTexture": t, "baseColorFactor": [0.8, 0.6, 0.3, 1.0] } }),
    );
    let occlusion = one(
        "occlusion",
        &checkerboard(8.0, [[0.2; 4], [1.0; 4]])?,
        |t| {
            let texture = json!({ "index": t["index"], "strength": 0.75 });
            json!({ "occlusionTexture": texture, "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.4 } })
        },
    );
    let emissive = one("emissive", &chart()?, |t| {
        json!({ "emissiveTexture": t, "emissiveFactor": [0.9, 0.5, 0.2],
            "pbrMetallicRoughness": { "baseColorFactor": [0.1, 0.1, 0.1, 1.0], "metallicFactor": 0.0 } })
    });
    Ok(vec![
        base,
        metal,
        normal("normal", true)?,
        normal("normal_without_tangents", false)?,
        occlusion,
        emissive,
        vertex_colors(),
    ])
}

fn one(name: &str, png: &[u8], material: impl Fn(Value) -> Value) -> Case {
    let mut glb = Glb::default();
    let texture = json!({ "index": glb.texture(png) });
    spheres(name, glb, vec![material(texture)], 1)
}

fn normal(name: &str, tangents: bool) -> Result<Case> {
    let mut glb = Glb::default();
    let texture = glb.texture(&bumps(4.0)?);
    let material = glb.material(json!({
        "normalTexture": { "index": texture, "scale": 0.8 },
        "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.8, 0.8, 1.0], "metallicFactor": 0.3, "roughnessFactor": 0.4 },
    }));
    let ball = sphere(0.45).with_uv_scale([2.0, 1.0]);
    let ball = if tangents {
        ball
    } else {
        ball.without_tangents()
    };
    glb.add(&ball, material, [0.0; 3]);
    Ok(Case::new(name, &glb, 0.5))
}

fn vertex_colors() -> Case {
    let mut glb = Glb::default();
    let material = glb.material(
        json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.6 } }),
    );
    let ball = sphere(0.45).with_colors(|[u, v]| [u, 1.0 - u, v, 1.0]);
    glb.add(&ball, material, [0.0; 3]);
    Case::new("vertex_colors", &glb, 0.5)
}
