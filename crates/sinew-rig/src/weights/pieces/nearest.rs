//! Finds triangles near a position in a tree of boxes.

use glam::DVec3;
use std::ops::Range;

const LEAF: usize = 8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Index of the triangle.
    pub triangle: usize,
    /// Barycentric coordinates.
    pub parts: [f64; 3],
    pub at: DVec3,
    pub distance: f64,
}

/// Triangles in boxes, each halved along its longest side.
pub(crate) struct Tree {
    corners: Vec<[DVec3; 3]>,
    order: Vec<u32>,
    /// Min and max of each box; box n has children 2n + 1 and 2n + 2.
    boxes: Vec<[DVec3; 2]>,
}

impl Tree {
    pub fn new(corners: Vec<[DVec3; 3]>) -> Self {
        let mut tree = Self {
            order: (0..corners.len() as u32).collect(),
            boxes: Vec::new(),
            corners,
        };
        tree.divide(0, 0..tree.order.len());
        tree
    }

    fn divide(&mut self, number: usize, range: Range<usize>) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &triangle in &self.order[range.clone()] {
            for corner in self.corners[triangle as usize] {
                low = low.min(corner);
                high = high.max(corner);
            }
        }
        if self.boxes.len() <= number {
            let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
            self.boxes.resize(number + 1, none);
        }
        self.boxes[number] = [low, high];
        if range.len() <= LEAF {
            return;
        }
        let axis = (high - low).max_position();
        let corners = &self.corners;
        let middle = |triangle: &u32| {
            let corners = corners[*triangle as usize].iter();
            corners.map(|corner| corner[axis]).sum::<f64>()
        };
        let half = range.len() / 2;
        self.order[range.clone()]
            .select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
        self.divide(2 * number + 1, range.start..range.start + half);
        self.divide(2 * number + 2, range.start + half..range.end);
    }

    /// Calls `visit` with the nearest point of every triangle within `distance`, which `visit` may decrease.
    pub fn near(&self, point: DVec3, mut distance: f64, mut visit: impl FnMut(Place, &mut f64)) {
        let mut open = vec![(0, 0..self.order.len())];
        while let Some((number, range)) = open.pop() {
            if self.away(number, point) > distance {
                continue;
            }
            if range.len() > LEAF {
                let half = range.start + range.len() / 2;
                let [near, far] = [2 * number + 1, 2 * number + 2];
                let halves = [(near, range.start..half), (far, half..range.end)];
                // Visit the nearer first, so that the other may be skipped.
                let turned = self.away(near, point) < self.away(far, point);
                let [first, second] = halves;
                open.extend(if turned {
                    [second, first]
                } else {
                    [first, second]
                });
                continue;
            }
            for &triangle in &self.order[range] {
                let (parts, at) = nearest_on_triangle(point, self.corners[triangle as usize]);
                let place = Place {
                    triangle: triangle as usize,
                    parts,
                    at,
                    distance: at.distance(point),
                };
                if place.distance <= distance {
                    visit(place, &mut distance);
                }
            }
        }
    }

    fn away(&self, number: usize, point: DVec3) -> f64 {
        let [low, high] = self.boxes[number];
        point.distance(point.clamp(low, high))
    }
}

/// Nearest point on a triangle, with its barycentric coordinates (Ericson 2005, 5.1.5).
fn nearest_on_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> ([f64; 3], DVec3) {
    let (ab, ac) = (b - a, c - a);
    let [to_a, to_b, to_c] = [a, b, c].map(|corner| point - corner);
    let (d1, d2) = (ab.dot(to_a), ac.dot(to_a));
    let (d3, d4) = (ab.dot(to_b), ac.dot(to_b));
    let (d5, d6) = (ab.dot(to_c), ac.dot(to_c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let parts = if d1 <= 0.0 && d2 <= 0.0 {
        [1.0, 0.0, 0.0]
    } else if d3 >= 0.0 && d4 <= d3 {
        [0.0, 1.0, 0.0]
    } else if d6 >= 0.0 && d5 <= d6 {
        [0.0, 0.0, 1.0]
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        [1.0 - t, t, 0.0]
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        [1.0 - t, 0.0, t]
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        [0.0, 1.0 - t, t]
    } else {
        let all = va + vb + vc;
        [va / all, vb / all, vc / all]
    };
    let parts = if parts.iter().all(|part: &f64| part.is_finite()) {
        parts
    } else {
        [1.0, 0.0, 0.0]
    };
    (parts, a * parts[0] + b * parts[1] + c * parts[2])
}
