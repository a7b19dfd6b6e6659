//! Sorts vertices into runs: shared runs of one joint set each, then mixed runs.

use super::run::{MAX_SHARED, Run};
use crate::influences::Influences;
use sinew_math::simd::{LANES, Row};
use std::collections::HashMap;

pub(super) struct SortedRuns<'a> {
    influences: &'a Influences,
    pub mesh_from_plan: Vec<u32>,
    pub runs: Vec<Run>,
    pub joints: Vec<u16>,
    pub patches: Vec<u16>,
    pub weights: Vec<Row>,
}

impl<'a> SortedRuns<'a> {
    /// Sorts the vertices of `influences`.
    pub fn new(influences: &'a Influences) -> Self {
        let mut sorted = Self {
            influences,
            mesh_from_plan: Vec::with_capacity(influences.len()),
            runs: Vec::new(),
            joints: Vec::new(),
            patches: Vec::new(),
            weights: Vec::new(),
        };
        let leftover = sorted.add_shared_runs();
        sorted.add_mixed_runs(&leftover);
        sorted
    }

    /// Adds shared runs for every joint set with sixteen vertices or more. Returns the other
    /// vertices in descending order of influences, grouped by set.
    fn add_shared_runs(&mut self) -> Vec<u32> {
        let mut set_of: HashMap<&[u16], usize> = HashMap::new();
        let mut sets: Vec<(&[u16], Vec<u32>)> = Vec::new();
        for vertex in 0..self.influences.len() {
            let joints = self.influences.slices(vertex).0;
            let set = *set_of.entry(joints).or_insert_with(|| {
                sets.push((joints, Vec::new()));
                sets.len() - 1
            });
            sets[set].1.push(vertex as u32);
        }
        // By first vertex, so that neighbours in the mesh are neighbours in the plan: memory in
        // mesh order stays in the cache, and few blocks have vertices from all over the mesh.
        sets.sort_by_key(|(joints, _)| joints.len());
        let mut rests = Vec::new();
        for (joints, vertices) in &sets {
            let blocks = match joints.len() {
                0..=MAX_SHARED => vertices.len() / LANES,
                _ => 0,
            };
            let (full, rest) = vertices.split_at(blocks * LANES);
            rests.push(rest);
            if blocks > 0 {
                self.add_run(full, joints.len(), true);
            }
        }
        rests.into_iter().rev().flatten().copied().collect()
    }

    fn add_mixed_runs(&mut self, leftover: &[u32]) {
        let mut rest = leftover;
        while !rest.is_empty() {
            let width_of = |v: u32| self.influences.slices(v as usize).0.len();
            let width = width_of(rest[0]);
            let same = rest
                .chunks(LANES)
                .take_while(|block| width_of(block[0]) == width);
            let (run, after) = rest.split_at(rest.len().min(same.count() * LANES));
            self.add_run(run, width.max(1), false);
            rest = after;
        }
    }

    fn add_run(&mut self, vertices: &[u32], width: usize, shared: bool) {
        let run = Run {
            first_block: self.mesh_from_plan.len() / LANES,
            blocks: vertices.len().div_ceil(LANES),
            width,
            shared,
            first_joint: self.joints.len(),
            first_weight: self.weights.len(),
            first_patch: self.patches.len(),
        };
        if shared {
            let joints = self.influences.slices(vertices[0] as usize).0;
            self.joints.extend_from_slice(joints);
        }
        for block in vertices.chunks(LANES) {
            // Empty lanes of the last block repeat the last vertex.
            let vertex = |lane: usize| block[lane.min(block.len() - 1)] as usize;
            for k in 1..width {
                let weight = |lane| self.influences.slices(vertex(lane)).1.get(k).copied();
                let row = std::array::from_fn(|lane| weight(lane).unwrap_or(0.0));
                self.weights.push(Row(row));
            }
            if !shared {
                let joints = |lane| self.influences.slices(vertex(lane)).0;
                let is_new = |lane: usize| lane == 0 || joints(lane) != joints(lane - 1);
                let bits = (0..LANES)
                    .filter(|&lane| is_new(lane))
                    .map(|lane| 1 << lane);
                self.patches.push(bits.sum());
                for k in 0..width {
                    // Missing joints repeat the first of the vertex, so bad joints do not spread.
                    let joint = |lane| {
                        let joints = self.influences.slices(vertex(lane)).0;
                        joints.get(k).or(joints.first()).copied()
                    };
                    let row: [u16; LANES] = std::array::from_fn(|lane| joint(lane).unwrap_or(0));
                    self.joints.extend_from_slice(&row);
                }
            }
        }
        self.mesh_from_plan.extend_from_slice(vertices);
        self.runs.push(run);
    }
}
