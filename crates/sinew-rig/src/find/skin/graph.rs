//! Surface of a mesh as a graph of small patches. A patch is the part of the surface in one cell
//! of a grid that hangs together there. So an arm that touches the trunk has patches
//! of its own, whatever the triangles: distances along the graph do not jump from hand to hip.
//! Pieces of the mesh that touch are bridged.

use super::bridge::bridge;
use super::grid::{Grid, join, root};
use super::patches::Patches;
use crate::find::bare::refused;
use crate::find::error::FindError;
use glam::DVec3;
use std::collections::BTreeMap;

/// Min area of a piece that is another body, as a fraction of the largest.
const OTHER_BODY: f64 = 0.4;

/// Patches of a surface and their neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    pub cell: f64,
    /// Mean position of each patch.
    pub at: Vec<DVec3>,
    pub area: Vec<f64>,
    first: Vec<u32>,
    next: Vec<(u32, f32)>,
}

impl Skin {
    /// Builds the graph with `resolution` cells along the longest side. Indices must be valid, and
    /// positions finite and not all equal.
    pub fn new(positions: &[DVec3], triangles: &[[u32; 3]], resolution: usize) -> Self {
        let used = || triangles.iter().flatten().map(|&v| positions[v as usize]);
        let low = used().fold(DVec3::INFINITY, DVec3::min);
        let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
        let grid = Grid::new(low, high, resolution);
        let mut patches = Patches::new(&grid, positions, triangles);
        bridge(&grid, &mut patches);
        let mut skin = Self {
            cell: grid.cell,
            at: patches.at,
            area: patches.area,
            first: Vec::new(),
            next: Vec::new(),
        };
        skin.link(patches.links);
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
