use super::surfaces::sixteen_bits;
use crate::skin::vertex::SurfaceVertex;
use sinew::{Primitive, Skin};

/// Weights to show as colours.
#[doc(alias = "weight paint")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightColors {
    /// Weight of the joint with this index, from blue for 0 through green to red for 1.
    Joint(usize),
    /// Colours of all joints, mixed by weight.
    Every,
    /// Colour of the heaviest joint. Of equal weights, the first joint counts.
    Dominant,
}

/// Vertices in the colours of their weights. Vertices without a skin are grey.
pub(crate) fn surface_vertices<'a>(
    primitive: &'a Primitive,
    skin: Option<&'a Skin>,
    colors: WeightColors,
) -> impl Iterator<Item = SurfaceVertex> + 'a {
    (0..primitive.len()).map(move |v| {
        let color = match (&primitive.influences, skin) {
            (Some(influences), Some(skin)) => {
                let joints = &skin.joints;
                let weights = influences.get(v);
                let weights = weights.filter_map(|(j, w)| Some((*joints.get(j)?, w)));
                color(weights, colors)
            }
            _ => [0.3; 3],
        };
        let [r, g, b] = color;
        SurfaceVertex {
            uvs: [[0.0; 2]; 2],
            color: sixteen_bits([r, g, b, 1.0]),
        }
    })
}

fn color(weights: impl Iterator<Item = (usize, f32)>, colors: WeightColors) -> [f32; 3] {
    match colors {
        WeightColors::Joint(joint) => {
            let own = weights.filter(|w| w.0 == joint).map(|w| w.1).sum();
            scale(own)
        }
        WeightColors::Every => weights.fold([0.0; 3], |sum, (joint, weight)| {
            let own = joint_color(joint);
            std::array::from_fn(|c| sum[c] + own[c] * weight)
        }),
        WeightColors::Dominant => {
            let heavier = |a: (usize, f32), b: (usize, f32)| if b.1 > a.1 { b } else { a };
            weights
                .reduce(heavier)
                .map_or([0.0; 3], |(joint, _)| joint_color(joint))
        }
    }
}

/// Linear colours of the scale at equal steps: deep blue, teal, yellow-green, orange, red.
const SCALE: [[f32; 3]; 5] = [
    [0.02, 0.03, 0.18],
    [0.01, 0.3, 0.38],
    [0.3, 0.5, 0.04],
    [0.85, 0.3, 0.01],
    [0.7, 0.01, 0.01],
];

/// Linear colour of a weight, which is clamped to [0, 1].
pub fn scale(weight: f32) -> [f32; 3] {
    let at = weight.clamp(0.0, 1.0) * (SCALE.len() - 1) as f32;
    let stop = (at as usize).min(SCALE.len() - 2);
    let part = at - stop as f32;
    std::array::from_fn(|c| SCALE[stop][c] + (SCALE[stop + 1][c] - SCALE[stop][c]) * part)
}

/// Linear colour of a joint. Neighbouring indices have very different hues.
pub fn joint_color(joint: usize) -> [f32; 3] {
    let hue = (joint as f32 * 0.618_034).fract() * 6.0;
    let channel = |shift: f32| {
        let x = (hue + shift).rem_euclid(6.0);
        ((x - 3.0).abs() - 1.0).clamp(0.0, 1.0)
    };
    let bright = [0.6, 0.42][joint / 3 % 2];
    [channel(0.0), channel(4.0), channel(2.0)].map(|c| (0.06 + 0.94 * c) * bright)
}
