//! Primitive packed for the GPU: pairs of vertices, weights and morph deltas.
//!
//! Weights are `f32`. A pair is read once for many instances, so smaller weights would save little.
//! They would have an error of 8e-6.

use super::layout::{BLOCK, Group, LOCAL, MeshRecord, NONE};
use super::locals;
use super::morphs::{self, Share};
use super::pairs::{NARROW, Pairs};
use crate::device::error::GpuError;
use glam::{Vec3, Vec4};
use sinew::mesh::Weld;
use sinew::skin::{Order, SkinError, SkinPlan, WeightFormat, mesh_normals};
use sinew::steps::{finish, pause};
use sinew::{Influences, Method, Primitive};

/// Primitive in the vertex order and format of the GPU.
#[derive(Debug)]
pub struct SkinMesh {
    pub(crate) data: Vec<[u32; 4]>,
    pub(crate) record: MeshRecord,
    pub(crate) max_joint: usize,
    pub(crate) morph_targets: usize,
    /// True if a pair has more than [`NARROW`] joints.
    pub(crate) is_wide: bool,
    pairs: Pairs,
}

impl SkinMesh {
    /// Packs a primitive. `Method::Rigid` keeps only the heaviest joint of each vertex. All other
    /// methods have one format. `Order::Plan` is faster. `Order::Mesh` keeps the order and indices
    /// of the mesh. A primitive without influences follows joint 0. Missing normals are computed.
    pub fn new(primitive: &Primitive, method: Method, order: Order) -> Result<Self, GpuError> {
        finish(Self::new_in_steps(primitive, method, order))
    }

    /// As [`SkinMesh::new`], in [steps](sinew::steps).
    pub(crate) async fn new_in_steps(
        primitive: &Primitive,
        method: Method,
        order: Order,
    ) -> Result<Self, GpuError> {
        check(primitive)?;
        let influences = influences(primitive, method)?;
        let vertices = match order {
            Order::Plan => SkinPlan::new(&influences, WeightFormat::F32)
                .mesh_from_plan()
                .to_vec(),
            Order::Mesh => (0..primitive.len() as u32).collect(),
        };
        pause().await;
        let mut packer = Packer {
            data: Vec::new(),
            pairs: Pairs::new(&influences, &vertices, order),
        };
        pause().await;
        let normals = normals(primitive)?;
        let records = packer.add_vertices(&primitive.positions, &normals);
        pause().await;
        let blocks = packer.add_influences(records, &influences);
        pause().await;
        let mut record = MeshRecord {
            records,
            pairs: packer.pairs.len() as u32,
            blocks,
            morphs: NONE,
            tangents: NONE,
            morph_stride: 2,
            start: 0,
            locals: packer.add_locals(),
        };
        if let Some(tangents) = &primitive.tangents {
            record.tangents = packer.add_tangents(tangents);
            record.morph_stride = 3;
        }
        if !primitive.morphs.is_empty() {
            pause().await;
            let shares = morphs::shares(&primitive.morphs, primitive.len());
            record.morphs = packer.add_morphs(&shares, record.morph_stride);
        }
        Ok(Self {
            data: packer.data,
            record,
            max_joint: influences.max_joint().unwrap_or(0),
            morph_targets: primitive.morphs.len(),
            is_wide: packer.pairs.joints.iter().any(|j| j.len() > NARROW),
            pairs: packer.pairs,
        })
    }

    /// Number of slots of an instance in the skinned buffers: its vertices and some padding.
    pub fn len(&self) -> usize {
        self.pairs.mesh_from_slot.len()
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mesh vertex of every slot of the skinned buffers. Static attributes must have this order.
    pub fn mesh_from_slot(&self) -> &[u32] {
        &self.pairs.mesh_from_slot
    }

    /// First slot of every mesh vertex.
    pub fn slot_from_mesh(&self) -> &[u32] {
        &self.pairs.slot_from_mesh
    }

    /// Converts indices of the mesh to slots. Invalid indices become 0.
    pub fn remap_indices(&self, indices: &[u32]) -> Vec<u32> {
        let slot = |&v: &u32| self.pairs.slot_from_mesh.get(v as usize).copied();
        indices.iter().map(|v| slot(v).unwrap_or(0)).collect()
    }

    /// True if the mesh has tangents to skin.
    pub fn has_tangents(&self) -> bool {
        self.record.tangents != NONE
    }

    /// Size in GPU memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.data)
    }
}

