//! Vertices in plan order, in blocks of sixteen with one row per component, for kernels.

use super::skin_plan::SkinPlan;
use crate::error::SkinError;
use crate::vertices::Vertices;
use glam::{Vec3, Vec4};
use sinew_math::simd::{LANES, Row};

/// x, y and z of sixteen vertices.
pub type Block = [Row; 3];

/// Positions and optional normals and tangents, in the order of a [`SkinPlan`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Streams {
    /// Positions, in blocks of sixteen. Lanes past the last vertex repeat it.
    pub positions: Vec<Block>,
    /// Normals. Empty if the mesh has none.
    pub normals: Vec<Block>,
    /// Tangents without handedness, which skinning does not change. Empty if the mesh has none.
    pub tangents: Vec<Block>,
    /// Handedness of the tangents: one bit per lane, set if negative. Empty without tangents.
    pub handedness: Vec<u16>,
}

impl Streams {
    /// Creates streams from the vertices of a mesh, sorted into plan order.
    pub fn gather(plan: &SkinPlan, vertices: &Vertices<'_>) -> Result<Self, SkinError> {
        let mut streams = Self::default();
        streams.update(plan, vertices)?;
        Ok(streams)
    }

    /// Like [`Self::gather`], into existing streams. Allocates only if sizes change.
    pub fn update(&mut self, plan: &SkinPlan, vertices: &Vertices<'_>) -> Result<(), SkinError> {
        vertices.check_lengths(plan.len())?;
        let fill = |out: &mut Vec<Block>, value: &dyn Fn(usize) -> [f32; 3]| {
            out.clear();
            let order = plan.mesh_from_plan();
            out.extend(order.chunks(LANES).map(|block| {
                let mut rows = [Row::default(); 3];
                for lane in 0..LANES {
                    let mesh = block[lane.min(block.len() - 1)] as usize;
                    for (row, x) in rows.iter_mut().zip(value(mesh)) {
                        row.0[lane] = x;
                    }
                }
                rows
            }));
        };
        fill(&mut self.positions, &|v| vertices.positions[v].to_array());
        match vertices.normals {
            Some(normals) => fill(&mut self.normals, &|v| normals[v].to_array()),
            None => self.normals.clear(),
        }
        match vertices.tangents {
            Some(tangents) => fill(&mut self.tangents, &|v| tangents[v].truncate().to_array()),
            None => self.tangents.clear(),
        }
        self.handedness.clear();
        if let Some(tangents) = vertices.tangents {
            let is_negative = |&mesh: &u32| tangents[mesh as usize].w < 0.0;
            let bits = |block: &[u32]| {
                let lanes = block.iter().enumerate();
                lanes.fold(0, |bits, (lane, v)| {
                    bits | u16::from(is_negative(v)) << lane
                })
            };
            let blocks = plan.mesh_from_plan().chunks(LANES);
            self.handedness.extend(blocks.map(bits));
        }
        Ok(())
    }

    /// Creates streams of the same shape, as output of skinning.
    pub fn like(other: &Self) -> Self {
        other.clone()
    }

    /// Writes the positions into `out` in mesh order.
    pub fn scatter_positions(&self, plan: &SkinPlan, out: &mut [Vec3]) {
        scatter(plan, &self.positions, out, |_, v| v);
    }

    /// Writes the normals into `out` in mesh order.
    pub fn scatter_normals(&self, plan: &SkinPlan, out: &mut [Vec3]) {
        scatter(plan, &self.normals, out, |_, v| v);
    }

    /// Writes the tangents into `out` in mesh order. The handedness in `out` stays unchanged.
    pub fn scatter_tangents(&self, plan: &SkinPlan, out: &mut [Vec4]) {
        scatter(plan, &self.tangents, out, |old, v| v.extend(old.w));
    }
}

fn scatter<T: Copy>(plan: &SkinPlan, blocks: &[Block], out: &mut [T], make: impl Fn(T, Vec3) -> T) {
    for (block, order) in blocks.iter().zip(plan.mesh_from_plan().chunks(LANES)) {
        for (lane, &mesh) in order.iter().enumerate() {
            let v = Vec3::new(block[0].0[lane], block[1].0[lane], block[2].0[lane]);
            if let Some(out) = out.get_mut(mesh as usize) {
                *out = make(*out, v);
            }
        }
    }
}
