//! Evidence in a mesh: points on its surface with outward normals, and the depth below it.

use super::field::Field;
use crate::find::bare::BareMesh;
use crate::find::skin::grid::Grid;
use crate::find::skin::patches::Patches;
use crate::solid::Solid;
use glam::{DMat3, DVec3};

/// Cells along the longest side, of points and of the solid.
const POINTS: usize = 64;
const FEW: usize = 21;
const SOLID: usize = 80;

/// A point on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub at: DVec3,
    /// Of length 1, or 0 where the surface faces all ways.
    pub normal: DVec3,
    /// Area. All areas add up to 1.
    pub area: f64,
}

/// Surface and depth of a mesh, in its own space.
pub(crate) struct Evidence {
    samples: Vec<Sample>,
    few: Vec<Sample>,
    field: Field,
}

impl Evidence {
    pub fn new(mesh: &BareMesh) -> Self {
        let used = || {
            mesh.triangles
                .iter()
                .flatten()
                .map(|&v| mesh.points[v as usize])
        };
        let low = used().fold(DVec3::INFINITY, DVec3::min);
        let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
        let points: Vec<DVec3> = mesh.points.iter().map(|p| p.clamp(low, high)).collect();
        let [samples, few] = [POINTS, FEW]
            .map(|cells| sampled(&Grid::new(low, high, cells), &points, &mesh.triangles));
        Self {
            samples,
            few,
            field: Field::new(&Solid::new(&points, &mesh.triangles, SOLID)),
        }
    }

    /// The same seen in the frame of a body, whose height becomes 1 and whose sole y = 0.
    pub fn seen(&self, axes: DMat3) -> Seen<'_> {
        let into = axes.transpose();
        let middle = into
            * self
                .samples
                .iter()
                .fold(DVec3::ZERO, |sum, s| sum + s.at * s.area);
        let levels = self.samples.iter().map(|s| axes.col(1).dot(s.at));
        let (low, high) = levels.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| {
            (l.min(y), h.max(y))
        });
        let (origin, height) = (DVec3::new(middle.x, low, middle.z), high - low);
        let moved = |samples: &[Sample]| {
            let moved = samples.iter().map(|s| Sample {
                at: (into * s.at - origin) / height,
                normal: into * s.normal,
                area: s.area,
            });
            moved.collect()
        };
        Seen {
            samples: moved(&self.samples),
            few: moved(&self.few),
            field: &self.field,
            axes,
            origin,
            height,
        }
    }
}

fn sampled(grid: &Grid, points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<Sample> {
    let patches = Patches::new(grid, points, triangles);
    let corners = triangles.iter().map(|t| t.map(|v| points[v as usize]));
    let volume: f64 = corners.map(|[a, b, c]| a.dot(b.cross(c))).sum();
    let total: f64 = patches.area.iter().sum();
    let sample = |n: usize| Sample {
        at: patches.at[n],
        normal: patches.normals[n] * volume.signum(),
        area: patches.area[n] / total,
    };
    (0..patches.at.len()).map(sample).collect()
}

/// Evidence in the frame of a body.
pub(crate) struct Seen<'a> {
    pub samples: Vec<Sample>,
    pub few: Vec<Sample>,
    field: &'a Field,
    axes: DMat3,
    pub origin: DVec3,
    pub height: f64,
}

impl Seen<'_> {
    /// Point in the space of the evidence.
    pub fn back(&self, point: DVec3) -> DVec3 {
        self.axes * (point * self.height + self.origin)
    }

    /// Depth of a point, and the direction in which it grows.
    pub fn depth(&self, point: DVec3) -> (f64, DVec3) {
        let (depth, slope) = self
            .field
            .at(self.axes * (point * self.height + self.origin));
        (depth / self.height, self.axes.transpose() * slope)
    }
}
