//! Instances to skin, their palettes, and the output buffers.

use super::arrange::{Arrangement, PaletteSlot, SkinInstance};
use super::dispatch::{Dispatch, Palettes};
use super::layout::{DualJoint, InstanceRecord, LinearJoint, NONE, Task};
use super::skinner::{Pipelines, Skinner};
use super::vertex::{SkinnedTangent, SkinnedVertex};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use sinew::skin::{PaletteRef, SkinError};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages};

const PAIR: u64 = 2 * size_of::<SkinnedVertex>() as u64;
const TANGENT_PAIR: u64 = 2 * size_of::<SkinnedTangent>() as u64;

/// Optional outputs of a batch, in addition to positions and normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SkinOptions {
    /// True to also skin the tangents of meshes that have them. Default false.
    pub tangents: bool,
    /// True to keep the vertices of the previous frame, which takes the memory of a second buffer.
    /// Default false.
    pub previous: bool,
}

impl SkinOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            tangents: false,
            previous: false,
        }
    }

    /// Sets [`SkinOptions::tangents`].
    #[must_use]
    pub const fn tangents(mut self, tangents: bool) -> Self {
        self.tangents = tangents;
        self
    }

    /// Sets [`SkinOptions::previous`].
    #[must_use]
    pub const fn previous(mut self, previous: bool) -> Self {
        self.previous = previous;
        self
    }
}

/// Instances that are skinned together. The [module](super) has an example.
#[derive(Debug)]
pub struct SkinBatch {
    instances: Vec<SkinInstance>,
    arranged: Arrangement,
    palettes: Vec<PaletteState>,
    morph_weights: Vec<Vec<f32>>,
    morph_targets: Vec<usize>,
    linear: Palettes<LinearJoint>,
    dual: Palettes<DualJoint>,
    dispatches: Vec<Dispatch>,
    dispatched: u64,
    extras: Vec<[f32; 4]>,
    extras_buffer: Buffer,
    records_buffer: Buffer,
    records_changed: bool,
    /// Vertices of the current frame and, if kept, of the previous frame.
    vertices: Vec<Buffer>,
    current: usize,
    is_first: bool,
    tangents: Option<Buffer>,
    nothing: Buffer,
    pipelines: Pipelines,
    data: Buffer,
    table: Buffer,
}

#[derive(Debug)]
struct PaletteState {
    slot: PaletteSlot,
    first_joint: usize,
    /// Five vectors per joint if joints stretch or differ in scale. Otherwise empty.
    stretches: Vec<[f32; 4]>,
    /// Common scale of all joints, if there are no stretches.
    scale: f32,
    stretch: u32,
}

impl SkinBatch {
    /// Allocates instances of the meshes of a skinner, in the bind pose.
    pub fn new(
        gpu: &Gpu,
        skinner: &Skinner,
        palettes: &[PaletteSlot],
        instances: &[SkinInstance],
        options: SkinOptions,
    ) -> Result<Self, GpuError> {
        let arranged = Arrangement::new(&skinner.meshes, palettes, instances)?;
        let pairs: u64 = arranged.pairs.iter().map(|&p| u64::from(p)).sum();
        let usage = BufferUsages::STORAGE
            | BufferUsages::VERTEX
            | BufferUsages::COPY_SRC
            | BufferUsages::COPY_DST;
        let mut vertices = vec![gpu.buffer("skinned vertices", usage, pairs * PAIR)?];
        if options.previous {
            vertices.push(gpu.buffer("skinned vertices", usage, pairs * PAIR)?);
        }
        let tangents = if options.tangents {
            Some(gpu.buffer("skinned tangents", usage, pairs * TANGENT_PAIR)?)
        } else {
            None
        };
        let mut dispatches = Vec::new();
        for (kind, runs) in &arranged.runs {
            dispatches.extend(Dispatch::new(gpu, *kind, runs)?);
        }
        let state = |(&slot, &first_joint)| PaletteState {
            slot,
            first_joint,
            stretches: Vec::new(),
            scale: 1.0,
            stretch: NONE,
        };
        let storage = BufferUsages::STORAGE;
        let writable = storage | BufferUsages::COPY_DST;
        let bytes = (size_of::<InstanceRecord>() * instances.len()) as u64;
        let targets = |i: &SkinInstance| skinner.meshes[i.mesh].morph_targets;
        let mut batch = Self {
            instances: instances.to_vec(),
            palettes: palettes
                .iter()
                .zip(&arranged.first_joints)
                .map(state)
                .collect(),
            morph_weights: vec![Vec::new(); instances.len()],
            morph_targets: instances.iter().map(targets).collect(),
            linear: Palettes::new(gpu, IDENTITY_ROWS, arranged.joints[0])?,
            dual: Palettes::new(gpu, IDENTITY_MOTION, arranged.joints[1])?,
            dispatches,
            dispatched: 0,
            extras: Vec::new(),
            extras_buffer: gpu.buffer("stretches and morph weights", writable, 16)?,
            records_buffer: gpu.buffer("instance table", writable, bytes)?,
            records_changed: true,
            vertices,
            current: 0,
            is_first: true,
            tangents,
            nothing: gpu.buffer("nothing", storage, 16)?,
            pipelines: skinner.pipelines.clone(),
            arranged,
            data: skinner.data.clone(),
            table: skinner.table.clone(),
        };
        batch.bind(gpu);
        gpu.check()?;
        Ok(batch)
    }

