//! Nodes that are scaled to nothing along an axis. glTF allows no matrix for them; their parts lose a digit each time that
//! they are found in the map that they make, unless they are rounded first.

use glam::{DVec3, Quat, Vec3};
use sinew::Transform;

/// Steps of what is written of a flat node: far coarser than what is lost when parts become a map and are found in it again.
const STEP: f64 = 1.0 / 262_144.0;

/// Scales of less than this part of the largest, and scales as small as that, are none: no direction is found in them again.
const LEAST: f32 = 1e-11;
const TINY: f32 = 1e-30;

/// Parts near these that are found again, to the bit, in the map that they make, so that what is written, read and
/// written stays as it is. They are rounded so coarsely that the rounding on the way changes nothing.
pub(super) fn settled(parts: &Transform) -> Transform {
    let least = TINY.max(LEAST * parts.scale.abs().max_element());
    let scale = parts.scale.to_array();
    let scale = scale.map(|s| if s.abs() < least { 0.0 } else { s });
    let scale = Vec3::from_array(scale);
    // Where an axis is gone, the others need not be mirrored.
    let (parts, _) = Transform::from_affine(&Transform { scale, ..*parts }.to_affine());
    let axes: Vec<usize> = (0..3).filter(|axis| parts.scale[*axis] != 0.0).collect();
    let turn = match axes[..] {
        [] => [0.0, 0.0, 0.0, 1.0],
        [axis] => shortest_turn(parts.rotation, axis),
        _ => parts.rotation.to_array().map(f64::from),
    };
    // Zeros are not negative.
    let coarse = |value: f64, unit: f64| (value / unit / STEP).round() * STEP * unit + 0.0;
    let most = turn.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
    // Of components that are as large as each other, the first counts.
    let is_largest = |c: &&f64| c.abs() > most * (1.0 - 2.5 * STEP);
    let largest = turn.iter().find(is_largest).copied().unwrap_or(1.0);
    let turn = turn.map(|c| coarse(c / largest, 1.0));
    let length = turn.iter().map(|c| c * c).sum::<f64>().sqrt();
    let scale = parts.scale.to_array().map(|s| {
        let unit = f64::from(s.abs().max(TINY)).log2().floor().exp2();
        coarse(f64::from(s), unit) as f32
    });
    Transform {
        translation: parts.translation,
        rotation: Quat::from_array(turn.map(|c| (c / length) as f32)),
        scale: Vec3::from_array(scale),
    }
}

/// The shortest turn that takes an axis where a rotation takes it, of any length: it does not turn about that axis.
fn shortest_turn(rotation: Quat, axis: usize) -> [f64; 4] {
    let mut from = DVec3::ZERO;
    from[axis] = 1.0;
    let to = rotation.as_dquat() * from;
    let (across, along) = (from.cross(to), from.dot(to));
    let (sin, cos) = (across.length(), along);
    // The one that does not lose its digits.
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
