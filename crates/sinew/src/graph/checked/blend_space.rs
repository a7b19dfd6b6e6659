//! Blend spaces: the clips of a state and their weights.

pub(in crate::graph) const MAX_CLIPS: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::graph) enum BlendSpace {
    Single([usize; 1]),
    Line {
        parameter: usize,
        at: Vec<f32>,
        clips: Vec<usize>,
    },
    Plane {
        parameters: [usize; 2],
        plane: Plane,
        clips: Vec<usize>,
    },
}

impl BlendSpace {
    pub fn clips(&self) -> &[usize] {
        match self {
            Self::Single(clip) => clip,
            Self::Line { clips, .. } | Self::Plane { clips, .. } => clips,
        }
    }

    /// Max number of clips that play at the same time.
    pub fn max_clips(&self) -> usize {
        let most = match self {
            Self::Single(_) => 1,
            Self::Line { .. } => 2,
            Self::Plane { .. } => MAX_CLIPS,
        };
        self.clips().len().min(most)
    }

    /// Point of the parameters in the space. 0 along axes that the space does not have.
    pub fn point(&self, parameters: &[f32]) -> [f32; 2] {
        match self {
            Self::Single(_) => [0.0; 2],
            Self::Line { parameter, .. } => [parameters[*parameter], 0.0],
            Self::Plane { parameters: xy, .. } => xy.map(|axis| parameters[axis]),
        }
    }

    /// Clips and their weights at a point. The weights sum to 1. Unused entries have weight 0.
    pub fn weights(&self, point: [f32; 2]) -> [(usize, f32); MAX_CLIPS] {
        match self {
            Self::Single([clip]) => [(*clip, 1.0), (*clip, 0.0), (*clip, 0.0)],
            Self::Line { at, clips, .. } => {
                let [(a, weight_a), (b, weight_b)] = along_line(at, point[0]);
                [(clips[a], weight_a), (clips[b], weight_b), (clips[a], 0.0)]
            }
            Self::Plane { plane, clips, .. } => plane
                .weights(point)
                .map(|(index, weight)| (clips[index], weight)),
        }
    }
}

fn along_line(at: &[f32], value: f32) -> [(usize, f32); 2] {
    if at.len() == 1 {
        return [(0, 1.0), (0, 0.0)];
    }
    let value = f64::from(value);
    let after = at.partition_point(|&at| f64::from(at) <= value);
    let after = after.clamp(1, at.len() - 1);
    let [a, b] = [after - 1, after].map(|index| f64::from(at[index]));
    let along = ((value - a) / (b - a)).clamp(0.0, 1.0) as f32;
    [(after - 1, 1.0 - along), (after, along)]
}

type Vec2 = [f64; 2];

/// Triangulated points in a plane. Inside a triangle, the weights are barycentric. Outside all
/// triangles, they are those of the nearest point on the border. Weights are continuous, and their
/// sum is 1. At a point of a clip, that clip has weight 1.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::graph) struct Plane {
    points: Vec<Vec2>,
    /// Triangles in counter-clockwise order. Empty if all points are on one line.
    triangles: Vec<[usize; 3]>,
    /// Edges around all triangles, or along the line of points.
    border: Vec<[usize; 2]>,
}

const ROUNDING: f64 = 1e-9;

impl Plane {
    pub fn new(points: &[[f32; 2]]) -> Self {
        let points: Vec<Vec2> = points.iter().map(|p| p.map(f64::from)).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        let by_place = |a: Vec2, b: Vec2| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
        order.sort_by(|&a, &b| by_place(points[a], points[b]));
        let mut plane = Self {
            points,
            triangles: Vec::new(),
            border: Vec::new(),
        };
        plane.triangulate(&order);
        plane.flip_to_delaunay();
        plane
    }

    /// Connects each point, from left to right, to all border edges that are visible from it.
    fn triangulate(&mut self, order: &[usize]) {
        for (nth, &new) in order.iter().enumerate().skip(1) {
            let sees = |&[a, b]: &[usize; 2]| self.area(b, a, new) > 0.0;
            let seen: Vec<[usize; 2]> = self.border.iter().copied().filter(sees).collect();
            if self.triangles.is_empty() && !self.turns_off_line(&order[..nth], new) {
                self.border.push([order[nth - 1], new]);
                continue;
            }
            if self.triangles.is_empty() {
                let is_left = self.area(order[0], order[1], new) > 0.0;
                let line = order[..nth].windows(2);
                let line: Vec<[usize; 2]> = line
                    .map(|pair| {
                        if is_left {
                            [pair[0], pair[1]]
                        } else {
                            [pair[1], pair[0]]
                        }
                    })
                    .collect();
                let joined = line.iter().map(|&[a, b]| [a, b, new]);
                self.triangles = joined.collect();
                let (first, last) = match is_left {
                    true => (order[0], order[nth - 1]),
                    false => (order[nth - 1], order[0]),
                };
                self.border = line;
                self.border.extend([[last, new], [new, first]]);
                continue;
            }
            for [a, b] in seen {
                self.triangles.push([b, a, new]);
                self.border.retain(|edge| *edge != [a, b]);
                // An edge that two new triangles share is not on the border.
                for edge in [[a, new], [new, b]] {
                    let back = [edge[1], edge[0]];
                    match self.border.iter().position(|known| *known == back) {
                        Some(shared) => drop(self.border.swap_remove(shared)),
                        None => self.border.push(edge),
                    }
                }
            }
        }
    }

