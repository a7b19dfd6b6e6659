//! Finds triangles near a position with a tree of boxes.

use glam::DVec3;
use std::f64::consts::PI;
use std::ops::Range;

const LEAF: usize = 8;
/// Tolerance of angles, in radians.
const ROUNDING: f64 = 1e-6;

#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPoint {
    /// Index of the triangle.
    pub triangle: usize,
    /// Barycentric coordinates of the point.
    pub parts: [f64; 3],
    pub distance: f64,
}

pub(crate) struct Triangles {
    pub corners: Vec<[DVec3; 3]>,
    pub normals: Vec<DVec3>,
    pub owners: Vec<u32>,
}

/// Condition on the triangles of a search. They face along the normal of the point, with a cosine
/// of at least `agree`. The point is above them, or below by a sine of at most `below`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    pub agree: f64,
    pub below: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub point: DVec3,
    pub normal: DVec3,
    /// Owner whose triangles are ignored.
    pub except: Option<u32>,
    /// Max distance of a triangle.
    pub distance: f64,
    /// Max size of a box in which one triangle represents all triangles.
    pub fine: f64,
}

/// Tree of boxes of triangles. Each box is halved along its longest side.
pub(crate) struct Tree {
    triangles: Triangles,
    facing: Facing,
    order: Vec<u32>,
    /// Box n has children 2n + 1 and 2n + 2.
    boxes: Vec<Bounds>,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: DVec3,
    high: DVec3,
    /// Mean direction of the normals of the triangles.
    axis: DVec3,
    /// Min cosine between the axis and the normal of a point for which a triangle here may count.
    agree: f64,
    /// Cosine and sine of the max angle between the axis and directions above a triangle.
    above: [f64; 2],
    /// Owner of all triangles. `None` for several owners.
    owner: Option<u32>,
}

const NOTHING: Bounds = Bounds {
    low: DVec3::INFINITY,
    high: DVec3::NEG_INFINITY,
    axis: DVec3::ZERO,
    agree: f64::INFINITY,
    above: [-1.0, 0.0],
    owner: None,
};

impl Tree {
    /// Builds a tree of triangles with unit normals. Triangles without area have a zero normal.
    pub fn new(triangles: Triangles, facing: Facing) -> Self {
        let mut tree = Self {
            order: (0..triangles.corners.len() as u32).collect(),
            boxes: Vec::new(),
            triangles,
            facing,
        };
        tree.divide(0, 0..tree.order.len());
        tree
    }

    fn divide(&mut self, number: usize, range: Range<usize>) {
        if self.boxes.len() <= number {
            self.boxes.resize(number + 1, NOTHING);
        }
        let bounds = self.bounds(range.clone());
        self.boxes[number] = bounds;
        if range.len() <= LEAF {
            return;
        }
        let axis = (bounds.high - bounds.low).max_position();
        let corners = &self.triangles.corners;
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

    fn bounds(&self, range: Range<usize>) -> Bounds {
        let mut bounds = NOTHING;
        let all = &self.triangles;
        let triangles = || self.order[range.clone()].iter().map(|&t| t as usize);
        for triangle in triangles() {
            for corner in all.corners[triangle] {
                bounds.low = bounds.low.min(corner);
                bounds.high = bounds.high.max(corner);
            }
            bounds.axis += all.normals[triangle];
        }
        bounds.axis = bounds.axis.normalize_or(DVec3::X);
        let first = triangles().next().map(|triangle| all.owners[triangle]);
        let is_one = triangles().all(|triangle| Some(all.owners[triangle]) == first);
        bounds.owner = first.filter(|_| is_one);
        let faces = triangles().map(|triangle| all.normals[triangle]);
        let faces = faces.filter(|normal| *normal != DVec3::ZERO);
        let least = faces.map(|normal| bounds.axis.dot(normal)).reduce(f64::min);
        if let Some(least) = least {
            let cone = angle(least) + ROUNDING;
            bounds.agree = (cone + angle(self.facing.agree)).min(PI).cos();
            let above = (cone + angle(-self.facing.below)).min(PI);
            bounds.above = [above.cos(), above.sin()];
        }
        bounds
    }

    /// Calls `visit` with the nearest point of every triangle of a query, and with the number of
    /// triangles that it represents. `visit` may decrease the max distance.
    pub fn near(&self, mut query: Query, mut visit: impl FnMut(NearPoint, usize, &mut f64)) {
        let mut open = vec![(0, 0..self.order.len())];
        while let Some((number, range)) = open.pop() {
            let bounds = &self.boxes[number];
            if bounds.away(query.point) > query.distance || !bounds.may_have(&query) {
                continue;
            }
            let is_fine = bounds.low.distance(bounds.high) <= query.fine && bounds.owner.is_some();
            if range.len() > LEAF && !is_fine {
                let half = range.start + range.len() / 2;
                let [near, far] = [2 * number + 1, 2 * number + 2];
                let halves = [(near, range.start..half), (far, half..range.end)];
                // The nearer half first, because the other half may then be skipped.
                let [first, second] = halves;
                let away = |number: usize| self.boxes[number].away(query.point);
                open.extend(if away(near) < away(far) {
                    [second, first]
                } else {
                    [first, second]
                });
                continue;
            }
            let (some, count) = if is_fine {
                let middle = range.start + range.len() / 2;
                (middle..middle + 1, range.len())
            } else {
                (range, 1)
            };
            for &triangle in &self.order[some] {
                let near = self.near_point(triangle as usize, &query);
                if let Some(near) = near.filter(|near| near.distance <= query.distance) {
                    visit(near, count, &mut query.distance);
                }
            }
        }
    }

    /// Nearest point of a triangle. `None` if the triangle does not count.
    fn near_point(&self, triangle: usize, query: &Query) -> Option<NearPoint> {
        let normal = self.triangles.normals[triangle];
        let is_own = query.except == Some(self.triangles.owners[triangle]);
        if is_own || normal.dot(query.normal) < self.facing.agree {
            return None;
        }
        let (parts, at) = nearest_on_triangle(query.point, self.triangles.corners[triangle]);
        let distance = at.distance(query.point);
        let height = (query.point - at).dot(normal);
        (height >= -self.facing.below * distance).then_some(NearPoint {
            triangle,
            parts,
            distance,
        })
    }
}

impl Bounds {
    fn away(&self, point: DVec3) -> f64 {
        point.distance(point.clamp(self.low, self.high))
    }

    /// False if no triangle in these bounds counts for a query.
    fn may_have(&self, query: &Query) -> bool {
        let is_own = query.except.is_some() && query.except == self.owner;
        if is_own || self.axis.dot(query.normal) < self.agree {
            return false;
        }
        let way = query.point - 0.5 * (self.low + self.high);
        let (radius, length) = (0.5 * self.low.distance(self.high), way.length());
        let [cosine, sine] = self.above;
        let wide = radius / length;
        // All directions to points of the box are in a cone around the direction to its middle.
        let narrow = (1.0 - wide * wide).sqrt();
        let is_behind = cosine + narrow <= 0.0;
        radius >= length
            || is_behind
            || self.axis.dot(way) / length >= cosine * narrow - sine * wide
    }
}

fn angle(cosine: f64) -> f64 {
    cosine.clamp(-1.0, 1.0).acos()
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
