//! Cuts large polygons, ear by ear. Only corners that point inward can be in an ear. They are
//! sorted in rows, so the time is about proportional to the number of corners.

use super::corners::{cross, is_inside};
use glam::DVec2;
use std::collections::VecDeque;

/// Corners that point inward, in rows from bottom to top. A row is sorted from left to right.
struct Rows {
    low: f64,
    rows_per_length: f64,
    rows: Vec<Vec<u32>>,
    /// Number of useless tests per row: corners that were cut off or no longer point inward.
    wasted: Vec<usize>,
}

impl Rows {
    fn new(flat: &[DVec2], is_inward: &[bool]) -> Self {
        let low = flat.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let high = flat.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        let count = (flat.len() as f64).sqrt() as usize + 1;
        let mut rows = Self {
            low,
            rows_per_length: count as f64 / (high - low).max(f64::MIN_POSITIVE),
            rows: vec![Vec::new(); count],
            wasted: vec![0; count],
        };
        for corner in (0..flat.len()).filter(|&corner| is_inward[corner]) {
            let row = rows.row(flat[corner].y);
            rows.rows[row].push(corner as u32);
        }
        let x = |corner: &u32| flat[*corner as usize].x;
        for row in &mut rows.rows {
            row.sort_by(|a, b| x(a).total_cmp(&x(b)));
        }
        rows
    }

    fn row(&self, y: f64) -> usize {
        // Negative numbers and NaN become 0.
        let row = ((y - self.low) * self.rows_per_length) as usize;
        row.min(self.rows.len() - 1)
    }

    /// True if an ear contains a corner that points inward. `None` if all `looks` are used.
    fn any_in(&mut self, ring: &Ring<'_>, ear: [usize; 3], looks: &mut u64) -> Option<bool> {
        let flat = ring.flat;
        let [a, b, c] = ear.map(|corner| flat[corner]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for number in self.row(low.y)..=self.row(high.y) {
            let row = &mut self.rows[number];
            let x = |corner: &u32| flat[*corner as usize].x;
            let from = row.partition_point(|corner| x(corner) < low.x);
            let to = row.partition_point(|corner| x(corner) <= high.x).max(from);
            *looks = looks.checked_sub(1 + (to - from) as u64)?;
            let mut left = 0;
            for corner in row[from..to].iter().map(|&corner| corner as usize) {
                left += usize::from(ring.is_inward[corner]);
                let counts = ring.is_inward[corner] && !ear.contains(&corner);
                if counts && is_inside(flat[corner], [a, b, c]) {
                    return Some(true);
                }
            }
            self.wasted[number] += to - from - left;
            if self.wasted[number] > row.len() {
                row.retain(|&corner| ring.is_inward[corner as usize]);
                self.wasted[number] = 0;
            }
        }
        Some(false)
    }
}

/// Remaining part of a polygon: a ring of corners.
struct Ring<'a> {
    flat: &'a [DVec2],
    before: Vec<usize>,
    after: Vec<usize>,
    is_inward: Vec<bool>,
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

    fn corners(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(first), |&k| Some(self.after[k])).take(self.left)
    }
}

/// Calls `add` with the corners of every triangle of a polygon. Returns false if the rest was cut
/// as if convex, because the polygon crosses itself or all `looks` are used.
pub(super) fn cut(flat: &[DVec2], looks: &mut u64, mut add: impl FnMut([usize; 3])) -> bool {
    let mut ring = Ring::new(flat);
    let mut rows = Rows::new(flat, &ring.is_inward);
    let (mut first, mut left) = (0, usize::MAX);
    // Visits all corners again while ears are found.
    'rounds: while ring.left > 3 && ring.left < left {
        left = ring.left;
        let mut open: VecDeque<(usize, u32)> =
            ring.corners(first).map(|k| (k, ring.changes[k])).collect();
        while let Some((corner, change)) = open.pop_front() {
            if ring.left <= 3 {
                break;
            }
            // Corners next to an ear wait for the next round, so that triangles have similar sizes.
            if ring.changes[corner] != change || ring.is_inward[corner] {
                continue;
            }
            let ear = ring.ear(corner);
            match rows.any_in(&ring, ear, looks) {
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
