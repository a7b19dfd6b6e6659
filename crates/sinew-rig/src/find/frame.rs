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
    /// True if limbs tell left from right. Otherwise any axis across may be left.
    pub has_sides: bool,
}

impl Frame {
    /// Frame for each direction that may be up, by falling `worth`.
    pub fn all(skin: &Skin, worth: impl Fn(&Stance) -> f64) -> [Self; 6] {
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z];
        // Where nothing tells up, y is.
        let mut stances = [y, -y, z, -z, x, -x].map(|up| Stance::new(skin, up));
        stances.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        stances.map(|stance| Self::of(skin, stance))
    }

    fn of(skin: &Skin, stance: Stance) -> Self {
        let across = stance.across(skin);
        let any = stance.up.any_orthonormal_vector();
        let left = across.map_or(any, |across| snapped(across, SNAP_DEG));
        let front = left.cross(stance.up);
        let side = if stance.faces(skin, front) < 0.0 {
            -1.0
        } else {
            1.0
        };
        Self {
            axes: DMat3::from_cols(left * side, stance.up, front * side),
            stance,
            has_sides: across.is_some(),
        }
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
