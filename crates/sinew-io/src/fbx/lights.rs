//! Lights. FBX intensity has no unit. Here, a light of intensity 1 makes a white surface white.

use super::plain;
use sinew::character::{Light, LightKind};
use std::f32::consts::PI;
use ufbx::{LightDecay, LightType, Scene};

pub(super) fn lights(scene: &Scene) -> Vec<Light> {
    scene
        .lights
        .into_iter()
        .map(|light| light_of(scene, light))
        .collect()
}

fn light_of(scene: &Scene, light: &ufbx::Light) -> Light {
    let half_rad = |degrees: f64| (0.5 * plain::number(degrees).to_radians()).clamp(0.0, 0.5 * PI);
    let outer_rad = half_rad(light.outer_angle);
    let kind = match light.type_ {
        LightType::Directional => LightKind::Directional,
        LightType::Spot => LightKind::Spot {
            range: None,
            inner_rad: half_rad(light.inner_angle).min(outer_rad),
            outer_rad,
        },
        LightType::Point | LightType::Area | LightType::Volume => LightKind::Point { range: None },
    };
    // The decay of light uses the length unit of the file.
    let unit = plain::number(scene.metadata.geometry_scale);
    let near = match (kind, light.decay) {
        (LightKind::Directional, _) | (_, LightDecay::None) => 1.0,
        (_, LightDecay::Linear) => unit,
        (_, LightDecay::Quadratic) => unit * unit,
        (_, LightDecay::Cubic) => unit * unit * unit,
    };
    let shines = if light.cast_light { PI } else { 0.0 };
    Light {
        name: light.element.name.to_string(),
        color: plain::vec3(light.color).max(glam::Vec3::ZERO).to_array(),
        intensity: (plain::number(light.intensity) * near * shines).max(0.0),
        kind,
    }
}
