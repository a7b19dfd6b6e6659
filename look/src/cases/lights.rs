//! `KHR_lights_punctual`, without an environment.

use crate::case::Case;
use crate::glb::Glb;
use crate::shape::{pane, sphere};
use anyhow::Result;
use glam::{Quat, Vec3};
use serde_json::{Value, json};

pub fn cases() -> Result<Vec<Case>> {
    let at = Vec3::new(-0.5, 0.7, 0.9);
    let spot = json!({ "innerConeAngle": 0.2, "outerConeAngle": 0.45 });
    Ok(vec![
        lit(
            "directional",
            json!({ "type": "directional", "intensity": 3.0, "color": [1.0, 0.9, 0.7] }),
            at,
        ),
        lit(
            "point",
            json!({ "type": "point", "intensity": 4.0, "color": [0.7, 0.9, 1.0] }),
            at,
        ),
        lit(
            "point_range",
            json!({ "type": "point", "intensity": 4.0, "range": 1.6 }),
            at,
        ),
        lit(
            "spot",
            json!({ "type": "spot", "intensity": 6.0, "spot": spot }),
            at,
        ),
    ])
}

/// Rough, smooth and metal spheres in front of a wall, lit from `at` toward the origin.
fn lit(name: &str, light: Value, at: Vec3) -> Case {
    let mut glb = Glb::default();
    let looks = [
        ([0.8, 0.3, 0.2, 1.0], 0.0, 0.9),
        ([0.2, 0.4, 0.8, 1.0], 0.0, 0.3),
        ([0.9, 0.7, 0.4, 1.0], 1.0, 0.4),
    ];
    for (index, (color, metallic, roughness)) in looks.into_iter().enumerate() {
        let material = glb.material(json!({ "pbrMetallicRoughness": {
            "baseColorFactor": color, "metallicFactor": metallic, "roughnessFactor": roughness,
        } }));
        glb.add(
            &sphere(0.16),
            material,
            [0.33 * (index as f32 - 1.0), 0.0, 0.0],
        );
    }
    let wall = glb.material(json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0 } }));
    glb.add(&pane(0.55), wall, [0.0, 0.0, -0.2]);
    let rotation = Quat::from_rotation_arc(Vec3::NEG_Z, -at.normalize());
    glb.light(light, at.to_array(), rotation.to_array());
    Case::new(name, &glb, 0.55).without_environment()
}
