//! Lights of `KHR_lights_punctual`.

use sinew::character::{Light, LightKind};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use crate::gltf::document::json::{self, elements, natural, number, string};
use crate::gltf::document::schema::{Document, Node};

const EXTENSION: &str = "KHR_lights_punctual";

/// Lights of the file. A light of unknown kind has no effect.
pub(super) fn lights(document: &Document) -> Vec<Light> {
    let listed = document.rest.extension(EXTENSION);
    let listed = listed
        .and_then(|text| json::member(text, "lights"))
        .and_then(elements);
    listed.into_iter().flatten().map(light_of).collect()
}

fn light_of(text: &str) -> Light {
    let finite = |text: &str| {
        number(text)
            .map(|value| value as f32)
            .filter(|value| value.is_finite())
    };
    let not_negative = |text: &str, name: &str| {
        let value = json::member(text, name).and_then(finite);
        value.filter(|value| *value >= 0.0)
    };
    let color = json::member(text, "color").and_then(elements);
    let color: Option<Vec<f32>> = color.and_then(|numbers| numbers.take(4).map(finite).collect());
    let color = color.and_then(|color| color.try_into().ok());
    let range = not_negative(text, "range").filter(|range| *range > 0.0);
    let spot = json::member(text, "spot").unwrap_or_default();
    let kind = json::member(text, "type").and_then(string);
    let mut intensity = not_negative(text, "intensity").unwrap_or(1.0);
    let kind = match kind.as_deref() {
        Some("directional") => LightKind::Directional,
        Some("point") => LightKind::Point { range },
        Some("spot") => {
            let outer_rad = not_negative(spot, "outerConeAngle")
                .unwrap_or(FRAC_PI_4)
                .min(FRAC_PI_2);
            let inner_rad = not_negative(spot, "innerConeAngle")
                .unwrap_or(0.0)
                .min(outer_rad);
            LightKind::Spot {
                range,
                inner_rad,
                outer_rad,
            }
        }
        _ => {
            intensity = 0.0;
            LightKind::Directional
        }
    };
    Light {
        name: json::member(text, "name")
            .and_then(string)
            .unwrap_or_default()
            .into_owned(),
        color: color.map_or([1.0; 3], |color: [f32; 3]| {
            color.map(|channel| channel.max(0.0))
        }),
        intensity,
        kind,
    }
}

pub(super) fn light_on(node: &Node, lights: usize) -> Option<usize> {
    let text = node.rest.extension(EXTENSION)?;
    let light: usize = json::member(text, "light").and_then(natural)?;
    (light < lights).then_some(light)
}