fn check(primitive: &Primitive) -> Result<(), GpuError> {
    let expected = primitive.len();
    let normals = primitive.normals.as_ref().map(|n| n.len());
    let tangents = primitive.tangents.as_ref().map(|t| t.len());
    let influences = primitive.influences.as_ref().map(|i| i.len());
    let lengths = [
        ("the normal stream", normals),
        ("the tangent stream", tangents),
        ("the influence list", influences),
    ];
    for (what, found) in lengths {
        if let Some(found) = found.filter(|&f| f != expected) {
            return Err(GpuError::Skin(SkinError::Length {
                what,
                found,
                expected,
            }));
        }
    }
    Ok(())
}

fn influences(primitive: &Primitive, method: Method) -> Result<Influences, GpuError> {
    let heaviest = |vertex: usize| {
        let influences = primitive.influences.as_ref();
        let heaviest = influences.and_then(|i| i.heaviest(vertex));
        heaviest.map_or(0, |(joint, _)| joint as u16)
    };
    match (&primitive.influences, method) {
        (_, Method::Quaternion) => Err(GpuError::NoSuchMethod),
        (Some(influences), Method::Linear | Method::DualQuat) => Ok((**influences).clone()),
        _ => {
            let joints: Vec<u16> = (0..primitive.len()).map(heaviest).collect();
            let weights = vec![1.0; joints.len()];
            let made = Influences::from_padded(&joints, &weights, 1, usize::from(u16::MAX) + 1);
            Ok(made.map_or_else(|_| Influences::default(), |(influences, _)| influences))
        }
    }
}

/// Normals of the primitive, or computed normals. Vertices without a triangle get y.
fn normals(primitive: &Primitive) -> Result<Vec<Vec3>, GpuError> {
    if let Some(normals) = &primitive.normals {
        return Ok(normals.to_vec());
    }
    let positions = &primitive.positions;
    let up = vec![Vec3::Y; positions.len()];
    let mut normals = up.clone();
    let weld = Weld::by_position(positions);
    mesh_normals(&weld, primitive.triangles(), positions, &up, &mut normals)?;
    Ok(normals)
}

struct Packer {
    data: Vec<[u32; 4]>,
    pairs: Pairs,
}

impl Packer {
    fn end(&self) -> u32 {
        self.data.len() as u32
    }

    fn both(&self, pair: usize) -> [usize; 2] {
        [2 * pair, 2 * pair + 1].map(|slot| self.pairs.mesh_from_slot[slot] as usize)
    }

    /// Adds three planes: the two vertices of each pair, in the layout of the output.
    fn add_vertices(&mut self, positions: &[Vec3], normals: &[Vec3]) -> u32 {
        let first = self.end();
        for plane in 0..3 {
            for pair in 0..self.pairs.len() {
                let [a, b] = self.both(pair).map(|v| (positions[v], normals[v]));
                let vector = match plane {
                    0 => [a.0.x, a.0.y, a.0.z, a.1.x],
                    1 => [a.1.y, a.1.z, b.0.x, b.0.y],
                    _ => [b.0.z, b.1.x, b.1.y, b.1.z],
                };
                self.data.push(vector.map(f32::to_bits));
            }
        }
        first
    }

    /// Adds two planes with three weights and two joints per vector. Then, per block, adds the
    /// number of joints per pair and the offset of the joints after the fourth.
    fn add_influences(&mut self, records: u32, influences: &Influences) -> u32 {
        debug_assert_eq!(self.end(), records + 3 * self.pairs.len() as u32);
        for half in 0..2 {
            for pair in 0..self.pairs.len() {
                let [x, y, z] = [1, 2, 3].map(|k| self.weight(2 * pair + half, k, influences));
                let joints = self.packed_joints(pair, 2 * half);
                self.data.push([x, y, z, joints]);
            }
        }
        let blocks = self.end();
        let count = self.pairs.len().div_ceil(BLOCK as usize);
        self.data.extend(vec![[0; 4]; count]);
        for block in 0..count {
            let first = block * BLOCK as usize;
            let pairs = first..(first + BLOCK as usize).min(self.pairs.len());
            let widths = pairs.clone().map(|pair| self.pairs.joints[pair].len());
            let width = widths.max().unwrap_or(1).max(1);
            let more = self.end();
            for start in (NARROW..width).step_by(NARROW) {
                self.add_more(pairs.clone(), start, influences);
            }
            self.data[blocks as usize + block] = [width as u32, more, 0, 0];
        }
        blocks
    }

