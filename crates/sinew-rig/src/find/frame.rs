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
    /// Frame for each direction that may be up, by falling `worth`. Directions for which nothing
    /// tells left from right are left out.
    pub fn all(skin: &Skin, worth: impl Fn(&Stance) -> f64) -> Vec<Self> {
        let ups = [DVec3::Y, DVec3::Z, DVec3::X].into_iter();
        let ups = ups.flat_map(|axis| [axis, -axis]);
        let mut stances: Vec<Stance> = ups.map(|up| Stance::new(skin, up)).collect();
        stances.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        let frames = stances.into_iter().filter_map(|s| Self::of(skin, s));
        frames.collect()
    }

    fn of(skin: &Skin, stance: Stance) -> Option<Self> {
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
