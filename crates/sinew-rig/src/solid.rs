//! Solid of a mesh, as a grid of cells. The mesh may be open, self-intersecting or inside out.
//! Six rays leave the centre of each cell, two along each axis. Each ray counts the outward minus
//! the inward crossings of the surface. The cell is inside if at least four counts are not zero. So
//! intersecting closed parts are inside, a hole affects only the rays through it, and an inside-out
//! mesh gives the same solid. Cells on the surface are solid too, so every vertex is in a cell.

use glam::{DVec3, IVec3};

#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub origin: DVec3,
    pub cell: f64,
    pub size: [usize; 3],
    /// True for cells inside or on the surface. The x index varies fastest.
    pub is_solid: Vec<bool>,
}

/// Min ratio of length to height of a thin triangle, which is marked in steps along its length.
const SLIVER: usize = 16;
/// Margin that enlarges cells slightly, so that their sides avoid vertices at round coordinates.
const OFF_ROUND: f64 = 0.37;

impl Solid {
    /// Builds a grid with `resolution` cells along the longest side of the mesh.
    pub fn new(positions: &[DVec3], triangles: &[[u32; 3]], resolution: usize) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &position in positions {
            low = low.min(position);
            high = high.max(position);
        }
        if positions.is_empty() {
            (low, high) = (DVec3::ZERO, DVec3::ZERO);
        }
        let longest = (high - low).max_element();
        let cell = if longest > 0.0 {
            longest / (resolution as f64 - OFF_ROUND)
        } else {
            1.0
        };
        // An odd count makes a plane of symmetry pass through the middle of cells.
        let count = |curve: f64| ((curve / cell) as usize + 4) | 1;
        let size = (high - low).to_array().map(count);
        let half = DVec3::from_array(size.map(|count| 0.5 * count as f64));
        let origin = 0.5 * (low + high) - half * cell;
        let mut solid = Self {
            origin,
            cell,
            size,
            is_solid: vec![false; size[0] * size[1] * size[2]],
        };
        let in_cells: Vec<DVec3> = positions.iter().map(|&p| (p - origin) / cell).collect();
        let corners = |t: &[u32; 3]| t.map(|v| in_cells[v as usize]);
        let mut votes = vec![0_u8; solid.is_solid.len()];
        for axis in 0..3 {
            solid.vote(axis, triangles.iter().map(corners), &mut votes);
        }
        for (is_solid, votes) in solid.is_solid.iter_mut().zip(votes) {
            *is_solid = votes >= 4;
        }
        for triangle in triangles {
            solid.mark(corners(triangle));
        }
        for &position in &in_cells {
            solid.mark_point(position);
        }
        solid
    }

    fn stride(&self, axis: usize) -> usize {
        [1, self.size[0], self.size[0] * self.size[1]][axis]
    }

    /// Counts crossings along an axis: +1 for a surface that faces up, −1 for one that faces down.
    fn vote(&self, axis: usize, triangles: impl Iterator<Item = [DVec3; 3]>, votes: &mut [u8]) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (nu, nv, nw) = (self.size[u], self.size[v], self.size[axis]);
        let mut crossings = vec![0_i16; nu * nv * (nw + 1)];
        for corners in triangles {
            let p = corners.map(|c| c.to_array().map(|x| x - 0.5));
            let area = (p[1][u] - p[0][u]) * (p[2][v] - p[0][v])
                - (p[2][u] - p[0][u]) * (p[1][v] - p[0][v]);
            if area == 0.0 || !area.is_finite() {
                continue;
            }
            let least = |k: usize| p[0][k].min(p[1][k]).min(p[2][k]).ceil().max(0.0) as usize;
            let most = |k: usize| p[0][k].max(p[1][k]).max(p[2][k]).floor();
            let (max_u, max_v) = (most(u), most(v));
            let mut i = least(u);
            while i < nu && i as f64 <= max_u {
                let [low, high] = range_at(&p, [u, v], i as f64);
                let max_v = max_v.min(high);
                let mut j = least(v).max(low.max(0.0) as usize);
                while j < nv && j as f64 <= max_v {
                    let (x, y) = (i as f64, j as f64);
                    let part = |a: usize, b: usize| {
                        ((p[a][u] - x) * (p[b][v] - y) - (p[b][u] - x) * (p[a][v] - y)) / area
                    };
                    let (wa, wb) = (part(1, 2), part(2, 0));
                    let wc = 1.0 - wa - wb;
                    if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                        let height = wa * p[0][axis] + wb * p[1][axis] + wc * p[2][axis];
                        let k = height.ceil().clamp(0.0, nw as f64) as usize;
                        let place = &mut crossings[(j * nu + i) * (nw + 1) + k];
                        *place = place.saturating_add(if area > 0.0 { 1 } else { -1 });
                    }
                    j += 1;
                }
                i += 1;
            }
        }
        let (su, sv, sw) = (self.stride(u), self.stride(v), self.stride(axis));
        for (line, column) in crossings.chunks_exact(nw + 1).enumerate() {
            let start = (line % nu) * su + (line / nu) * sv;
            let all: i32 = column.iter().map(|&c| i32::from(c)).sum();
            let mut below = 0;
            for (k, &crossing) in column[..nw].iter().enumerate() {
                below += i32::from(crossing);
                let inside = u8::from(below != 0) + u8::from(all != below);
                votes[start + k * sw] += inside;
            }
        }
    }

    /// Marks the cells that a triangle crosses, by points half a cell apart.
    fn mark(&mut self, [a, b, c]: [DVec3; 3]) {
        let sides = [(b - a).length(), (c - b).length(), (a - c).length()];
        let longest = sides[0].max(sides[1]).max(sides[2]);
        if !longest.is_finite() {
            return;
        }
        let steps = (2.0 * longest).ceil().max(1.0) as usize;
        let height = (b - a).cross(c - a).length() / longest;
        if steps > SLIVER * (2.0 * height).ceil().max(1.0) as usize {
            // Rows along the longest side need fewer points than a grid if the triangle is thin.
            let [from, to, top] = if longest == sides[0] {
                [a, b, c]
            } else if longest == sides[1] {
                [b, c, a]
            } else {
                [c, a, b]
            };
            let rows = (2.0 * height).ceil().max(1.0);
            for row in 0..=rows as usize {
                let up = row as f64 / rows;
                let (from, to) = (from.lerp(top, up), to.lerp(top, up));
                for step in 0..=steps {
                    self.mark_point(from.lerp(to, step as f64 / steps as f64));
                }
            }
            return;
        }
        for i in 0..=steps {
            for j in 0..=steps - i {
                let (s, t) = (i as f64 / steps as f64, j as f64 / steps as f64);
                self.mark_point(a + (b - a) * s + (c - a) * t);
            }
        }
    }

    fn mark_point(&mut self, point: DVec3) {
        if let Some(cell) = self.index(point.as_ivec3()) {
            self.is_solid[cell] = true;
        }
    }

    /// Index of a cell. `None` outside the grid.
    pub fn index(&self, cell: IVec3) -> Option<usize> {
        // Negative coordinates wrap to huge values.
        let [x, y, z] = cell.to_array().map(|c| c as usize);
        let inside = x < self.size[0] && y < self.size[1] && z < self.size[2];
        inside.then(|| x + self.size[0] * (y + self.size[1] * z))
    }

    /// Coordinates of the cell with an index.
    pub fn cell_at(&self, index: usize) -> IVec3 {
        let [nx, ny, _] = self.size;
        let place = [index % nx, index / nx % ny, index / (nx * ny)];
        IVec3::from_array(place.map(|c| c as i32))
    }

    /// Converts a point in model space to grid coordinates, in cells from the corner of the grid.
    pub fn in_cells(&self, point: DVec3) -> DVec3 {
        (point - self.origin) / self.cell
    }
}

/// Range of a triangle on the second axis, for `at` on the first, with a margin of one cell.
fn range_at(corners: &[[f64; 3]; 3], [u, v]: [usize; 2], at: f64) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (corners[from], corners[to]);
        let is_on = (from[u].min(to[u])..=from[u].max(to[u])).contains(&at);
        if is_on && from[u] != to[u] {
            let crosses = from[v] + (at - from[u]) / (to[u] - from[u]) * (to[v] - from[v]);
            low = low.min(crosses);
            high = high.max(crosses);
        }
    }
    [low.floor() - 1.0, high.ceil() + 1.0]
}
