//! A bare mesh, checked and brought to unit size.

use super::error::FindError;
use glam::{DVec3, Vec3};

/// Min thickness of a body, as a fraction of its longest side.
const FLAT: f64 = 0.02;

/// Triangles with finite corners. The longest side is 1, and the middle of the box the origin.
#[derive(Clone, Debug)]
pub(crate) struct BareMesh {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Longest side and middle before scaling.
    pub size: f64,
    pub middle: DVec3,
}

pub(crate) fn refused(reason: impl Into<String>) -> FindError {
    FindError::NoBody {
        reason: reason.into(),
    }
}

impl BareMesh {
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, FindError> {
        let is_sound = |t: &&[u32; 3]| {
            let corners = t.map(|v| positions.get(v as usize).copied());
            corners.iter().all(|p| p.is_some_and(Vec3::is_finite)) && corners[0] != corners[1]
        };
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(is_sound).copied().collect();
        if triangles.is_empty() {
            return Err(refused(match positions.len() {
                0 => "the mesh is empty".to_owned(),
                points => format!("the mesh has {points} points, but no triangles"),
            }));
        }
        let used = || {
            triangles
                .iter()
                .flatten()
                .map(|&v| positions[v as usize].as_dvec3())
        };
        let low = used().fold(DVec3::INFINITY, DVec3::min);
        let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (sides, middle) = (high - low, 0.5 * (low + high));
        let size = sides.max_element();
        if !(size > 0.0 && size.is_finite()) {
            return Err(refused("all points are at one position"));
        }
        if sides.min_element() < FLAT * size {
            let percent = 100.0 * sides.min_element() / size;
            return Err(refused(format!(
                "the mesh is flat: its thickness is {percent:.1} % of its length"
            )));
        }
        let points = positions.iter().map(|p| (p.as_dvec3() - middle) / size);
        let points = points.map(|p| if p.is_finite() { p } else { DVec3::ZERO });
        Ok(Self {
            points: points.collect(),
            triangles,
            size,
            middle,
        })
    }

    /// Rotates the mesh: columns of the matrix are the new axes.
    pub fn turned(&self, axes: &glam::DMat3) -> Vec<DVec3> {
        let into = axes.transpose();
        self.points.iter().map(|&p| into * p).collect()
    }
}