    fn add_more(&mut self, pairs: std::ops::Range<usize>, start: usize, influences: &Influences) {
        for plane in 0..3 {
            for lane in 0..BLOCK as usize {
                let pair = (pairs.start + lane).min(pairs.end - 1);
                let vector = match plane {
                    0 => {
                        let low = self.packed_joints(pair, start);
                        [low, self.packed_joints(pair, start + 2), 0, 0]
                    }
                    _ => {
                        let slot = 2 * pair + plane - 1;
                        [0, 1, 2, 3].map(|k| self.weight(slot, start + k, influences))
                    }
                };
                self.data.push(vector);
            }
        }
    }

    /// Two joints of a pair in one number. Missing joints repeat the first joint of the pair, so
    /// that a joint with invalid numbers affects only its own vertices.
    fn packed_joints(&self, pair: usize, start: usize) -> u32 {
        let joints = &self.pairs.joints[pair];
        let joint = |k: usize| joints.get(k).or(joints.first()).copied().unwrap_or(0);
        u32::from(joint(start)) | u32::from(joint(start + 1)) << 16
    }

    /// Weight of a joint of a pair on one vertex, as bits. 0 after the last joint.
    fn weight(&self, slot: usize, joint: usize, influences: &Influences) -> u32 {
        let Some(joint) = self.pairs.joints[slot / 2].get(joint) else {
            return 0;
        };
        let vertex = self.pairs.mesh_from_slot[slot] as usize;
        let (joints, weights) = influences.slices(vertex);
        let weight = joints.binary_search(joint).map_or(0.0, |at| weights[at]);
        weight.to_bits()
    }

    /// Adds the indices of the first four joints of each pair within its workgroup, then the joints
    /// of every workgroup. `NONE` if a workgroup has too many joints.
    fn add_locals(&mut self) -> u32 {
        let groups = self.pairs.joints.chunks(Group::STAGED.pairs as usize);
        let Some(groups) = groups.map(locals::of_group).collect::<Option<Vec<_>>>() else {
            return NONE;
        };
        let first = self.end();
        let mut indices = groups.iter().flat_map(|group| &group.indices);
        for _ in 0..self.pairs.len() / 4 {
            let four = [0; 4].map(|_: u32| indices.next().map_or(0, |&p| u32::from_le_bytes(p)));
            self.data.push(four);
        }
        for group in &groups {
            self.data.push([group.joints.len() as u32, 0, 0, 0]);
            let joint = |at: usize| group.joints.get(at).map_or(0, |&j| u32::from(j));
            let fours = (0..LOCAL).step_by(4);
            self.data
                .extend(fours.map(|at| [at, at + 1, at + 2, at + 3].map(joint)));
        }
        first
    }

    fn add_tangents(&mut self, tangents: &[Vec4]) -> u32 {
        let first = self.end();
        let order = &self.pairs.mesh_from_slot;
        let tangent = |&v: &u32| tangents[v as usize].to_array().map(f32::to_bits);
        self.data.extend(order.iter().map(tangent));
        first
    }

    fn add_morphs(&mut self, shares: &[Vec<Share>], stride: u32) -> u32 {
        let first = self.end();
        self.data.extend(vec![[0; 4]; self.pairs.len()]);
        for pair in 0..self.pairs.len() {
            let [a, b] = self.both(pair).map(|vertex| {
                let start = self.end();
                for share in &shares[vertex] {
                    let vector = |v: Vec3, w: u32| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), w];
                    self.data.push(vector(share.position, share.target));
                    self.data.push(vector(share.normal, 0));
                    if stride == 3 {
                        self.data.push(vector(share.tangent, 0));
                    }
                }
                [start, shares[vertex].len() as u32]
            });
            self.data[first as usize + pair] = [a[0], a[1], b[0], b[1]];
        }
        first
    }
}