    /// Sets the joints of a palette. They must have the method and the length of the slot.
    pub fn set_palette(&mut self, palette: usize, joints: PaletteRef<'_>) -> Result<(), GpuError> {
        let len = self.palettes.len();
        let what = "palette";
        let index = palette;
        let no_such = GpuError::NoSuch { what, index, len };
        let state = self.palettes.get_mut(palette).ok_or(no_such)?;
        let (first, len) = (state.first_joint, state.slot.joints);
        let found = match joints {
            PaletteRef::Linear(joints) => joints.len(),
            PaletteRef::DualQuat(palette) => palette.len(),
        };
        if found != len {
            let why = "its number of joints differs";
            return Err(GpuError::Palette { why });
        }
        match (joints, state.slot.is_dual()) {
            (PaletteRef::Linear(joints), false) => {
                let rows = joints.iter().map(|joint| joint.rows);
                self.linear.set(first, rows);
            }
            (PaletteRef::DualQuat(palette), true) => {
                if !palette.signs_are_fixed() {
                    return Err(GpuError::Skin(SkinError::SignsNotFixed));
                }
                let scale = palette.common_scale();
                let before = (state.scale, !state.stretches.is_empty());
                state.stretches.clear();
                state.scale = scale.unwrap_or(1.0);
                match scale {
                    Some(_) => self.dual.set(first, palette.motions().iter().map(motion)),
                    None => {
                        let rows = palette.rows();
                        self.dual.set(first, rows.iter().map(motion));
                        state.stretches.extend(rows.iter().flat_map(stretch));
                    }
                }
                self.records_changed |= scale.is_none() || before != (state.scale, false);
            }
            _ => {
                let why = "its skinning method differs";
                return Err(GpuError::Palette { why });
            }
        }
        Ok(())
    }

