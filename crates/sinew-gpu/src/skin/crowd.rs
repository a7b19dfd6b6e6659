//! Crowd of one rig that is skinned together: one instance per part and member.

use super::arrange::{PaletteSlot, SkinInstance};
use super::batch::{SkinBatch, SkinOptions};
use super::layout::InstanceRecord;
use super::mesh::SkinMesh;
use super::skinner::Skinner;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use sinew::rig::{Actor, CrowdPlayer, Part};
use sinew::skin::Order;
use sinew::{Method, Primitive, Rig};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

/// Crowd of one rig on the GPU. Set the poses that changed, encode, and draw from one buffer.
///
/// ```
/// use sinew::{Method, Rig};
/// use sinew_gpu::{Gpu, GpuCrowd, GpuError, SkinOptions};
///
/// # let gpu = match Gpu::new() {
/// #     Err(GpuError::NoAdapter) => return Ok(()),
/// #     other => other?,
/// # };
/// // let gpu = Gpu::from_parts(adapter, device, queue)?; with the device that an engine has
/// let rig = Rig::new(&sinew_samples::mannequin::Mannequin::default().build(), Method::DualQuat)?;
/// let mut crowd = GpuCrowd::new(&gpu, &rig, 10, SkinOptions::default())?;
/// let (mut hero, mut player) = (rig.actor(), rig.player("walk")?);
///
/// player.advance(1.0 / 60.0, |_| {});
/// hero.sample(&player)?;
/// crowd.set(0, &mut hero)?;
/// let mut encoder = gpu.encoder();
/// crowd.encode(&gpu, &mut encoder)?;
/// gpu.submit(encoder);
/// // pass.set_vertex_buffer(0, crowd.vertices().slice(crowd.vertex_bytes(0, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GpuCrowd {
    rig: Rig,
    batch: SkinBatch,
    /// For each palette of a member, the first part that uses it.
    palettes: Vec<usize>,
    parts: Vec<CrowdPart>,
    weights: Vec<f32>,
    actors: usize,
}

#[derive(Debug)]
pub(crate) struct CrowdPart {
    indices: Vec<u32>,
    /// Mesh vertex of every slot of the skinned buffer. The next field is the inverse.
    pub mesh_from_slot: Vec<u32>,
    pub slot_from_mesh: Vec<u32>,
}

impl GpuCrowd {
    /// Allocates `actors` members, which stay in the bind pose until they are set.
    ///
    /// # Errors
    /// [`GpuError`] if the GPU is out of memory.
    pub fn new(
        gpu: &Gpu,
        rig: &Rig,
        actors: usize,
        options: SkinOptions,
    ) -> Result<Self, GpuError> {
        let method = rig.method();
        let (mut meshes, mut parts) = (Vec::new(), Vec::new());
        let (mut palettes, mut slots, mut palette_of) = (Vec::new(), Vec::new(), Vec::new());
        for (index, part) in rig.parts().iter().enumerate() {
            let (mesh, slot) = match part.skin() {
                Some(skin) => {
                    let joints = rig.skins()[skin].joints.len();
                    let mesh = SkinMesh::new(part.surface(), method, Order::Plan)?;
                    (mesh, PaletteSlot { method, joints })
                }
                None => (
                    SkinMesh::new(&still(part), Method::Linear, Order::Plan)?,
                    NODE,
                ),
            };
            let same =
                |&first: &usize| part.skin().is_some() && rig.parts()[first].skin() == part.skin();
            let shared = palettes.iter().position(same);
            palette_of.push(shared.unwrap_or(palettes.len()));
            if shared.is_none() {
                palettes.push(index);
                slots.push(slot);
            }
            parts.push(CrowdPart {
                indices: mesh.remap_indices(&corners(part)),
                mesh_from_slot: mesh.mesh_from_slot().to_vec(),
                slot_from_mesh: mesh.slot_from_mesh().to_vec(),
            });
            meshes.push(mesh);
        }
        let records = (actors as u64).saturating_mul(meshes.len().max(1) as u64);
        let bytes = records.saturating_mul(size_of::<InstanceRecord>() as u64);
        gpu.check_size("instance table", BufferUsages::STORAGE, bytes)?;
        let skinner = Skinner::new(gpu, &meshes)?;
        let per_actor = slots.len();
        let instances: Vec<_> = (0..actors)
            .flat_map(|actor| {
                let instance = move |(mesh, palette): (usize, &usize)| SkinInstance {
                    mesh,
                    palette: actor * per_actor + palette,
                };
                palette_of.iter().enumerate().map(instance)
            })
            .collect();
        let batch = SkinBatch::new(gpu, &skinner, &slots.repeat(actors), &instances, options)?;
        Ok(Self {
            rig: rig.clone(),
            batch,
            palettes,
            parts,
            weights: Vec::new(),
            actors,
        })
    }

