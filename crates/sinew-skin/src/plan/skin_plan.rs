//! The plan: the order of the vertices, their joints and their weights.

use super::run::{Run, WeightFormat, Weights};
use super::sort::SortedRuns;
use crate::influences::Influences;
use sinew_math::simd::LANES;
use std::ops::Range;

/// Order in which vertices are skinned, with their joints and weights.
///
/// The weights of a vertex sum to exactly 1: the weight of its first joint is 1 minus the others.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinPlan {
    vertices: usize,
    mesh_from_plan: Vec<u32>,
    /// The lowest and highest mesh index of the vertices in each block.
    mesh_ranges: Vec<[u32; 2]>,
    runs: Vec<Run>,
    joints: Vec<u16>,
    patches: Vec<u16>,
    weights: Weights,
    max_joint: usize,
    influences: usize,
}

impl SkinPlan {
    /// Creates a plan by sorting the vertices of `influences`.
    pub fn new(influences: &Influences, format: WeightFormat) -> Self {
        let sorted = SortedRuns::new(influences);
        let weights = match format {
            WeightFormat::F32 => Weights::F32(sorted.weights),
            WeightFormat::U16 => {
                let quantize = |w: f32| (w * 65535.0).round() as u16;
                Weights::U16(sorted.weights.iter().map(|r| r.0.map(quantize)).collect())
            }
        };
        let range = |block: &[u32]| {
            block
                .iter()
                .fold([u32::MAX, 0], |[low, high], &v| [low.min(v), high.max(v)])
        };
        Self {
            vertices: influences.len(),
            mesh_ranges: sorted.mesh_from_plan.chunks(LANES).map(range).collect(),
            mesh_from_plan: sorted.mesh_from_plan,
            runs: sorted.runs,
            joints: sorted.joints,
            patches: sorted.patches,
            weights,
            max_joint: influences.max_joint().unwrap_or(0),
            influences: influences.total(),
        }
    }

