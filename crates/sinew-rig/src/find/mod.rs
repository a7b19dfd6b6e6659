//! Finds a skeleton in a bare mesh.
//!
//! The surface becomes a graph of small patches (`skin`), in which an arm that touches the trunk
//! stays apart from it. Distances along it from the top of the body have maxima at the tips of
//! limbs, and the level sets around two tips meet where their limbs fork: at the crotch and the
//! armpits (`reach`). The direction for which these tips look most like hands and feet is up
//! (`stance`, `frame`). Sections at equal distances from a tip give the middle of a limb (`limb`).

mod arms;
mod biped;
pub mod check;
mod error;
mod found;
mod frame;
mod legs;
mod limb;
mod marks;
mod options;
mod place;
mod reach;
mod skin;
mod stance;
mod trunk;

pub use error::FindError;
pub use found::{Body, Found};
pub use options::{FindOptions, Like};

use frame::Frame;
use glam::{DVec3, Vec3};
use skin::Skin;
use stance::Stance;

/// Cells along the longest side of the mesh. The wrist of a person is four cells wide.
const RESOLUTION: usize = 112;

/// Finds the skeleton of a biped or a quadruped in a mesh, in any unit and facing any way.
/// `triangles` are indices of `positions`. Points that no triangle uses are ignored.
///
/// # Errors
/// If the mesh has no body, or a hint names no joint.
pub fn find_skeleton(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    options: &FindOptions,
) -> Result<Found, FindError> {
    let refused = |reason: &str| FindError::NoBody {
        reason: reason.to_owned(),
    };
    let points: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
    let frame = Frame::new(&points, triangles, |s| s.biped.max(s.quadruped))
        .ok_or_else(|| refused("no limbs"))?;
    let body_from_mesh = frame.mesh_from_body.transpose();
    let points: Vec<DVec3> = points.iter().map(|&p| body_from_mesh * p).collect();
    let skin = Skin::new(&points, triangles, RESOLUTION);
    let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
    let high = points
        .iter()
        .fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
    let stance = Stance::new(&skin, DVec3::Y, (high - low).max_element());
    let marks = biped::landmarks(&skin, &stance);
    place::biped(&marks, &frame, &stance, options)
}
