//! Alpha modes and double-sided materials.

use crate::case::{Case, spheres};
use crate::glb::Glb;
use crate::shape::{Shape, pane};
use crate::texture::png;
use anyhow::Result;
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    Ok(vec![
        holes("alpha_opaque", json!({}))?,
        holes(
            "alpha_mask",
            json!({ "alphaMode": "MASK", "alphaCutoff": 0.4, "doubleSided": true }),
        )?,
        holes("alpha_blend", json!({ "alphaMode": "BLEND" }))?,
        panes(),
        sides("one_sided", false),
        sides("double_sided", true),
    ])
}

/// Sphere whose opacity varies with u and v.
fn holes(name: &str, mut material: Value) -> Result<Case> {
    let mut glb = Glb::default();
    let waves = png(256, |u, v| {
        let wave = |t: f32| (t * 8.0 * std::f32::consts::PI).sin();
        [0.9, 0.4, 0.3, 0.5 + 0.5 * wave(2.0 * u) * wave(v)]
    })?;
    material["pbrMetallicRoughness"] = json!({
        "baseColorTexture": { "index": glb.texture(&waves) }, "metallicFactor": 0.0, "roughnessFactor": 0.6,
    });
    Ok(spheres(name, glb, vec![material], 1))
}

/// Blended panes in front of and behind an opaque pane, listed front to back.
fn panes() -> Case {
    let mut glb = Glb::default();
    let plain = |color: [f32; 4]| json!({ "baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.8 });
    let front =
        json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": plain([0.9, 0.2, 0.1, 0.5]) });
    let middle = json!({ "pbrMetallicRoughness": plain([0.3, 0.7, 0.3, 1.0]) });
    let back = json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": plain([0.1, 0.3, 0.9, 0.6]) });
    let places = [[-0.2, -0.15, 0.3], [0.0, 0.0, 0.0], [0.15, 0.2, -0.3]];
    for (material, at) in [front, middle, back].into_iter().zip(places) {
        let material = glb.material(material);
        glb.add(&pane(0.3), material, at);
    }
    Case::new("blended_panes", &glb, 0.6)
}

/// Panes that face the camera, and panes that face away.
fn sides(name: &str, double_sided: bool) -> Case {
    let mut glb = Glb::default();
    let material = glb.material(json!({
        "doubleSided": double_sided,
        "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.6, 0.2, 1.0], "metallicFactor": 0.5, "roughnessFactor": 0.3 },
    }));
    let toward = pane(0.22);
    let turn = |[x, y, z]: [f32; 3]| [-x, y, -z];
    let away = Shape {
        positions: toward.positions.iter().copied().map(turn).collect(),
        normals: toward.normals.iter().copied().map(turn).collect(),
        ..toward.clone()
    };
    glb.add(&toward, material, [-0.25, 0.0, 0.0]);
    glb.add(&away.without_tangents(), material, [0.25, 0.0, 0.0]);
    Case::new(name, &glb, 0.5)
}
