//! Surface of a mesh as a graph of small patches. A patch is the part of the surface in one cell
//! of a grid that hangs together by shared vertices. So an arm that touches the trunk has patches
//! of its own, whatever the triangles: distances along the graph do not jump from hand to hip.
//! Pieces of the mesh that touch are bridged.

use super::bare::refused;
use super::error::FindError;
use glam::{DVec3, IVec3};
use sinew::mesh::Weld;
use std::collections::BTreeMap;

/// Margin that enlarges cells slightly, so that their sides avoid vertices at round coordinates.
const OFF_ROUND: f64 = 0.37;
/// Min number of contacts of two pieces, as a fraction of the most contacts of the smaller piece
/// with any piece. A hand that rests on a thigh touches it less than its own forearm.
const FIRM: f64 = 0.3;
/// Max gap between pieces of one body, as a fraction of the longest side.
const GAP: f64 = 0.025;
/// Min area of a piece that is another body, as a fraction of the largest.
const OTHER_BODY: f64 = 0.4;

/// Patches of a surface and their neighbours.
#[derive(Clone, Debug)]
pub(super) struct Skin {
    pub cell: f64,
    /// Mean position of each patch.
    pub at: Vec<DVec3>,
    pub area: Vec<f64>,
    first: Vec<u32>,
    next: Vec<(u32, f32)>,
}

struct Grid {
    origin: DVec3,
    cell: f64,
    size: [usize; 3],
}

impl Grid {
    fn new(low: DVec3, high: DVec3, resolution: usize) -> Self {
        let cell = (high - low).max_element() / (resolution as f64 - OFF_ROUND);
        // An odd count makes a plane of symmetry pass through the middle of cells.
        let size = (high - low)
            .to_array()
            .map(|l| ((l / cell) as usize + 4) | 1);
        let half = DVec3::from_array(size.map(|count| 0.5 * count as f64));
        let origin = 0.5 * (low + high) - half * cell;
        Self { origin, cell, size }
    }

    fn index(&self, point: DVec3) -> u32 {
        let [x, y, z] = ((point - self.origin) / self.cell)
            .to_array()
            .map(|c| c.max(0.0) as usize);
        let last = self.size.map(|count| count - 1);
        let (x, y, z) = (x.min(last[0]), y.min(last[1]), z.min(last[2]));
        (x + self.size[0] * (y + self.size[1] * z)) as u32
    }

    fn around(&self, cell: u32, radius: i32) -> impl Iterator<Item = u32> + '_ {
        let [nx, ny, nz] = self.size.map(|count| count as i32);
        let cell = cell as i32;
        let at = IVec3::new(cell % nx, cell / nx % ny, cell / (nx * ny));
        let side = 2 * radius + 1;
        (0..side * side * side).filter_map(move |step| {
            let offset = IVec3::new(step % side, step / side % side, step / (side * side));
            let to = at + offset - radius;
            let inside = to.cmpge(IVec3::ZERO).all() && to.cmplt(IVec3::new(nx, ny, nz)).all();
            inside.then(|| (to.x + nx * (to.y + ny * to.z)) as u32)
        })
    }
}

/// Representative of a set, with paths shortened on the way.
pub(super) fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        parents[of as usize] = parents[parents[of as usize] as usize];
        of = parents[of as usize];
    }
    of
}

pub(super) fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}

/// Patches under construction: an element is the part of a triangle in a cell.
struct Draft {
    cells: Vec<u32>,
    triangles: Vec<u32>,
    sums: Vec<(DVec3, f64)>,
    links: Vec<(u32, u32)>,
}