    /// Creates a plan in which vertices follow only their heaviest joint (of equals, the lowest).
    pub fn rigid(influences: &Influences) -> Self {
        let joint = |vertex| {
            influences
                .heaviest(vertex)
                .map_or(0, |(joint, _)| joint as u16)
        };
        let lists: Vec<_> = (0..influences.len())
            .map(|v| vec![(joint(v), 1.0)])
            .collect();
        let (alone, _) = Influences::from_lists(&lists, usize::from(u16::MAX) + 1)
            .expect("no more influences than the input has");
        Self::new(&alone, WeightFormat::F32)
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.vertices
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// Number of blocks of sixteen vertices. The last block may be partly empty.
    pub fn blocks(&self) -> usize {
        self.vertices.div_ceil(LANES)
    }

    /// The mesh index of each vertex of the plan: `mesh_from_plan()[p]`.
    pub fn mesh_from_plan(&self) -> &[u32] {
        &self.mesh_from_plan
    }

    /// Plan index of each vertex of the mesh: `plan_from_mesh()[m]`. Computed on each call.
    pub fn plan_from_mesh(&self) -> Vec<u32> {
        let mut plan_from_mesh = vec![0; self.vertices];
        for (plan, &mesh) in self.mesh_from_plan.iter().enumerate() {
            plan_from_mesh[mesh as usize] = plan as u32;
        }
        plan_from_mesh
    }

    /// Converts an index buffer of the mesh to plan order. Keeps indices out of range.
    pub fn remap_indices(&self, indices: &[u32]) -> Vec<u32> {
        let plan_from_mesh = self.plan_from_mesh();
        let remap = |&mesh: &u32| plan_from_mesh.get(mesh as usize).copied().unwrap_or(mesh);
        indices.iter().map(remap).collect()
    }

    /// The highest joint index of all vertices.
    pub fn max_joint(&self) -> usize {
        self.max_joint
    }

    /// Size in memory of weights, joints and order, in bytes.
    pub fn bytes(&self) -> usize {
        let weights = match &self.weights {
            Weights::F32(rows) => size_of_val(&**rows),
            Weights::U16(rows) => size_of_val(&**rows),
        };
        weights
            + size_of_val(&*self.joints)
            + size_of_val(&*self.patches)
            + size_of_val(&*self.mesh_from_plan)
            + size_of_val(&*self.mesh_ranges)
            + size_of_val(&*self.runs)
    }

    /// Size of the padding relative to the needed data. Padding is influences without weight, in
    /// blocks whose vertices have different numbers of joints, and empty lanes of the last block.
    pub fn padding(&self) -> f64 {
        let lanes: usize = self.runs.iter().map(|r| r.blocks * r.width * LANES).sum();
        lanes as f64 / self.influences.max(1) as f64 - 1.0
    }

    /// The number of vertices in shared blocks.
    pub fn shared_vertices(&self) -> usize {
        let shared = self.runs.iter().filter(|r| r.shared);
        shared.map(|r| r.blocks * LANES).sum()
    }

    /// Heaviest joint of a vertex, or the lowest of equals. `block` counts within the run.
    pub(crate) fn heaviest(&self, run: &Run, block: usize, lane: usize) -> usize {
        let joint = |k: usize| {
            let at = if run.shared {
                k
            } else {
                (block * run.width + k) * LANES + lane
            };
            self.joints[run.first_joint + at]
        };
        let row = run.first_weight + block * run.weight_rows();
        let others = (1..run.width).map(|k| (k, self.weight(row + k - 1, lane)));
        let rest = 1.0 - others.clone().map(|(_, weight)| weight).sum::<f32>();
        let heaviest = others.fold(
            (0, rest),
            |best, next| if next.1 > best.1 { next } else { best },
        );
        usize::from(joint(heaviest.0))
    }

    /// Joints of a run. A mixed run may repeat joints.
    pub(crate) fn joints_of(&self, run: &Run) -> &[u16] {
        let count = if run.shared {
            run.width
        } else {
            run.blocks * run.width * LANES
        };
        &self.joints[run.first_joint..run.first_joint + count]
    }

    fn weight(&self, row: usize, lane: usize) -> f32 {
        match &self.weights {
            Weights::F32(rows) => rows[row].0[lane],
            Weights::U16(rows) => f32::from(rows[row][lane]) * (1.0 / 65535.0),
        }
    }

    pub(crate) fn has_any_of(&self, block: usize, vertices: &Range<usize>) -> bool {
        let [low, high] = self.mesh_ranges[block].map(|vertex| vertex as usize);
        if low >= vertices.end || high < vertices.start {
            return false;
        }
        let own = &self.mesh_from_plan[block * LANES..];
        let own = own.iter().take(LANES);
        own.fold(false, |any, &v| any | vertices.contains(&(v as usize)))
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(crate) fn joints(&self) -> &[u16] {
        &self.joints
    }

    /// One bit per lane of every mixed block, set if the previous lane has other joints.
    pub(crate) fn patches(&self) -> &[u16] {
        &self.patches
    }

    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Joints and weights of a vertex. `block` counts from the first block of the run.
    pub(crate) fn influences_of(
        &self,
        run: &Run,
        block: usize,
        lane: usize,
    ) -> impl Iterator<Item = (usize, f32)> + Clone {
        let (joints, row) = (
            self.joints_of(run),
            run.first_weight + block * run.weight_rows(),
        );
        let (shared, width) = (run.shared, run.width);
        (0..width).map(move |k| {
            let joint = if shared {
                joints[k]
            } else {
                joints[(block * width + k) * LANES + lane]
            };
            let weight = match k {
                0 => {
                    1.0 - (1..width)
                        .map(|k| self.weight(row + k - 1, lane))
                        .sum::<f32>()
                }
                _ => self.weight(row + k - 1, lane),
            };
            (usize::from(joint), weight)
        })
    }

    /// Influences with the exact weights of the plan, in mesh order. With them, scalar skinning
    /// agrees with the plan to the last bits.
    pub fn influences(&self) -> Influences {
        let mut lists = vec![Vec::new(); self.vertices];
        for run in &self.runs {
            for block in 0..run.blocks {
                for lane in 0..LANES {
                    let index = (run.first_block + block) * LANES + lane;
                    if let Some(&mesh) = self.mesh_from_plan.get(index) {
                        let influences = self.influences_of(run, block, lane);
                        let influences = influences.map(|(joint, weight)| (joint as u16, weight));
                        lists[mesh as usize].extend(influences);
                    }
                }
            }
        }
        let joints = self.max_joint + 1;
        let built = Influences::from_lists(&lists, joints);
        built.map_or_else(|_| Influences::default(), |(influences, _)| influences)
    }
}