    fn turns_off_line(&self, line: &[usize], new: usize) -> bool {
        line.len() > 1 && self.area(line[0], line[1], new) != 0.0
    }

    /// Flips edges until the triangulation is Delaunay, which avoids thin triangles.
    fn flip_to_delaunay(&mut self) {
        // The limit prevents endless flips due to rounding.
        let max_flips = self.points.len() * self.points.len();
        for _ in 0..max_flips {
            let Some((first, second, quad)) = self.find_flip() else {
                return;
            };
            let [a, b, c, d] = quad;
            self.triangles[first] = [a, b, d];
            self.triangles[second] = [b, c, d];
        }
    }

    /// Two triangles `a b c` and `c d a` whose shared edge should be `b d`. The indices are `a b c
    /// d`.
    fn find_flip(&self) -> Option<(usize, usize, [usize; 4])> {
        for (first, triangle) in self.triangles.iter().enumerate() {
            for corner in 0..3 {
                let [b, c, a] = [0, 1, 2].map(|n| triangle[(corner + n) % 3]);
                for (second, other) in self.triangles.iter().enumerate().skip(first + 1) {
                    let corners = 0..3;
                    let shared = corners
                        .into_iter()
                        .find(|&n| [other[n], other[(n + 1) % 3]] == [a, c]);
                    let Some(shared) = shared else { continue };
                    let d = other[(shared + 2) % 3];
                    let is_convex = self.area(a, b, d) > 0.0 && self.area(b, c, d) > 0.0;
                    if is_convex && self.is_in_circle(a, b, c, d) {
                        return Some((first, second, [a, b, c, d]));
                    }
                }
            }
        }
        None
    }

    /// Twice the signed area of a triangle, positive if counter-clockwise.
    fn area(&self, a: usize, b: usize, c: usize) -> f64 {
        let [a, b, c] = [a, b, c].map(|index| self.points[index]);
        cross(minus(b, a), minus(c, a))
    }

    fn is_in_circle(&self, a: usize, b: usize, c: usize, d: usize) -> bool {
        let [a, b, c] = [a, b, c].map(|index| minus(self.points[index], self.points[d]));
        let square = |v: Vec2| v[0] * v[0] + v[1] * v[1];
        let parts = [
            square(a) * cross(b, c),
            square(b) * cross(c, a),
            square(c) * cross(a, b),
        ];
        let size = parts.iter().fold(0.0, |sum, part| sum + part.abs());
        parts[0] + parts[1] + parts[2] > ROUNDING * size
    }

    /// Indices of points and their weights.
    pub fn weights(&self, at: [f32; 2]) -> [(usize, f32); 3] {
        let at = at.map(f64::from);
        // The triangle of greatest depth, so that a point on an edge always has a triangle.
        let mut best: Option<(f64, [usize; 3], Vec2)> = None;
        for &triangle in &self.triangles {
            let [a, b, c] = triangle.map(|index| self.points[index]);
            let (to_b, to_c, to_at) = (minus(b, a), minus(c, a), minus(at, a));
            let whole = cross(to_b, to_c);
            if whole <= 0.0 {
                continue;
            }
            let inner = [cross(to_at, to_c) / whole, cross(to_b, to_at) / whole];
            let least = inner[0].min(inner[1]).min(1.0 - inner[0] - inner[1]);
            if best.is_none_or(|(depth, ..)| least > depth) {
                best = Some((least, triangle, inner));
            }
        }
        match best {
            Some((depth, [a, b, c], [of_b, of_c])) if depth >= -ROUNDING => {
                let [of_b, of_c] = [of_b, of_c].map(|weight| weight.clamp(0.0, 1.0) as f32);
                let of_a = (1.0 - of_b - of_c).max(0.0);
                [(a, of_a), (b, of_b), (c, of_c)]
            }
            _ => self.nearest_on_border(at),
        }
    }

    fn nearest_on_border(&self, at: Vec2) -> [(usize, f32); 3] {
        let mut best = (f64::INFINITY, [(0, 1.0), (0, 0.0), (0, 0.0)]);
        for &[a, b] in &self.border {
            let (from, way) = (self.points[a], minus(self.points[b], self.points[a]));
            let to_at = minus(at, from);
            let along =
                (way[0] * to_at[0] + way[1] * to_at[1]) / (way[0] * way[0] + way[1] * way[1]);
            let along = along.clamp(0.0, 1.0);
            let off = minus(to_at, way.map(|part| part * along));
            let distance = off[0] * off[0] + off[1] * off[1];
            if distance < best.0 {
                let along = along as f32;
                best = (distance, [(a, 1.0 - along), (b, along), (a, 0.0)]);
            }
        }
        best.1
    }
}

fn minus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
