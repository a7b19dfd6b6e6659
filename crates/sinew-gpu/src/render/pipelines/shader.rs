//! Shader modules and pipeline layouts.

use crate::device::gpu::Gpu;
use wgpu::{BindGroupLayout, PipelineLayout, ShaderModule};

/// The source of the vertices of surfaces, with the frame and their material.
pub(super) const VERTEX: &str = concat!(
    include_str!("../../../shaders/frame.wgsl"),
    include_str!("../../../shaders/surface_vertex.wgsl"),
    include_str!("../../../shaders/material.wgsl"),
);

/// The source of a lit surface's shader, up to its entry points for fragments.
const SHADING: &str = concat!(
    include_str!("../../../shaders/surface.wgsl"),
    include_str!("../../../shaders/environment.wgsl"),
    include_str!("../../../shaders/glass.wgsl"),
    include_str!("../../../shaders/phong.wgsl"),
    include_str!("../../../shaders/shadow_test.wgsl"),
    include_str!("../../../shaders/physical.wgsl"),
    include_str!("../../../shaders/shade.wgsl"),
);

/// A shader for surfaces in the light, with its entry points for fragments.
pub(in crate::render) fn lit_shader(gpu: &Gpu, label: &str, fragment: &str) -> ShaderModule {
    shader(gpu, label, &[VERTEX, SHADING, fragment])
}

/// A shader of parts that follow each other.
pub(in crate::render) fn shader(gpu: &Gpu, label: &str, parts: &[&str]) -> ShaderModule {
    gpu.device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(parts.concat().into()),
        })
}

pub(in crate::render) fn pipeline_layout(
    gpu: &Gpu,
    groups: &[Option<&BindGroupLayout>],
) -> PipelineLayout {
    gpu.device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: groups,
            immediate_size: 0,
        })
}
