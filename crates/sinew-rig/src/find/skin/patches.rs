//! Patches of a surface: the parts in one cell that hang together there. They depend on the surface
//! alone: neither on its triangles, nor on their order, nor on the handedness of the axes.

use super::clip::{Part, meets, parts};
use super::grid::{Grid, join, root};
use glam::{DVec3, IVec3};
use sinew::mesh::Weld;

/// Least area of a part, in sides of cells: nothing, but a mean exists.
const NOTHING: f64 = 1e-12;

/// Patches, and pairs of patches in neighbouring cells that hang together.
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
    /// True if the border of the surface passes through the patch.
    pub is_open: Vec<bool>,
    pub links: Vec<(u32, u32)>,
}

impl Patches {
    pub fn new(grid: &Grid, positions: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let (welded, pieces) = welded(positions, triangles);
        let mut draft = Draft::default();
        for triangle in triangles {
            draft.add(triangle.map(|v| positions[v as usize]), grid);
        }
        let welded: Vec<[u32; 3]> = (triangles.iter())
            .map(|t| t.map(|v| welded[v as usize]))
            .collect();
        let mut sets = draft.merged(grid, positions, &welded);
        let mut patches = Self::default();
        let mut of = vec![u32::MAX; sets.len()];
        for (triangle, corners) in triangles.iter().enumerate() {
            for part in draft.of(triangle) {
                let leader = root(&mut sets, part as u32) as usize;
                if of[leader] == u32::MAX {
                    of[leader] = patches.at.len() as u32;
                    patches.at.push(DVec3::ZERO);
                    patches.area.push(0.0);
                    patches.normals.push(DVec3::ZERO);
                    patches.cells.push(draft.cells[leader]);
                    patches.pieces.push(pieces[corners[0] as usize]);
                    patches.is_open.push(false);
                }
                of[part] = of[leader];
                patches.add(of[part] as usize, &draft.parts[part], grid);
            }
        }
        for (at, area) in patches.at.iter_mut().zip(&patches.area) {
            *at /= *area;
        }
        for normal in &mut patches.normals {
            *normal = normal.normalize_or_zero();
        }
        for part in draft.open(grid, positions, &welded) {
            patches.is_open[of[part] as usize] = true;
        }
        let of_parts = |links: Vec<(u32, u32)>| {
            let links = links.into_iter();
            links.map(|(a, b)| (of[a as usize], of[b as usize]))
        };
        patches.links = of_parts(draft.near(&SIDES)).collect();
        patches.link_across(grid);
        patches.links.extend(of_parts(draft.near(&EDGES)));
        let at_corners = draft.at_corners(grid, positions, &welded);
        patches.links.extend(of_parts(at_corners));
        patches
    }

    fn add(&mut self, patch: usize, part: &Part, grid: &Grid) {
        let scale = grid.cell * grid.cell;
        let area = scale * (part.normal.length() + NOTHING);
        self.at[patch] += area * grid.place(part.middle);
        self.area[patch] += area;
        self.normals[patch] += scale * part.normal;
    }

