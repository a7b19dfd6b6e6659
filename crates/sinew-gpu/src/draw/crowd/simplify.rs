//! Fewer triangles over the same vertices. Edges collapse onto one of their ends, in the order of
//! their quadric error (Garland and Heckbert 1997). All levels use the same skinned vertices.

use glam::{DVec3, Vec3};
use sinew::Primitive;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Triangle indices of a simplified surface, one list per error. An error is the approximate max
/// distance from the original. Rims and seams to other parts do not move, so that no gaps open.
pub(crate) fn levels(primitive: &Primitive, errors: &[f32]) -> Vec<Vec<u32>> {
    let mut mesh = Mesh::new(primitive);
    let level = |error: &f32| {
        mesh.collapse_up_to(f64::from(*error));
        mesh.corners()
    };
    errors.iter().map(level).collect()
}

/// Cost of a change of the normal, as a factor on the distance over which the normal changes.
const SHADING: f64 = 0.15;

struct Mesh {
    triangles: Vec<Option<[u32; 3]>>,
    /// Index of the point of every vertex. Vertices at the same position share a point.
    point_of: Vec<u32>,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    around: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    fixed: Vec<bool>,
    versions: Vec<u32>,
    heap: BinaryHeap<Collapse>,
}

#[derive(Clone, Copy, PartialEq)]
struct Collapse {
    cost: f64,
    ends: [u32; 2],
    versions: [u32; 2],
}

impl Eq for Collapse {}

impl PartialOrd for Collapse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Collapse {
    /// Reversed, so that the heap returns the lowest cost first.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_cost = other.cost.total_cmp(&self.cost);
        by_cost.then(other.ends.cmp(&self.ends))
    }
}

/// Sum of squared distances to planes, weighted by area.
#[derive(Clone, Copy, Default)]
struct Quadric {
    /// Products of pairs of x, y, z and 1, each pair once.
    sums: [f64; 10],
    area: f64,
}

impl Quadric {
    fn plane(normal: DVec3, at: DVec3, area: f64) -> Self {
        let (DVec3 { x, y, z }, w) = (normal, -normal.dot(at));
        let sums = [
            x * x,
            x * y,
            x * z,
            x * w,
            y * y,
            y * z,
            y * w,
            z * z,
            z * w,
            w * w,
        ];
        Self {
            sums: sums.map(|s| s * area),
            area,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            sums: std::array::from_fn(|k| self.sums[k] + other.sums[k]),
            area: self.area + other.area,
        }
    }

    fn at(&self, DVec3 { x, y, z }: DVec3) -> f64 {
        let [xx, xy, xz, xw, yy, yz, yw, zz, zw, ww] = self.sums;
        let sum = xx * x * x
            + yy * y * y
            + zz * z * z
            + 2.0 * (xy * x * y + xz * x * z + yz * y * z + xw * x + yw * y + zw * z)
            + ww;
        sum.max(0.0) / self.area.max(1e-300)
    }
}

impl Mesh {
    fn new(primitive: &Primitive) -> Self {
        let mut points: HashMap<[u32; 3], u32> = HashMap::new();
        let mut positions = Vec::new();
        let point = |&p: &Vec3| {
            // Makes −0 positive.
            let key = (p + Vec3::ZERO).to_array().map(f32::to_bits);
            *points.entry(key).or_insert_with(|| {
                positions.push(p.as_dvec3());
                positions.len() as u32 - 1
            })
        };
        let point_of: Vec<u32> = primitive.positions.iter().map(point).collect();
        let mut normals = vec![DVec3::ZERO; positions.len()];
        let given = primitive.normals.iter().flat_map(|n| n.iter());
        for (&point, normal) in point_of.iter().zip(given) {
            normals[point as usize] += normal.as_dvec3();
        }
        let corners = |t: [usize; 3]| t.map(|v| v as u32);
        let triangles: Vec<_> = primitive.triangles().map(corners).map(Some).collect();
        let mut mesh = Self {
            around: vec![Vec::new(); positions.len()],
            quadrics: vec![Quadric::default(); positions.len()],
            fixed: vec![false; positions.len()],
            versions: vec![0; positions.len()],
            heap: BinaryHeap::new(),
            normals: normals.iter().map(|n| n.normalize_or_zero()).collect(),
            triangles,
            point_of,
            positions,
        };
        mesh.measure();
        for point in 0..mesh.positions.len() as u32 {
            mesh.push_edges(point);
        }
        mesh
    }

