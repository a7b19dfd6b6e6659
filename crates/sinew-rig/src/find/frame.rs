//! Frame of a body: up, front and left, found from its shape alone.

use super::skin::Skin;
use super::stance::Stance;
use glam::{DMat3, DVec3};

/// Cells along the longest side, to find the frame.
const COARSE: usize = 48;
/// A body that faces within this angle of an axis faces along the axis, in degrees.
const SNAP_DEG: f64 = 7.0;

/// Frame of a body. Columns of the matrix: left, up and front in the space of the mesh.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub mesh_from_body: DMat3,
    pub stance: Stance,
}

impl Frame {
    /// Finds the frame with the best `worth` of all directions that may be up.
    pub fn new(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        worth: impl Fn(&Stance) -> f64,
    ) -> Option<Self> {
        let skin = Skin::new(points, triangles, COARSE);
        let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let high = points
            .iter()
            .fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
        let longest = (high - low).max_element();
        let ups = [DVec3::Y, DVec3::Z, DVec3::X]
            .into_iter()
            .flat_map(|axis| [axis, -axis]);
        let stances = ups.map(|up| Stance::new(&skin, up, longest));
        let best = stances.max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        if worth(&best) <= 0.0 {
            return None;
        }
        let across = snapped(best.across(&skin)?);
        let front = across.cross(best.up);
        let side = if best.toes(&skin, front) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let mesh_from_body = DMat3::from_cols(across * side, best.up, front * side);
        Some(Self {
            mesh_from_body,
            stance: best,
        })
    }
}

/// The axis nearest to a direction if it is near enough.
fn snapped(way: DVec3) -> DVec3 {
    let part = way.abs().max_position();
    let mut axis = DVec3::ZERO;
    axis[part] = way[part].signum();
    if way.dot(axis) > SNAP_DEG.to_radians().cos() {
        axis
    } else {
        way
    }
}