    /// Links patches in cells with a common edge, if both hang together with a patch beside both. Without
    /// these links, distances along the surface would depend on its direction more.
    fn link_across(&mut self, grid: &Grid) {
        let mut near: Vec<(u32, u32)> = (self.links.iter())
            .flat_map(|&(a, b)| [(a, b), (b, a)])
            .filter(|(a, b)| a != b)
            .collect();
        near.sort_unstable();
        near.dedup();
        for around in near.chunk_by(|a, b| a.0 == b.0) {
            for (k, &(_, a)) in around.iter().enumerate() {
                for &(_, b) in &around[k + 1..] {
                    let [from, to] = [a, b].map(|n| grid.place_of(self.cells[n as usize]));
                    let way = (to - from).abs();
                    if way.max_element() == 1 && way.element_sum() == 2 {
                        self.links.push((a, b));
                    }
                }
            }
        }
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

/// Patches under construction, from the parts of triangles in cells.
#[derive(Default)]
struct Draft {
    parts: Vec<Part>,
    cells: Vec<u32>,
    /// Number of parts before and with each triangle.
    ends: Vec<usize>,
}

impl Draft {
    fn add(&mut self, corners: [DVec3; 3], grid: &Grid) {
        parts(grid, corners, |part| {
            self.cells.push(grid.index_of(part.cell));
            self.parts.push(part);
        });
        self.ends.push(self.parts.len());
    }

    /// Parts of a triangle.
    fn of(&self, triangle: usize) -> std::ops::Range<usize> {
        let start = triangle
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        start..self.ends[triangle]
    }

    /// Sets of parts in one cell that share a piece of an edge, or a corner, in this cell.
    fn merged(&self, grid: &Grid, positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<u32> {
        let mut sets: Vec<u32> = (0..self.cells.len() as u32).collect();
        let mut shared: Vec<(u32, [u32; 2], u32)> = Vec::with_capacity(4 * sets.len());
        for (triangle, vertices) in triangles.iter().enumerate() {
            let corners = vertices.map(|v| (v, grid.in_cells(positions[v as usize])));
            for part in self.of(triangle) {
                let (cell, at) = (self.cells[part], self.parts[part].cell);
                let is_here = corners.map(|(_, p)| meets(at, p, p));
                for k in 0..3 {
                    let next = (k + 1) % 3;
                    // In the same order for both triangles, so that rounding is the same.
                    let (from, to) = if corners[k].0 < corners[next].0 {
                        (corners[k], corners[next])
                    } else {
                        (corners[next], corners[k])
                    };
                    if is_here[k] {
                        shared.push((cell, [corners[k].0; 2], part as u32));
                    } else if !is_here[next] && meets(at, from.1, to.1) {
                        shared.push((cell, [from.0, to.0], part as u32));
                    }
                }
            }
        }
        shared.sort_unstable();
        for pair in shared.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                join(&mut sets, pair[0].2, pair[1].2);
            }
        }
        sets
    }

    /// Parts through which an edge of a single triangle passes.
    fn open(&self, grid: &Grid, positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<usize> {
        let mut edges: Vec<([u32; 2], usize)> = (triangles.iter().enumerate())
            .flat_map(|(triangle, &[a, b, c])| {
                let edges = [[a, b], [b, c], [c, a]].into_iter();
                edges.map(move |[a, b]| ([a.min(b), a.max(b)], triangle))
            })
            .collect();
        edges.sort_unstable();
        let single = edges
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|same| same.len() == 1);
        let open = single.flat_map(|edge| {
            let (ends, triangle) = edge[0];
            let [from, to] = ends.map(|v| grid.in_cells(positions[v as usize]));
            let is_on = move |&part: &usize| meets(self.parts[part].cell, from, to);
            self.of(triangle).filter(is_on)
        });
        open.collect()
    }

    /// Pairs of parts of one triangle in cells that are these steps apart.
    fn near(&self, steps: &[[i32; 3]]) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        for triangle in 0..self.ends.len() {
            let own = self.of(triangle);
            for part in own.clone() {
                for &step in steps {
                    let next = (self.parts[part].cell + IVec3::from_array(step)).to_array();
                    let order = |other: &Part| other.cell.to_array().cmp(&next);
                    if let Ok(other) = self.parts[own.clone()].binary_search_by(order) {
                        links.push((part as u32, (own.start + other) as u32));
                    }
                }
            }
        }
        links
    }

    /// Pairs of parts of all triangles at a corner. Triangles that lie in the sides of cells have no part in common.
    fn at_corners(
        &self,
        grid: &Grid,
        positions: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> Vec<(u32, u32)> {
        let mut at_corner: Vec<(u32, u32)> = Vec::with_capacity(3 * triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            let own = self.of(triangle);
            for &corner in corners {
                let at = grid.in_cells(positions[corner as usize]);
                let away = |part: &usize| {
                    let way = (self.parts[*part].cell.as_dvec3() - at).abs();
                    way.max_element()
                };
                let nearest = own.clone().min_by(|a, b| away(a).total_cmp(&away(b)));
                at_corner.extend(nearest.map(|part| (corner, part as u32)));
            }
        }
        at_corner.sort_unstable();
        let pairs = at_corner.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs.map(|pair| (pair[0].1, pair[1].1)).collect()
    }
}

/// Steps to half of the cells with a common side, and to half of those with a common edge.
const SIDES: [[i32; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const EDGES: [[i32; 3]; 6] = [
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
];
