//! Frame of a body: up, front and left, found from its shape alone.

use super::skin::graph::Skin;
use super::stance::Stance;
use glam::{DMat3, DVec3};

/// A body that faces within this angle of an axis faces along the axis, in degrees.
const SNAP_DEG: f64 = 12.0;

/// Axes of a body and how it stands, seen coarsely. Columns of the matrix: left, up and front in
/// the space of the mesh.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub axes: DMat3,
    pub stance: Stance,
}

impl Frame {
    /// Frame with the most `worth` of all directions that may be up. `None` if nothing tells left
    /// from right.
    pub fn new(skin: &Skin, worth: impl Fn(&Stance) -> f64) -> Option<Self> {
        let ups = [DVec3::Y, DVec3::Z, DVec3::X].into_iter();
        let ups = ups.flat_map(|axis| [axis, -axis]);
        let stances = ups.map(|up| Stance::new(skin, up));
        let stance = stances.max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let across = snapped(stance.across(skin)?, SNAP_DEG);
        let front = across.cross(stance.up);
        let side = if stance.faces(skin, front) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let axes = DMat3::from_cols(across * side, stance.up, front * side);
        Some(Self { axes, stance })
    }
}

/// The axis nearest to a direction if it is within an angle, in degrees.
pub(crate) fn snapped(way: DVec3, max_deg: f64) -> DVec3 {
    let part = way.abs().max_position();
    let mut axis = DVec3::ZERO;
    axis[part] = way[part].signum();
    if way.dot(axis) > max_deg.to_radians().cos() {
        axis
    } else {
        way
    }
}
