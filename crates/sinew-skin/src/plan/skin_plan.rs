//! The plan itself: the order of vertices, their joints and weights.

use super::run::{Run, WeightFormat, Weights};
use super::sort::SortedRuns;
use crate::influences::Influences;
use sinew_math::simd::LANES;
use std::ops::Range;

/// The order in which vertices are skinned, with their weights.
///
/// The weights of a plan sum to exactly 1 by construction: the weight of a vertex's first joint is
/// taken as what its others leave.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinPlan {
    vertices: usize,
    mesh_from_plan: Vec<u32>,
    /// The lowest and the highest of the mesh's vertices in each block.
    mesh_ranges: Vec<[u32; 2]>,
    runs: Vec<Run>,
    joints: Vec<u16>,
    patches: Vec<u16>,
    weights: Weights,
    max_joint: usize,
    influences: usize,
}

impl SkinPlan {
    /// Sorts the vertices of `influences`.
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

    /// A plan in which every vertex follows its heaviest joint alone; of equal ones, the lowest.
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

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// The number of blocks of sixteen that they fill.
    pub fn blocks(&self) -> usize {
        self.vertices.div_ceil(LANES)
    }

    /// `mesh_from_plan()[p]` is the mesh's index of the plan's vertex `p`.
    pub fn mesh_from_plan(&self) -> &[u32] {
        &self.mesh_from_plan
    }

    /// The way back: `plan_from_mesh()[m]` is the plan's index of the mesh's vertex `m`. Made on
    /// request, because only loading needs it.
    pub fn plan_from_mesh(&self) -> Vec<u32> {
        let mut plan_from_mesh = vec![0; self.vertices];
        for (plan, &mesh) in self.mesh_from_plan.iter().enumerate() {
            plan_from_mesh[mesh as usize] = plan as u32;
        }
        plan_from_mesh
    }

    /// An index buffer of the mesh, for vertices in plan order. Indices of vertices that do not exist
    /// stay as they are.
    pub fn remap_indices(&self, indices: &[u32]) -> Vec<u32> {
        let plan_from_mesh = self.plan_from_mesh();
        let remap = |&mesh: &u32| plan_from_mesh.get(mesh as usize).copied().unwrap_or(mesh);
        indices.iter().map(remap).collect()
    }

    /// The highest joint that any vertex names.
    pub fn max_joint(&self) -> usize {
        self.max_joint
    }

    /// The bytes that its weights, joints and map take in memory.
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

    /// The share that is stored and worked on for nothing, over what is needed: influences of no weight in
    /// blocks whose vertices have different numbers of joints, and the empty lanes of the last block.
    pub fn padding(&self) -> f64 {
        let lanes: usize = self.runs.iter().map(|r| r.blocks * r.width * LANES).sum();
        lanes as f64 / self.influences.max(1) as f64 - 1.0
    }

    /// The number of vertices that share their block's joints.
    pub fn shared_vertices(&self) -> usize {
        let shared = self.runs.iter().filter(|r| r.shared);
        shared.map(|r| r.blocks * LANES).sum()
    }

    /// The heaviest joint of a vertex of a run, the lowest of equal ones; `block` counts from the
    /// run's first.
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

    /// The joints of a run, some of them several times when it is mixed.
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

    /// True if a block has any of some of the mesh's vertices.
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

    /// A bit a lane of every mixed block: set where a lane's joints are not those of the lane before.
    pub(crate) fn patches(&self) -> &[u16] {
        &self.patches
    }

    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The joints and weights of a vertex of a run; `block` counts from the run's first.
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

    /// The influences that the plan's weights stand for, in the mesh's order: what a scalar skinning
    /// of the same vertices must be given to agree with the plan to the last bits.
    pub fn influences(&self) -> Influences {
        let mut lists = vec![Vec::new(); self.vertices];
        for run in &self.runs {
            for block in 0..run.blocks {
                for lane in 0..LANES {
                    let place = (run.first_block + block) * LANES + lane;
                    if let Some(&mesh) = self.mesh_from_plan.get(place) {
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