    /// Sets the pose and morph weights of a member.
    ///
    /// # Errors
    /// If the index is out of range, or the actor belongs to another rig.
    pub fn set(&mut self, member: usize, actor: &mut Actor) -> Result<(), GpuError> {
        self.check(member)?;
        if !actor.rig().is_same(&self.rig) {
            return Err(GpuError::OtherRig);
        }
        let first = member * self.palettes.len();
        for (palette, &part) in self.palettes.iter().enumerate() {
            let joints = actor.palette(part)?;
            self.batch.set_palette(first + palette, joints)?;
        }
        let parts = self.rig.parts().len();
        for part in 0..parts {
            let weights = actor.morph_weights(part);
            if !weights.is_empty() {
                self.batch
                    .set_morph_weights(member * parts + part, weights)?;
            }
        }
        Ok(())
    }

    /// Sets all members from a crowd of the same rig. Ignores surplus members of the larger crowd.
    ///
    /// # Errors
    /// If the crowd belongs to another rig.
    pub fn set_all(&mut self, crowd: &mut CrowdPlayer) -> Result<(), GpuError> {
        if !crowd.rig().is_same(&self.rig) {
            return Err(GpuError::OtherRig);
        }
        let parts = self.rig.parts().len();
        for member in 0..self.actors.min(crowd.len()) {
            let first = member * self.palettes.len();
            for (palette, &part) in self.palettes.iter().enumerate() {
                if let Some(joints) = crowd.palette(member, part) {
                    self.batch.set_palette(first + palette, joints)?;
                }
            }
            for (part, primitive) in self.rig.parts().iter().enumerate() {
                let targets = primitive.surface().morphs.len();
                if targets > 0 {
                    self.weights.resize(targets, 0.0);
                    crowd.morph_weights(member, part, &mut self.weights);
                    let instance = member * parts + part;
                    self.batch.set_morph_weights(instance, &self.weights)?;
                }
            }
        }
        Ok(())
    }

    /// Encodes the skinning. Call it once per submission, which uploads the poses set so far.
    ///
    /// # Errors
    /// If the GPU is out of memory.
    pub fn encode(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), GpuError> {
        self.encode_timed(gpu, encoder, None)
    }

    pub(crate) fn encode_timed(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        timing: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> Result<(), GpuError> {
        self.batch.encode(gpu, encoder, timing)
    }

    /// Rig of all members.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    pub(crate) fn parts(&self) -> &[CrowdPart] {
        &self.parts
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.actors
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.actors == 0
    }

    /// Triangle indices of a part, the same for all members. Empty if out of range.
    pub fn indices(&self, part: usize) -> &[u32] {
        self.parts.get(part).map_or(&[], |part| &part.indices)
    }

    /// Buffer of all vertices, as [`SkinnedVertex`](super::vertex::SkinnedVertex).
    pub fn vertices(&self) -> &Buffer {
        self.batch.vertices()
    }

    /// Byte range of the vertices of a part of a member, empty if an index is out of range.
    pub fn vertex_bytes(&self, member: usize, part: usize) -> Range<u64> {
        let parts = self.rig.parts().len();
        if member < self.actors && part < parts {
            self.batch.vertex_bytes(member * parts + part)
        } else {
            0..0
        }
    }

    /// Batch of all members, which has the tangents and the vertices of the previous frame.
    pub fn batch(&self) -> &SkinBatch {
        &self.batch
    }

    fn check(&self, member: usize) -> Result<(), GpuError> {
        let (what, index, len) = ("member of the crowd", member, self.actors);
        if member < len {
            Ok(())
        } else {
            Err(GpuError::NoSuch { what, index, len })
        }
    }
}

const NODE: PaletteSlot = PaletteSlot {
    method: Method::Linear,
    joints: 1,
};

fn still(part: &Part) -> Primitive {
    Primitive {
        influences: None,
        ..part.surface().clone()
    }
}

fn corners(part: &Part) -> Vec<u32> {
    let corners = part.surface().triangles().flatten();
    corners.map(|vertex| vertex as u32).collect()
}
