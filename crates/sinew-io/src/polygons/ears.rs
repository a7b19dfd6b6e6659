//! Cutting of large polygons, ear by ear. Only corners that point inward can be in an ear, and a grid finds those near
//! it, so the time is about in proportion to the corners.

use super::corners::{cross, is_inside};
use glam::{DVec2, UVec2};
use std::collections::VecDeque;

/// Corners that point inward, by cells of a square grid of about as many cells as corners.
struct Grid {
    low: DVec2,
    cells_per_length: DVec2,
    side: u32,
    /// First of `corners` for each cell, and the end of the last.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Grid {
    fn new(flat: &[DVec2], is_inward: &[bool]) -> Self {
        let low = flat.iter().copied().reduce(DVec2::min).unwrap_or_default();
        let high = flat.iter().copied().reduce(DVec2::max).unwrap_or_default();
        let side = (flat.len() as f64).sqrt() as u32 + 1;
        let mut grid = Self {
            low,
            cells_per_length: f64::from(side) / (high - low).max(DVec2::splat(f64::MIN_POSITIVE)),
            side,
            starts: vec![0; (side * side) as usize + 1],
            corners: Vec::new(),
        };
        let inward = || (0..flat.len()).filter(|&corner| is_inward[corner]);
        for corner in inward() {
            let cell = grid.index(grid.cell(flat[corner]));
            grid.starts[cell + 1] += 1;
        }
        for cell in 1..grid.starts.len() {
            grid.starts[cell] += grid.starts[cell - 1];
        }
        grid.corners = vec![0; inward().count()];
        let mut next = grid.starts.clone();
        for corner in inward() {
            let cell = grid.index(grid.cell(flat[corner]));
            grid.corners[next[cell] as usize] = corner as u32;
            next[cell] += 1;
        }
        grid
    }

    fn cell(&self, at: DVec2) -> UVec2 {
        // Negative numbers and NaN become 0.
        let cell = ((at - self.low) * self.cells_per_length).as_uvec2();
        cell.min(UVec2::splat(self.side - 1))
    }

    fn index(&self, cell: UVec2) -> usize {
        (cell.y * self.side + cell.x) as usize
    }

    /// Looks for a corner in a triangle among those for which `counts` is true. `None` when `looks` are used up.
    fn any_in(
        &self,
        flat: &[DVec2],
        triangle: [DVec2; 3],
        counts: impl Fn(usize) -> bool,
        looks: &mut u64,
    ) -> Option<bool> {
        let [a, b, c] = triangle;
        let (low, high) = (self.cell(a.min(b).min(c)), self.cell(a.max(b).max(c)));
        for y in low.y..=high.y {
            let row = self.index(UVec2::new(low.x, y))..=self.index(UVec2::new(high.x, y));
            let corners = self.starts[*row.start()]..self.starts[*row.end() + 1];
            *looks = looks.checked_sub(1 + u64::from(corners.end - corners.start))?;
            let corners = corners.start as usize..corners.end as usize;
            let mut corners = self.corners[corners].iter().map(|&k| k as usize);
            if corners.any(|k| counts(k) && is_inside(flat[k], triangle)) {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// What is left of a polygon: a ring of corners.
struct Ring<'a> {
    flat: &'a [DVec2],
    before: Vec<usize>,
    after: Vec<usize>,
    is_inward: Vec<bool>,
    /// How often the neighbours of each corner changed.
    changes: Vec<u32>,
    left: usize,
}

impl<'a> Ring<'a> {
    fn new(flat: &'a [DVec2]) -> Self {
        let count = flat.len();
        let mut ring = Self {
            flat,
            before: (0..count).map(|k| (k + count - 1) % count).collect(),
            after: (0..count).map(|k| (k + 1) % count).collect(),
            is_inward: Vec::new(),
            changes: vec![0; count],
            left: count,
        };
        ring.is_inward = (0..count).map(|k| ring.points_inward(k)).collect();
        ring
    }

    fn points_inward(&self, corner: usize) -> bool {
        let [a, b, c] = self.ear(corner).map(|k| self.flat[k]);
        cross(a, b, c) <= 0.0
    }

    fn ear(&self, corner: usize) -> [usize; 3] {
        [self.before[corner], corner, self.after[corner]]
    }

    fn remove(&mut self, corner: usize) {
        let [first, _, last] = self.ear(corner);
        (self.after[first], self.before[last]) = (last, first);
        self.is_inward[corner] = false;
        self.changes[corner] += 1;
        self.left -= 1;
        for k in [first, last] {
            self.is_inward[k] = self.points_inward(k);
            self.changes[k] += 1;
        }
    }

    /// Corners that are left, from one of them.
    fn corners(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(first), |&k| Some(self.after[k])).take(self.left)
    }
}

/// Calls `add` with the corners of every triangle of a polygon. Returns false when the rest was cut as if convex,
/// because the polygon crosses itself or `looks` were used up.
pub(super) fn cut(flat: &[DVec2], looks: &mut u64, mut add: impl FnMut([usize; 3])) -> bool {
    let mut ring = Ring::new(flat);
    let grid = Grid::new(flat, &ring.is_inward);
    let (mut first, mut left) = (0, usize::MAX);
    // Rounds over all corners, while they find ears.
    'rounds: while ring.left > 3 && ring.left < left {
        left = ring.left;
        let mut open: VecDeque<(usize, u32)> =
            ring.corners(first).map(|k| (k, ring.changes[k])).collect();
        while let Some((corner, change)) = open.pop_front() {
            if ring.left <= 3 {
                break;
            }
            // Corners beside an ear wait, so that triangles grow alike.
            if ring.changes[corner] != change || ring.is_inward[corner] {
                continue;
            }
            let ear = ring.ear(corner);
            let counts = |k: usize| ring.is_inward[k] && !ear.contains(&k);
            match grid.any_in(flat, ear.map(|k| flat[k]), counts, looks) {
                None => break 'rounds,
                Some(true) => continue,
                Some(false) => {}
            }
            add(ear);
            ring.remove(corner);
            first = ear[0];
            open.extend([ear[0], ear[2]].map(|k| (k, ring.changes[k])));
        }
        match looks.checked_sub(ring.left as u64) {
            Some(fewer) => *looks = fewer,
            None => break,
        }
    }
    let rest: Vec<usize> = ring.corners(first).collect();
    for pair in rest[1..].windows(2) {
        add([rest[0], pair[0], pair[1]]);
    }
    ring.left <= 3
}
