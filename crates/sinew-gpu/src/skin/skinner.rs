//! The meshes that can be skinned, on the GPU, and the shaders that do it.

use super::layout::{MeshRecord, NONE, Task};
use super::mesh::SkinMesh;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use std::sync::{Arc, OnceLock};
use wgpu::{
    BindGroupLayout, Buffer, BufferBindingType, BufferUsages, ComputePipeline, ShaderStages,
};

/// The packed meshes in one buffer, and a pipeline for each method.
#[derive(Debug)]
pub struct Skinner {
    pub(crate) data: Buffer,
    pub(crate) table: Buffer,
    pub(crate) meshes: Vec<MeshShape>,
    pub(crate) pipelines: Pipelines,
}

/// What a batch must know of a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshShape {
    pub pairs: u32,
    pub max_joint: usize,
    pub morph_targets: usize,
    /// Whether it has morph targets or pairs of more than four joints.
    pub is_rare: bool,
    /// Whether its joints go by way of workgroup memory.
    pub is_staged: bool,
}

impl Skinner {
    /// Brings meshes to the GPU; instances name them by their place here.
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

    /// Other meshes in place of those that it has; batches that were made before keep theirs.
    pub fn set_meshes(&mut self, gpu: &Gpu, meshes: &[SkinMesh]) -> Result<(), GpuError> {
        let vectors: usize = meshes.iter().map(|m| m.data.len()).sum();
        let bytes = 16 * vectors as u64;
        // Before anything is copied.
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
    /// Until other meshes are set, batches read joints straight from the palettes, as they do for
    /// meshes where a workgroup needs too many of them. Here to be measured and tested.
    pub fn without_staging(mut self) -> Self {
        for mesh in &mut self.meshes {
            mesh.is_staged = false;
        }
        self
    }
}

/// A pipeline for each task, made when it is first needed.
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
                    // Every place is written before it is read.
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            })
    }
}

/// Six buffers to read and two to write, as `skin.wgsl` lists them.
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
