//! Cuts triangles at the sides of cells, so that patches depend on the surface and not on its triangles.

use super::grid::Grid;
use glam::{DVec3, IVec3};

/// Corners of a triangle that six planes may cut, with room for rounding.
const CORNERS: usize = 12;

/// Flat convex polygon.
#[derive(Clone, Copy, Debug)]
struct Polygon {
    corners: [DVec3; CORNERS],
    count: usize,
}

/// Part of a triangle in a cell, in units of cells from the middle of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub cell: IVec3,
    pub middle: DVec3,
    /// Normal, as long as the area is large.
    pub normal: DVec3,
}

impl Polygon {
    fn empty() -> Self {
        Self {
            corners: [DVec3::ZERO; CORNERS],
            count: 0,
        }
    }

    fn push(&mut self, corner: DVec3) {
        if self.count < CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// First and last cell along an axis.
    fn range(&self, axis: usize) -> [i32; 2] {
        let along = self.corners().iter().map(|p| p[axis]);
        let ends = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        [ends.0, ends.1].map(|end| end.round() as i32)
    }

    /// Parts below and above a plane across an axis.
    fn split(&self, axis: usize, level: f64) -> [Self; 2] {
        let [mut below, mut above] = [Self::empty(); 2];
        let corners = self.corners();
        for (k, &here) in corners.iter().enumerate() {
            let next = corners[(k + 1) % corners.len()];
            if here[axis] <= level {
                below.push(here);
            }
            if here[axis] >= level {
                above.push(here);
            }
            if (here[axis] - level) * (next[axis] - level) < 0.0 {
                let (low, high) = if here[axis] < next[axis] {
                    (here, next)
                } else {
                    (next, here)
                };
                let mut at = low.lerp(high, (level - low[axis]) / (high[axis] - low[axis]));
                at[axis] = level;
                below.push(at);
                above.push(at);
            }
        }
        [below, above]
    }

    /// Calls `take` for the part in each layer of cells across an axis.
    fn layers(self, axis: usize, mut take: impl FnMut(i32, Self)) {
        let [first, last] = self.range(axis);
        let mut rest = self;
        for layer in first..last {
            let [below, above] = rest.split(axis, f64::from(layer) + 0.5);
            if below.count > 0 {
                take(layer, below);
            }
            rest = above;
        }
        if rest.count > 0 {
            take(last, rest);
        }
    }

    fn part(&self, cell: IVec3) -> Part {
        let corners = self.corners();
        let (mut sum, mut area, mut normal) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        for pair in corners[1..].windows(2) {
            let [b, c] = [pair[0] - corners[0], pair[1] - corners[0]];
            let own = 0.5 * b.cross(c);
            normal += own;
            area += own.length();
            sum += own.length() / 3.0 * (b + c);
        }
        let mean = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let middle = if area > 0.0 {
            corners[0] + sum / area
        } else {
            mean
        };
        Part {
            cell,
            middle,
            normal,
        }
    }
}

/// Parts of a triangle, at most one for each cell, sorted by x, y and z.
pub(crate) fn parts(grid: &Grid, triangle: [DVec3; 3], mut take: impl FnMut(Part)) {
    let mut whole = Polygon::empty();
    for corner in triangle {
        whole.push(grid.in_cells(corner));
    }
    whole.layers(0, |x, slice| {
        slice.layers(1, |y, bar| {
            bar.layers(2, |z, part| take(part.part(IVec3::new(x, y, z))));
        });
    });
}

/// True if a line between two points, in units of cells, meets a cell.
pub(crate) fn meets(cell: IVec3, from: DVec3, to: DVec3) -> bool {
    let middle = cell.as_dvec3();
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let (start, way) = (from[axis] - middle[axis], to[axis] - from[axis]);
        if way == 0.0 {
            if start.abs() > 0.5 {
                return false;
            }
        } else {
            let ends = [-0.5, 0.5].map(|side| (side - start) / way);
            enter = enter.max(ends[0].min(ends[1]));
            leave = leave.min(ends[0].max(ends[1]));
        }
    }
    enter <= leave
}
