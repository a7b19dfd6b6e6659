//! Bridges between pieces of a mesh: sleeves and hands, boots and legs, or the closed parts of a
//! figure that stick in each other. Also across cracks: borders of the surface beside each other.

use super::grid::{Grid, join, root};
use super::patches::Patches;
use std::collections::BTreeMap;

/// Pieces whose surfaces face each other, such as a hand and a thigh, only touch: least product of
/// the normals of a bridge. Cloth over skin and parts that stick in each other have more.
const FACING: f64 = -0.3;
/// Max gap between pieces of one body, as a fraction of the longest side.
const GAP: f64 = 0.025;

/// Links patches of pieces that overlap, then pieces that are still apart by at most [`GAP`].
pub(crate) fn bridge(grid: &Grid, patches: &mut Patches) {
    let pieces = &patches.pieces;
    let is_one = pieces.iter().all(|&p| p == pieces[0]);
    if is_one && !patches.is_open.contains(&true) {
        return;
    }
    let count = patches.at.len() as u32;
    let near = Near::new(grid, &patches.cells);
    let mut sets: Vec<u32> = (0..count).collect();
    for &(a, b) in &patches.links {
        join(&mut sets, a, b);
    }
    let mut links = Vec::new();
    for a in 0..count {
        near.each(a, 1, |b| {
            let facing = patches.normals[a as usize].dot(patches.normals[b as usize]);
            let [is_apart, is_crack] = [
                pieces[a as usize] != pieces[b as usize],
                patches.is_open[a as usize] && patches.is_open[b as usize],
            ];
            if a < b && (is_apart || is_crack) && facing > FACING {
                links.push((a, b));
            }
        });
    }
    for &(a, b) in &links {
        join(&mut sets, a, b);
    }
    patches.links.append(&mut links);
    let widest = (GAP * *grid.size.iter().max().unwrap_or(&1) as f64).ceil() as i32;
    for radius in 1..=widest {
        let all: Vec<u32> = (0..count).map(|patch| root(&mut sets, patch)).collect();
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for &set in &all {
            *sizes.entry(set).or_default() += 1;
        }
        if sizes.len() < 2 {
            return;
        }
        // Links of the largest set are seen from the others.
        let main = sizes
            .iter()
            .max_by_key(|(_, size)| **size)
            .map(|(&set, _)| set);
        for a in (0..count).filter(|&patch| Some(all[patch as usize]) != main) {
            near.each(a, radius, |b| {
                if all[a as usize] != all[b as usize] {
                    patches.links.push((a, b));
                    join(&mut sets, a, b);
                }
            });
        }
    }
}

/// Patches by cell.
struct Near<'a> {
    grid: &'a Grid,
    cells: &'a [u32],
    by_cell: Vec<(u32, u32)>,
}

impl<'a> Near<'a> {
    fn new(grid: &'a Grid, cells: &'a [u32]) -> Self {
        let by_cell = cells.iter().enumerate().map(|(n, &cell)| (cell, n as u32));
        let mut by_cell: Vec<(u32, u32)> = by_cell.collect();
        by_cell.sort_unstable();
        Self {
            grid,
            cells,
            by_cell,
        }
    }

    /// Calls `take` for each patch at most `radius` cells away.
    fn each(&self, patch: u32, radius: i32, mut take: impl FnMut(u32)) {
        for cell in self.grid.around(self.cells[patch as usize], radius) {
            let start = self.by_cell.partition_point(|&(c, _)| c < cell);
            for &(_, other) in self.by_cell[start..]
                .iter()
                .take_while(|&&(c, _)| c == cell)
            {
                take(other);
            }
        }
    }
}
