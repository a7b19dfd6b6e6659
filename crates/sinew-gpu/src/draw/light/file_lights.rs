//! Lamps from the lights of the file of a character.

use super::lighting::{Lamp, LampPosition, MAX_LAMPS};
use crate::draw::stage_curves::StageCurves;
use glam::Vec3;
use sinew::character::{Character, Driven, LightKind};
use sinew::{Affine, ModelPose};
use std::f32::consts::PI;

/// Lamps of the lights of a posed character, the brightest first, up to [`MAX_LAMPS`].
pub fn file_lamps(character: &Character, pose: &ModelPose, world_from_model: &Affine) -> Vec<Lamp> {
    let (driven, curves) = (Driven::new(character), StageCurves::default());
    driven_lamps(character, &driven, pose, world_from_model, &curves)
}

/// Like [`file_lamps`], with the values of bound curves.
pub fn driven_lamps(
    character: &Character,
    driven: &Driven,
    pose: &ModelPose,
    world_from_model: &Affine,
    curves: &StageCurves,
) -> Vec<Lamp> {
    if character.lights.is_empty() {
        return Vec::new();
    }
    let worlds = character.node_worlds(pose);
    let mut lamps: Vec<Lamp> = Vec::new();
    for (index, (node, model_from_node)) in character.nodes.iter().zip(worlds).enumerate() {
        let light = node.light.and_then(|light| driven.lights().get(light));
        let Some(light) = light.filter(|_| !driven.is_hidden(index)) else {
            continue;
        };
        let world_from_node = *world_from_model * model_from_node;
        let at = world_from_node.translation();
        let along = world_from_node
            .transform_vector(Vec3::NEG_Z)
            .normalize_or(Vec3::NEG_Z);
        // Converts to the light that a white surface reflects.
        let driven = curves.light(&light.name).color_over(light.color);
        let color = driven.map(|c| c * light.intensity / PI);
        let is_sound = at.is_finite() && color.iter().all(|c| c.is_finite());
        if !is_sound || color == [0.0; 3] {
            continue;
        }
        lamps.push(Lamp {
            position: match light.kind {
                LightKind::Directional => LampPosition::Far(-along),
                LightKind::Point { range } => LampPosition::Point {
                    at,
                    range: range.unwrap_or(0.0),
                },
                LightKind::Spot {
                    range,
                    inner_rad,
                    outer_rad,
                } => LampPosition::Spot {
                    at,
                    range: range.unwrap_or(0.0),
                    along,
                    // Curves may set the inner angle beyond the outer.
                    inner_cos: inner_rad.min(outer_rad).cos(),
                    outer_cos: outer_rad.cos(),
                },
            },
            diffuse: color,
            specular: color,
        });
    }
    let brightness = |lamp: &Lamp| lamp.diffuse.iter().sum::<f32>();
    lamps.sort_by(|a, b| brightness(b).total_cmp(&brightness(a)));
    lamps.truncate(MAX_LAMPS);
    lamps
}
