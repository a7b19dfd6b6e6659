//! GPU side of a batch: palettes and dispatches.

use super::arrange::Kind;
use super::layout::Group;
use super::work::{self, Run};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use bytemuck::Pod;
use wgpu::{BindGroup, Buffer, BufferUsages};

#[derive(Debug)]
pub(crate) struct Palettes<Joint> {
    joints: Vec<Joint>,
    changed: bool,
    pub buffer: Buffer,
}

impl<Joint: Pod> Palettes<Joint> {
    pub fn new(gpu: &Gpu, identity: Joint, joints: usize) -> Result<Self, GpuError> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let bytes = (joints as u64).saturating_mul(size_of::<Joint>() as u64);
        let buffer = gpu.buffer("palettes", usage, bytes)?;
        Ok(Self {
            joints: vec![identity; joints],
            changed: true,
            buffer,
        })
    }

    pub fn set(&mut self, first: usize, joints: impl Iterator<Item = Joint>) {
        for (own, joint) in self.joints[first..].iter_mut().zip(joints) {
            *own = joint;
        }
        self.changed = true;
    }

    /// Uploads changes with the next submission.
    pub fn upload(&mut self, gpu: &Gpu) {
        if self.changed && !self.joints.is_empty() {
            let bytes = bytemuck::cast_slice(&self.joints);
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        self.changed = false;
    }
}

#[derive(Debug)]
pub(crate) struct Dispatch {
    pub kind: Kind,
    pub work: Buffer,
    pub groups: (u32, u32),
    /// Bind groups, one per buffer of vertices.
    pub bind_groups: Vec<BindGroup>,
}

impl Dispatch {
    /// Dispatch for the instances of one kind, or `None` without instances.
    pub fn new(gpu: &Gpu, kind: Kind, runs: &[Run]) -> Result<Option<Self>, GpuError> {
        let enough = if gpu.is_software() {
            work::ENOUGH_ON_CPU
        } else {
            work::ENOUGH_GROUPS
        };
        let group = if kind.is_staged {
            Group::STAGED
        } else {
            Group::UNSTAGED
        };
        let mut work = work::list(runs, group, enough);
        let groups = work::fill_grid(&mut work);
        if work.is_empty() {
            return Ok(None);
        }
        let bytes = bytemuck::cast_slice(&work);
        Ok(Some(Self {
            kind,
            work: gpu.buffer_with("work list", BufferUsages::STORAGE, bytes)?,
            groups,
            bind_groups: Vec::new(),
        }))
    }
}