    fn measure(&mut self) {
        let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
        for triangle in 0..self.triangles.len() as u32 {
            let Some(points) = self.points(triangle) else {
                continue;
            };
            let [a, b, c] = points.map(|p| self.positions[p as usize]);
            let across = (b - a).cross(c - a);
            let plane = Quadric::plane(across.normalize_or_zero(), a, across.length() / 2.0);
            for k in 0..3 {
                let (from, to) = (points[k], points[(k + 1) % 3]);
                *edges.entry([from.min(to), from.max(to)]).or_default() += 1;
                self.around[from as usize].push(triangle);
                let sum = &mut self.quadrics[from as usize];
                *sum = sum.plus(&plane);
            }
        }
        let rims = edges.into_iter().filter(|&(_, count)| count != 2);
        for point in rims.flat_map(|(ends, _)| ends) {
            self.fixed[point as usize] = true;
        }
    }

    fn points(&self, triangle: u32) -> Option<[u32; 3]> {
        let corners = self.triangles[triangle as usize]?;
        Some(corners.map(|v| self.point_of[v as usize]))
    }

    fn neighbours(&self, point: u32) -> Vec<u32> {
        let triangles = self.around[point as usize].iter();
        let points = triangles.filter_map(|&t| self.points(t)).flatten();
        let mut others: Vec<u32> = points.filter(|&p| p != point).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    fn push_edges(&mut self, point: u32) {
        for other in self.neighbours(point) {
            for [from, to] in [[point, other], [other, point]] {
                if self.fixed[from as usize] {
                    continue;
                }
                let both = self.quadrics[from as usize].plus(&self.quadrics[to as usize]);
                let bent = self.normals[from as usize].distance(self.normals[to as usize]);
                let away = self.positions[from as usize].distance(self.positions[to as usize]);
                self.heap.push(Collapse {
                    cost: both.at(self.positions[to as usize]) + (SHADING * bent * away).powi(2),
                    ends: [from, to],
                    versions: [from, to].map(|p| self.versions[p as usize]),
                });
            }
        }
    }

    fn collapse_up_to(&mut self, error: f64) {
        while let Some(&next) = self.heap.peek()
            && next.cost <= error * error
        {
            self.heap.pop();
            let now = next.ends.map(|p| self.versions[p as usize]);
            if now == next.versions {
                self.collapse(next.ends);
            }
        }
    }

    fn collapse(&mut self, [from, to]: [u32; 2]) {
        let Some(moved) = self.moved(from, to) else {
            return;
        };
        for (triangle, corners) in moved {
            self.triangles[triangle as usize] = corners;
            if corners.is_some() {
                self.around[to as usize].push(triangle);
            }
        }
        self.around[from as usize].clear();
        let triangles = &self.triangles;
        self.around[to as usize].retain(|&t| triangles[t as usize].is_some());
        self.quadrics[to as usize] = self.quadrics[to as usize].plus(&self.quadrics[from as usize]);
        self.versions[from as usize] += 1;
        self.versions[to as usize] += 1;
        self.push_edges(to);
    }

    /// Triangles around a point after its collapse onto another. `None` if it is not allowed.
    fn moved(&self, from: u32, to: u32) -> Option<Vec<(u32, Option<[u32; 3]>)>> {
        let around: Vec<u32> = self.around[from as usize]
            .iter()
            .copied()
            .filter(|&t| self.triangles[t as usize].is_some())
            .collect();
        // Each vertex of the point moves along its own edge, and never across a seam.
        let mut partner: HashMap<u32, u32> = HashMap::new();
        let mut shared = 0;
        for &triangle in &around {
            let corners = self.triangles[triangle as usize]?;
            let corner = |point: u32| {
                let is_there = |v: &&u32| self.point_of[**v as usize] == point;
                corners.iter().find(is_there).copied()
            };
            if let (Some(own), Some(other)) = (corner(from), corner(to)) {
                shared += 1;
                if *partner.entry(own).or_insert(other) != other {
                    return None;
                }
            }
        }
        // If the points share more neighbours than triangles, two sheets would merge.
        let theirs = self.neighbours(to);
        let common = self.neighbours(from);
        let common = common.iter().filter(|p| theirs.binary_search(p).is_ok());
        if common.count() != shared {
            return None;
        }
        let move_one = |triangle: u32| {
            let corners = self.triangles[triangle as usize]?;
            let points = corners.map(|v| self.point_of[v as usize]);
            if points.contains(&to) {
                return Some((triangle, None));
            }
            let corner = points.iter().position(|&p| p == from)?;
            let mut now = corners;
            now[corner] = *partner.get(&corners[corner])?;
            if self.is_flipped(corners, now) {
                None
            } else {
                Some((triangle, Some(now)))
            }
        };
        around.into_iter().map(move_one).collect()
    }

    fn is_flipped(&self, before: [u32; 3], now: [u32; 3]) -> bool {
        let normal = |corners: [u32; 3]| {
            let position = |v: u32| self.positions[self.point_of[v as usize] as usize];
            let [a, b, c] = corners.map(position);
            (b - a).cross(c - a).normalize_or_zero()
        };
        normal(before).dot(normal(now)) < 0.2
    }

    fn corners(&self) -> Vec<u32> {
        let alive = self.triangles.iter().flatten();
        alive.flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::mesh::shapes;
    use std::sync::Arc;

    fn triangles(corners: &[u32], primitive: &Primitive) -> Vec<[Vec3; 3]> {
        let position = |&v: &u32| primitive.positions[v as usize];
        let corners: Vec<Vec3> = corners.iter().map(position).collect();
        corners
            .chunks_exact(3)
            .map(|t| [t[0], t[1], t[2]])
            .collect()
    }

    #[test]
    fn a_ball_stays_a_closed_ball_of_far_fewer_triangles() {
        let ball = shapes::sphere(1.0, 32, 48);
        let all = ball.triangles().count();
        let errors = [0.01, 0.03];
        let levels = levels(&ball, &errors);
        let mut before = all;
        for (corners, error) in levels.iter().zip(errors) {
            let found = triangles(corners, &ball);
            let count = found.len();
            assert!(count < before / 2 && count > 40, "{count} of {before}");
            before = count;
            let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
            let mut volume = 0.0;
            for [a, b, c] in found {
                assert!(a.cross(b).dot(c) > 0.0, "a triangle faces inward");
                volume += a.cross(b).dot(c) / 6.0;
                for [p, q] in [[a, b], [b, c], [c, a]] {
                    let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
                    *edges.entry([key(p), key(q)]).or_default() += 1;
                    *edges.entry([key(q), key(p)]).or_default() -= 1;
                }
            }
            assert!(edges.values().all(|&sum| sum == 0), "a gap");
            let of_ball = 4.0 / 3.0 * std::f32::consts::PI;
            assert!(volume > of_ball * (1.0 - 6.0 * error), "{volume}");
        }
    }

    #[test]
    fn the_rim_of_a_sheet_and_a_seam_in_it_stay() {
        // Six by six squares. The middle line has two vertices per position, one for each half.
        let side = 7;
        let mut sheet = Primitive::default();
        let mut positions = Vec::new();
        for (half, columns) in [(0, 0..4), (3, 0..4)] {
            for row in 0..side {
                positions.extend(
                    columns
                        .clone()
                        .map(|x| Vec3::new((half + x) as f32, row as f32, 0.0)),
                );
            }
        }
        let mut indices = Vec::new();
        for half in [0, 28] {
            for row in 0..6 {
                for x in 0..3 {
                    let at = half + 4 * row + x;
                    indices.extend([at, at + 1, at + 5, at, at + 5, at + 4]);
                }
            }
        }
        sheet.positions = Arc::new(positions);
        sheet.indices = Some(Arc::new(indices));
        let corners = &levels(&sheet, &[1e-6])[0];
        let found = triangles(corners, &sheet);
        let area: f32 = found
            .iter()
            .map(|[a, b, c]| (*b - *a).cross(*c - *a).z / 2.0)
            .sum();
        assert!((area - 36.0).abs() < 1e-4, "{area}");
        assert!(
            found.len() < 40,
            "{} triangles of a flat sheet",
            found.len()
        );
        for triangle in corners.chunks_exact(3) {
            let right = triangle.iter().filter(|&&v| v >= 28).count();
            assert!(right == 0 || right == 3, "a triangle over the seam");
        }
    }
}