    /// Sets the morph weights of an instance. Missing weights are 0, surplus weights are ignored.
    ///
    /// # Errors
    /// If the index is out of range or a weight is not finite. The weights then stay as they are.
    pub fn set_morph_weights(&mut self, instance: usize, weights: &[f32]) -> Result<(), GpuError> {
        let len = self.morph_weights.len();
        let what = "instance";
        let index = instance;
        let no_such = GpuError::NoSuch { what, index, len };
        let own = self.morph_weights.get_mut(instance).ok_or(no_such)?;
        if let Some(target) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(GpuError::MorphWeight { target });
        }
        self.records_changed |= **own != *weights;
        own.clear();
        own.extend_from_slice(weights);
        Ok(())
    }

    /// Encodes the skinning. Call it once per submission, because the submission uploads the
    /// palettes set so far. `timing` comes from
    /// [`Timer::compute`](crate::device::timer::Timer::compute).
    pub fn encode(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        timing: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> Result<(), GpuError> {
        if self.records_changed {
            self.update_records(gpu)?;
            self.records_changed = false;
        }
        self.linear.upload(gpu);
        self.dual.upload(gpu);
        let stretches = |p: &PaletteState| !p.stretches.is_empty() || p.scale != 1.0;
        let stretches = self.palettes.iter().any(stretches);
        if !self.is_first {
            self.current = self.vertices.len() - 1 - self.current;
        }
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("skin"),
                timestamp_writes: timing,
            });
            for dispatch in &self.dispatches {
                let task = Task {
                    is_dual: dispatch.kind.is_dual,
                    tangents: self.tangents.is_some(),
                    stretches: dispatch.kind.is_dual && stretches,
                    is_rare: dispatch.kind.is_rare,
                    is_staged: dispatch.kind.is_staged,
                };
                pass.set_pipeline(self.pipelines.get(gpu, task));
                pass.set_bind_group(0, &dispatch.bind_groups[self.current], &[]);
                pass.dispatch_workgroups(dispatch.groups.0, dispatch.groups.1, 1);
                self.dispatched += 1;
            }
        }
        if let (true, [now, before]) = (self.is_first, &*self.vertices) {
            encoder.copy_buffer_to_buffer(now, 0, before, 0, now.size());
        }
        self.is_first = false;
        Ok(())
    }

    /// Buffer of skinned vertices: consecutive [`SkinnedVertex`], instance by instance.
    pub fn vertices(&self) -> &Buffer {
        &self.vertices[self.current]
    }

    /// Buffer of the vertices of the previous frame. In the first frame, they equal the current
    /// ones.
    pub fn previous_vertices(&self) -> Option<&Buffer> {
        match &*self.vertices {
            [_] => None,
            both => both.get(1 - self.current),
        }
    }

    /// Buffer of skinned tangents: [`SkinnedTangent`]s, zeros for a mesh without tangents.
    pub fn tangents(&self) -> Option<&Buffer> {
        self.tangents.as_ref()
    }

    /// Byte range of the vertices of an instance, empty if the index is out of range.
    pub fn vertex_bytes(&self, instance: usize) -> Range<u64> {
        self.bytes(instance, PAIR)
    }

    /// Byte range of the tangents of an instance, empty if the index is out of range.
    pub fn tangent_bytes(&self, instance: usize) -> Range<u64> {
        self.bytes(instance, TANGENT_PAIR)
    }

    fn bytes(&self, instance: usize, pair: u64) -> Range<u64> {
        let Some(&pairs) = self.arranged.pairs.get(instance) else {
            return 0..0;
        };
        let first = u64::from(self.arranged.record(instance).first_pair);
        first * pair..(first + u64::from(pairs)) * pair
    }

    /// Mesh and palette of each instance.
    pub fn instances(&self) -> &[SkinInstance] {
        &self.instances
    }

    /// Number of bytes of skinned vertices written per frame.
    pub fn written_bytes(&self) -> u64 {
        let pairs = self.arranged.pairs.iter();
        pairs.map(|&p| u64::from(p) * PAIR).sum()
    }

    /// Number of dispatches encoded so far. Each frame adds one per kind of mesh.
    pub fn dispatched(&self) -> u64 {
        self.dispatched
    }

    fn update_records(&mut self, gpu: &Gpu) -> Result<(), GpuError> {
        self.extras.clear();
        for state in &mut self.palettes {
            state.stretch = NONE;
            if !state.stretches.is_empty() {
                state.stretch = self.extras.len() as u32;
                self.extras.extend_from_slice(&state.stretches);
            }
        }
        for (i, instance) in self.instances.iter().enumerate() {
            let record = self.arranged.record_mut(i);
            record.stretch = self.palettes[instance.palette].stretch;
            record.scale = self.palettes[instance.palette].scale;
            record.morph_weights = NONE;
            let weights = &self.morph_weights[i];
            if weights.iter().any(|&w| w != 0.0) {
                record.morph_weights = self.extras.len() as u32;
                let weight = |k: usize| weights.get(k).copied().unwrap_or(0.0);
                for first in (0..self.morph_targets[i]).step_by(4) {
                    let four = [0, 1, 2, 3].map(|k| weight(first + k));
                    self.extras.push(four);
                }
            }
        }
        let bytes = size_of_val(&*self.extras) as u64;
        if bytes > self.extras_buffer.size() {
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
            let size = bytes.next_power_of_two();
            self.extras_buffer = gpu.buffer("stretches and morph weights", usage, size)?;
            self.bind(gpu);
        }
        let extras = bytemuck::cast_slice(&self.extras);
        gpu.queue.write_buffer(&self.extras_buffer, 0, extras);
        let records = bytemuck::cast_slice(&self.arranged.records);
        gpu.queue.write_buffer(&self.records_buffer, 0, records);
        Ok(())
    }

    fn bind(&mut self, gpu: &Gpu) {
        let tangents = self.tangents.as_ref().unwrap_or(&self.nothing);
        for dispatch in &mut self.dispatches {
            let palettes = if dispatch.kind.is_dual {
                &self.dual.buffer
            } else {
                &self.linear.buffer
            };
            let group = |vertices: &Buffer| {
                let buffers = [
                    &self.data,
                    &self.table,
                    &dispatch.work,
                    &self.records_buffer,
                    palettes,
                    &self.extras_buffer,
                    vertices,
                    tangents,
                ];
                let entry = |binding: usize| wgpu::BindGroupEntry {
                    binding: binding as u32,
                    resource: buffers[binding].as_entire_binding(),
                };
                let entries: [_; 8] = std::array::from_fn(entry);
                gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("skin"),
                    layout: &self.pipelines.layout,
                    entries: &entries,
                })
            };
            dispatch.bind_groups = self.vertices.iter().map(group).collect();
        }
    }
}

fn motion<const N: usize>(joint: &[f32; N]) -> DualJoint {
    let quad = |first: usize| [0, 1, 2, 3].map(|i| joint[first + i]);
    [quad(0), quad(4)]
}

/// Other numbers of [`DualQuatPalette::rows`](sinew::skin::DualQuatPalette::rows), with S by rows.
fn stretch(joint: &[f32; 25]) -> [[f32; 4]; 5] {
    let [
        ..,
        xx,
        xy,
        xz,
        yy,
        yz,
        zz,
        x,
        y,
        z,
        cx,
        cy,
        cz,
        scale,
        l0,
        l1,
        l2,
        l3,
    ] = *joint;
    [
        [xx, xy, xz, x],
        [xy, yy, yz, y],
        [xz, yz, zz, z],
        [cx, cy, cz, scale],
        [l0, l1, l2, l3],
    ]
}

const IDENTITY_ROWS: LinearJoint = sinew::Affine::IDENTITY.rows;
const IDENTITY_MOTION: DualJoint = [[0.0, 0.0, 0.0, 1.0], [0.0; 4]];
