//! Patches of a surface: the parts in one cell that hang together by shared vertices.

use super::grid::{Grid, join, root};
use glam::DVec3;
use sinew::mesh::Weld;

/// Patches, and pairs of patches that share an edge of a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    /// Mean position.
    pub at: Vec<DVec3>,
    pub area: Vec<f64>,
    /// Outward direction of length 1, or 0 if the patch faces all ways.
    pub normals: Vec<DVec3>,
    pub cells: Vec<u32>,
    /// Piece of the mesh: triangles that hang together.
    pub pieces: Vec<u32>,
    pub links: Vec<(u32, u32)>,
}

impl Patches {
    pub fn new(grid: &Grid, positions: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let (welded, pieces) = welded(positions, triangles);
        let mut draft = Draft::default();
        for (index, triangle) in triangles.iter().enumerate() {
            draft.add(index as u32, triangle.map(|v| positions[v as usize]), grid);
        }
        let mut sets = draft.merged(triangles, &welded);
        let mut patches = Self::default();
        let mut of = vec![u32::MAX; sets.len()];
        for element in 0..sets.len() {
            let leader = root(&mut sets, element as u32) as usize;
            if of[leader] == u32::MAX {
                of[leader] = patches.at.len() as u32;
                patches.at.push(DVec3::ZERO);
                patches.area.push(0.0);
                patches.normals.push(DVec3::ZERO);
                patches.cells.push(draft.cells[leader]);
                let corner = triangles[draft.triangles[leader] as usize][0];
                patches.pieces.push(pieces[corner as usize]);
            }
            of[element] = of[leader];
            let (patch, sum) = (of[element] as usize, draft.sums[element]);
            patches.at[patch] += sum.place;
            patches.area[patch] += sum.area;
            patches.normals[patch] += sum.normal;
        }
        for (at, area) in patches.at.iter_mut().zip(&patches.area) {
            *at /= *area;
        }
        for normal in &mut patches.normals {
            *normal = normal.normalize_or_zero();
        }
        let links = draft.links.iter();
        let links = links.map(|&(a, b)| (of[a as usize], of[b as usize]));
        patches.links = links.collect();
        patches
    }
}

/// First vertex at the position of each vertex, and the first vertex of its piece.
fn welded(positions: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let single: Vec<glam::Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
    let weld = Weld::by_position(&single);
    let welded: Vec<u32> = (0..positions.len()).map(|v| weld.first(v) as u32).collect();
    let mut pieces: Vec<u32> = welded.clone();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| welded[v as usize]);
        join(&mut pieces, a, b);
        join(&mut pieces, a, c);
    }
    let pieces = (0..positions.len() as u32)
        .map(|v| root(&mut pieces, v))
        .collect();
    (welded, pieces)
}

/// Max ratio of length to height of a triangle with as many rows as columns of points.
const SLIVER: usize = 4;

/// Sum over a patch.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    place: DVec3,
    area: f64,
    normal: DVec3,
}

/// Patches under construction: an element is the part of a triangle in a cell.
#[derive(Default)]
struct Draft {
    cells: Vec<u32>,
    triangles: Vec<u32>,
    sums: Vec<Sum>,
    links: Vec<(u32, u32)>,
}

impl Draft {
    /// Sets of elements in one cell that share a vertex.
    fn merged(&self, triangles: &[[u32; 3]], welded: &[u32]) -> Vec<u32> {
        let mut sets: Vec<u32> = (0..self.cells.len() as u32).collect();
        let mut corners: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * sets.len());
        for (element, (&cell, &triangle)) in self.cells.iter().zip(&self.triangles).enumerate() {
            let vertices = triangles[triangle as usize].map(|v| welded[v as usize]);
            corners.extend(vertices.map(|vertex| (cell, vertex, element as u32)));
        }
        corners.sort_unstable();
        for pair in corners.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                join(&mut sets, pair[0].2, pair[1].2);
            }
        }
        sets
    }

    /// Adds a triangle: points at most half a cell apart, in rows along its longest side.
    fn add(&mut self, triangle: u32, [a, b, c]: [DVec3; 3], grid: &Grid) {
        let sides = [a.distance(b), b.distance(c), c.distance(a)];
        let longest = sides[0].max(sides[1]).max(sides[2]);
        let [from, to, top] = if longest == sides[0] {
            [a, b, c]
        } else if longest == sides[1] {
            [b, c, a]
        } else {
            [c, a, b]
        };
        let normal = (b - a).cross(c - a);
        let area = 0.5 * normal.length();
        let height = if longest > 0.0 {
            2.0 * area / longest
        } else {
            0.0
        };
        // Powers of two, so that a triangle has the same points when it is divided.
        let steps = |length: f64| {
            let least = (2.0 * length / grid.cell).ceil().max(1.0) as usize;
            least.next_power_of_two()
        };
        let (mut rows, columns) = (steps(height), steps(longest));
        if columns <= SLIVER * rows {
            rows = columns;
        }
        let mut points: Vec<(u32, DVec3, f64)> = Vec::new();
        let mut row_starts = Vec::new();
        for row in 0..=rows {
            let up = row as f64 / rows as f64;
            let (from, to) = (from.lerp(top, up), to.lerp(top, up));
            let count = columns - row * (columns / rows);
            row_starts.push(points.len());
            for step in 0..=count {
                let point = from.lerp(to, step as f64 / count.max(1) as f64);
                let sides = [row == 0, step == 0, step == count];
                // Small triangles around the point.
                let around = match sides.iter().filter(|is_on| **is_on).count() {
                    0 => 6.0,
                    1 => 3.0,
                    _ => 1.0,
                };
                points.push((grid.index(point), point, around));
            }
        }
        row_starts.push(points.len());
        let mut own: Vec<u32> = points.iter().map(|p| p.0).collect();
        own.sort_unstable();
        own.dedup();
        let base = self.cells.len() as u32;
        self.cells.extend(&own);
        self.triangles.extend(own.iter().map(|_| triangle));
        self.sums.extend(own.iter().map(|_| Sum::default()));
        let elements: Vec<u32> = points
            .iter()
            .map(|p| base + own.partition_point(|&cell| cell < p.0) as u32)
            .collect();
        // A point stands for its share of the triangle; never nothing, so that a mean exists.
        let all: f64 = points.iter().map(|p| p.2).sum();
        for (&(_, point, around), &element) in points.iter().zip(&elements) {
            let share = around / all;
            let sum = &mut self.sums[element as usize];
            let own = area * share + 1e-12 * grid.cell * grid.cell;
            sum.place += point * own;
            sum.area += own;
            sum.normal += normal * share;
        }
        for row in 0..=rows {
            let own = row_starts[row]..row_starts[row + 1];
            for place in own.clone() {
                if place + 1 < own.end && elements[place] != elements[place + 1] {
                    self.links.push((elements[place], elements[place + 1]));
                }
                if row > 0 {
                    let below = row_starts[row - 1]..row_starts[row];
                    let part = (place - own.start) as f64 / (own.len() - 1).max(1) as f64;
                    let under = below.start + (part * (below.len() - 1) as f64).round() as usize;
                    if elements[place] != elements[under] {
                        self.links.push((elements[place], elements[under]));
                    }
                }
            }
        }
    }
}
