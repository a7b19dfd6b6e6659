//! Nodes with zero scale along an axis. glTF allows no matrix for them. A decomposition into
//! translation, rotation and scale loses precision, unless these parts are rounded first.

use glam::{DVec3, Quat, Vec3};
use sinew::Transform;

/// Rounding step, much larger than the error of one composition and decomposition.
const STEP: f64 = 1.0 / 262_144.0;

/// Min scale, relative and absolute. Smaller scales become 0, because their direction is not known.
const MIN_RATIO: f32 = 1e-11;
const TINY: f32 = 1e-30;

/// Rounds the parts so that a second export gives the same bits.
pub(super) fn settled(parts: &Transform) -> Transform {
    let min = TINY.max(MIN_RATIO * parts.scale.abs().max_element());
    let scale = parts.scale.to_array();
    let scale = scale.map(|s| if s.abs() < min { 0.0 } else { s });
    let scale = Vec3::from_array(scale);
    // An axis has zero scale, so no other axis is mirrored.
    let (parts, _) = Transform::from_affine(&Transform { scale, ..*parts }.to_affine());
    let axes: Vec<usize> = (0..3).filter(|axis| parts.scale[*axis] != 0.0).collect();
    let rotation = match axes[..] {
        [] => [0.0, 0.0, 0.0, 1.0],
        [axis] => shortest_rotation(parts.rotation, axis),
        _ => parts.rotation.to_array().map(f64::from),
    };
    let coarse = |value: f64, unit: f64| (value / unit / STEP).round() * STEP * unit + 0.0;
    let max = rotation.iter().fold(0.0_f64, |max, c| max.max(c.abs()));
    // If several components are equally large, the first counts.
    let is_largest = |c: &&f64| c.abs() > max * (1.0 - 2.5 * STEP);
    let largest = rotation.iter().find(is_largest).copied().unwrap_or(1.0);
    let rotation = rotation.map(|c| coarse(c / largest, 1.0));
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    let scale = parts.scale.to_array().map(|s| {
        let unit = f64::from(s.abs().max(TINY)).log2().floor().exp2();
        coarse(f64::from(s), unit) as f32
    });
    Transform {
        translation: parts.translation,
        rotation: Quat::from_array(rotation.map(|c| (c / length) as f32)),
        scale: Vec3::from_array(scale),
    }
}

/// Rotation without twist that moves an axis like `rotation` does, not normalised.
fn shortest_rotation(rotation: Quat, axis: usize) -> [f64; 4] {
    let mut from = DVec3::ZERO;
    from[axis] = 1.0;
    let to = rotation.as_dquat() * from;
    let (across, along) = (from.cross(to), from.dot(to));
    let (sin, cos) = (across.length(), along);
    // Uses the formula that does not subtract nearly equal numbers.
    let (mut about, w) = if cos < 0.0 && sin < STEP {
        (DVec3::ZERO, 0.0)
    } else if cos < 0.0 {
        (across * ((1.0 - cos) / sin), sin)
    } else {
        (across, 1.0 + cos)
    };
    if w == 0.0 {
        about[(axis + 1) % 3] = 1.0;
    }
    about[axis] = 0.0;
    [about.x, about.y, about.z, w]
}
