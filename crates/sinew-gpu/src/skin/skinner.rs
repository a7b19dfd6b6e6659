//! Packed meshes on the GPU, and skinning shaders.

use super::layout::{MeshRecord, NONE, Task};
use super::mesh::SkinMesh;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use std::sync::{Arc, OnceLock};
use wgpu::{
    BindGroupLayout, Buffer, BufferBindingType, BufferUsages, ComputePipeline, ShaderStages,
};

/// Packed meshes in one buffer, and skinning pipelines.
#[doc(alias = "compute skinning")]
#[derive(Debug)]
pub struct Skinner {
    pub(crate) data: Buffer,
    pub(crate) table: Buffer,
    pub(crate) meshes: Vec<MeshShape>,
    pub(crate) pipelines: Pipelines,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshShape {
    pub pairs: u32,
    pub max_joint: usize,
    pub morph_targets: usize,
    /// True if the mesh has morph targets, or pairs with more than four joints.
    pub is_rare: bool,
    /// True if joints are copied to workgroup memory.
    pub is_staged: bool,
}

impl Skinner {
    /// Uploads meshes. Instances refer to them by index.
    pub fn new(gpu: &Gpu, meshes: &[SkinMesh]) -> Result<Self, GpuError> {
        let nothing = gpu.buffer("nothing", BufferUsages::STORAGE, 16)?;
        let mut skinner = Self {
            data: nothing.clone(),
            table: nothing,
            meshes: Vec::new(),
            pipelines: Pipelines::new(gpu),
        };
        skinner.set_meshes(gpu, meshes)?;
        Ok(skinner)
    }

    /// Replaces the meshes. Existing batches keep the old meshes.
    pub fn set_meshes(&mut self, gpu: &Gpu, meshes: &[SkinMesh]) -> Result<(), GpuError> {
        let vectors: usize = meshes.iter().map(|m| m.data.len()).sum();
        let bytes = 16 * vectors as u64;
        gpu.check_size("skinned meshes", BufferUsages::STORAGE, bytes)?;
        let mut data = Vec::with_capacity(vectors);
        let mut records: Vec<MeshRecord> = Vec::with_capacity(meshes.len());
        for mesh in meshes {
            records.push(mesh.record.at(data.len() as u32));
            data.extend_from_slice(&mesh.data);
        }
        let usage = BufferUsages::STORAGE;
        let shape = |mesh: &SkinMesh| MeshShape {
            pairs: mesh.record.pairs,
            max_joint: mesh.max_joint,
            morph_targets: mesh.morph_targets,
            is_rare: mesh.morph_targets > 0 || mesh.is_wide,
            is_staged: mesh.record.locals != NONE,
        };
        let table = gpu.buffer_with("mesh table", usage, bytemuck::cast_slice(&records))?;
        self.data = gpu.buffer_with("skinned meshes", usage, bytemuck::cast_slice(&data))?;
        self.table = table;
        self.meshes = meshes.iter().map(shape).collect();
        gpu.check()
    }
}

impl Skinner {
    /// Stops the use of workgroup memory for joints, for measurements and tests.
    pub fn without_staging(mut self) -> Self {
        for mesh in &mut self.meshes {
            mesh.is_staged = false;
        }
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Pipelines {
    pub layout: BindGroupLayout,
    made: Arc<[OnceLock<ComputePipeline>; Task::COUNT]>,
}

impl Pipelines {
    fn new(gpu: &Gpu) -> Self {
        Self {
            layout: layout(gpu),
            made: Default::default(),
        }
    }

    pub fn get(&self, gpu: &Gpu, task: Task) -> &ComputePipeline {
        self.made[task.index()].get_or_init(|| self.make(gpu, task))
    }

    fn make(&self, gpu: &Gpu, task: Task) -> ComputePipeline {
        let label = Some("skin");
        let module = gpu
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label,
                source: wgpu::ShaderSource::Wgsl(task.source().into()),
            });
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label,
                bind_group_layouts: &[Some(&self.layout)],
                ..Default::default()
            });
        gpu.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label,
                layout: Some(&layout),
                module: &module,
                entry_point: Some("skin"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    // Each element is written before it is read.
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            })
    }
}

fn layout(gpu: &Gpu) -> BindGroupLayout {
    let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: BufferBindingType::Storage {
                read_only: binding < 6,
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: [_; 8] = std::array::from_fn(|binding| entry(binding as u32));
    gpu.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("skin"),
            entries: &entries,
        })
}