impl Skin {
    /// Builds the graph with `resolution` cells along the longest side. Indices must be valid, and
    /// positions finite and not all equal.
    pub fn new(positions: &[DVec3], triangles: &[[u32; 3]], resolution: usize) -> Self {
        let used = || triangles.iter().flatten().map(|&v| positions[v as usize]);
        let low = used().fold(DVec3::INFINITY, DVec3::min);
        let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
        let grid = Grid::new(low, high, resolution);
        let (welded, pieces) = welded(positions, triangles);
        let mut draft = Draft {
            cells: Vec::new(),
            triangles: Vec::new(),
            sums: Vec::new(),
            links: Vec::new(),
        };
        for (index, triangle) in triangles.iter().enumerate() {
            draft.add(index as u32, triangle.map(|v| positions[v as usize]), &grid);
        }
        let mut parents: Vec<u32> = (0..draft.cells.len() as u32).collect();
        let mut corners: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * draft.cells.len());
        for (element, (&cell, &triangle)) in draft.cells.iter().zip(&draft.triangles).enumerate() {
            let vertices = triangles[triangle as usize].map(|v| welded[v as usize]);
            corners.extend(vertices.map(|vertex| (cell, vertex, element as u32)));
        }
        corners.sort_unstable();
        for pair in corners.windows(2) {
            if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
                join(&mut parents, pair[0].2, pair[1].2);
            }
        }
        drop(corners);
        let mut node_of = vec![u32::MAX; parents.len()];
        let (mut at, mut area, mut cells, mut piece) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for element in 0..parents.len() {
            let leader = root(&mut parents, element as u32) as usize;
            if node_of[leader] == u32::MAX {
                node_of[leader] = at.len() as u32;
                at.push(DVec3::ZERO);
                area.push(0.0);
                cells.push(draft.cells[leader]);
                piece.push(pieces[triangles[draft.triangles[leader] as usize][0] as usize]);
            }
            node_of[element] = node_of[leader];
            let node = node_of[element] as usize;
            at[node] += draft.sums[element].0;
            area[node] += draft.sums[element].1;
        }
        for (at, area) in at.iter_mut().zip(&area) {
            *at /= *area;
        }
        let mut links: Vec<(u32, u32)> = draft
            .links
            .iter()
            .map(|&(a, b)| (node_of[a as usize], node_of[b as usize]))
            .collect();
        bridge(&grid, &cells, &piece, &mut links);
        let mut skin = Self {
            cell: grid.cell,
            at,
            area,
            first: Vec::new(),
            next: Vec::new(),
        };
        skin.link(links);
        skin
    }

    fn link(&mut self, links: Vec<(u32, u32)>) {
        let mut both: Vec<(u32, u32)> = links
            .iter()
            .flat_map(|&(a, b)| [(a, b), (b, a)])
            .filter(|(a, b)| a != b)
            .collect();
        both.sort_unstable();
        both.dedup();
        let mut first = vec![0_u32; self.at.len() + 1];
        for &(a, _) in &both {
            first[a as usize + 1] += 1;
        }
        for node in 0..self.at.len() {
            first[node + 1] += first[node];
        }
        let length =
            |&(a, b): &(u32, u32)| (b, self.at[a as usize].distance(self.at[b as usize]) as f32);
        self.next = both.iter().map(length).collect();
        self.first = first;
    }

    /// Number of patches.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Neighbours of a patch, with their distances.
    pub fn next(&self, node: usize) -> &[(u32, f32)] {
        &self.next[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The largest part that hangs together, without what lies around it.
    pub fn body(&self) -> Result<Self, FindError> {
        let mut groups: Vec<u32> = (0..self.len() as u32).collect();
        for node in 0..self.len() {
            for &(next, _) in self.next(node) {
                join(&mut groups, node as u32, next);
            }
        }
        let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
        let of: Vec<u32> = (0..self.len() as u32)
            .map(|n| root(&mut groups, n))
            .collect();
        for (node, &group) in of.iter().enumerate() {
            *areas.entry(group).or_default() += self.area[node];
        }
        let mut sorted: Vec<(f64, u32)> =
            areas.iter().map(|(&group, &area)| (area, group)).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let [first, second, ..] = sorted[..]
            && second.0 > OTHER_BODY * first.0
        {
            let percent = 100.0 * second.0 / first.0;
            return Err(refused(format!(
                "the mesh has several bodies apart from each other; the second has {percent:.0} % of the surface of the first"
            )));
        }
        let main = sorted.first().map_or(0, |first| first.1);
        Ok(self.part(&of.iter().map(|&group| group == main).collect::<Vec<_>>()))
    }

    /// Keeps the patches for which `keep` is true.
    pub fn part(&self, keep: &[bool]) -> Self {
        let mut new = vec![u32::MAX; self.len()];
        let kept: Vec<usize> = (0..self.len()).filter(|&n| keep[n]).collect();
        for (index, &node) in kept.iter().enumerate() {
            new[node] = index as u32;
        }
        let mut skin = Self {
            cell: self.cell,
            at: kept.iter().map(|&n| self.at[n]).collect(),
            area: kept.iter().map(|&n| self.area[n]).collect(),
            first: vec![0],
            next: Vec::new(),
        };
        for &node in &kept {
            let near = self.next(node).iter().filter(|(n, _)| keep[*n as usize]);
            skin.next
                .extend(near.map(|&(n, length)| (new[n as usize], length)));
            skin.first.push(skin.next.len() as u32);
        }
        skin
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

impl Draft {
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
        let area = 0.5 * (b - a).cross(c - a).length();
        let height = if longest > 0.0 {
            2.0 * area / longest
        } else {
            0.0
        };
        let steps = |length: f64| (2.0 * length / grid.cell).ceil().max(1.0) as usize;
        let rows = steps(height);
        let mut points: Vec<(u32, DVec3)> = Vec::new();
        let mut row_starts = Vec::new();
        for row in 0..=rows {
            let up = row as f64 / rows as f64;
            let (from, to) = (from.lerp(top, up), to.lerp(top, up));
            let count = steps(from.distance(to));
            row_starts.push(points.len());
            for step in 0..=count {
                let point = from.lerp(to, step as f64 / count as f64);
                points.push((grid.index(point), point));
            }
        }
        row_starts.push(points.len());
        let mut own: Vec<u32> = points.iter().map(|p| p.0).collect();
        own.sort_unstable();
        own.dedup();
        let base = self.cells.len() as u32;
        self.cells.extend(&own);
        self.triangles.extend(own.iter().map(|_| triangle));
        self.sums.extend(own.iter().map(|_| (DVec3::ZERO, 0.0)));
        let elements: Vec<u32> = points
            .iter()
            .map(|p| base + own.partition_point(|&cell| cell < p.0) as u32)
            .collect();
        // A point stands for its share of the triangle; never nothing, so that a mean exists.
        let share = area / points.len() as f64 + 1e-12 * grid.cell * grid.cell;
        for (&(_, point), &element) in points.iter().zip(&elements) {
            let sum = &mut self.sums[element as usize];
            *sum = (sum.0 + point * share, sum.1 + share);
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

/// Links patches of pieces that touch, then pieces that are still apart by at most [`GAP`].
fn bridge(grid: &Grid, cells: &[u32], piece: &[u32], links: &mut Vec<(u32, u32)>) {
    if piece.iter().all(|&p| p == piece[0]) {
        return;
    }
    let mut by_cell: Vec<(u32, u32)> = cells
        .iter()
        .enumerate()
        .map(|(n, &c)| (c, n as u32))
        .collect();
    by_cell.sort_unstable();
    let contacts = |node: u32, radius: i32| {
        let by_cell = &by_cell;
        grid.around(cells[node as usize], radius)
            .flat_map(move |cell| {
                let start = by_cell.partition_point(|&(c, _)| c < cell);
                let here = by_cell[start..]
                    .iter()
                    .take_while(move |&&(c, _)| c == cell);
                here.map(|&(_, n)| n)
            })
    };
    let mut size: BTreeMap<u32, usize> = BTreeMap::new();
    for &p in piece {
        *size.entry(p).or_default() += 1;
    }
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for node in 0..cells.len() as u32 {
        for other in contacts(node, 1) {
            let (a, b) = (piece[node as usize], piece[other as usize]);
            if a != b && node < other {
                found.push((node, other));
                *counts.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
    }
    let mut most: BTreeMap<u32, usize> = BTreeMap::new();
    for (&(a, b), &count) in &counts {
        for p in [a, b] {
            let most = most.entry(p).or_default();
            *most = (*most).max(count);
        }
    }
    let is_firm = |a: u32, b: u32| {
        let small = if (size[&a], a) < (size[&b], b) { a } else { b };
        counts[&(a.min(b), a.max(b))] as f64 >= FIRM * most[&small] as f64
    };
    let mut groups: Vec<u32> = (0..cells.len() as u32).collect();
    for &(a, b) in links.iter() {
        join(&mut groups, a, b);
    }
    for (a, b) in found {
        if is_firm(piece[a as usize], piece[b as usize]) {
            links.push((a, b));
            join(&mut groups, a, b);
        }
    }
    let widest = (GAP * *grid.size.iter().max().unwrap_or(&1) as f64).ceil() as i32;
    for radius in 1..=widest {
        let mut count: BTreeMap<u32, usize> = BTreeMap::new();
        for node in 0..cells.len() as u32 {
            *count.entry(root(&mut groups, node)).or_default() += 1;
        }
        let Some(main) = count
            .iter()
            .max_by_key(|(g, n)| (**n, **g))
            .map(|(g, _)| *g)
        else {
            return;
        };
        if count.len() < 2 {
            return;
        }
        let apart: Vec<u32> = (0..cells.len() as u32)
            .filter(|&n| root(&mut groups, n) != main)
            .collect();
        let mut near = Vec::new();
        for &node in &apart {
            let own = root(&mut groups, node);
            near.extend(
                contacts(node, radius)
                    .filter(|&o| root(&mut groups, o) != own)
                    .map(|o| (node, o))
                    .collect::<Vec<_>>(),
            );
        }
        for (a, b) in near {
            links.push((a, b));
            join(&mut groups, a, b);
        }
    }
}
