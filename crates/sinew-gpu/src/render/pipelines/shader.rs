use crate::device::gpu::Gpu;
use wgpu::{BindGroupLayout, PipelineLayout, ShaderModule};

pub(super) const VERTEX: &str = concat!(
    include_str!("../../../shaders/frame.wgsl"),
    include_str!("../../../shaders/surface_vertex.wgsl"),
    include_str!("../../../shaders/material.wgsl"),
);

const SHADOW_MAP: &str = include_str!("../../../shaders/shadow_map.wgsl");
const SHADOW_MAP_GL: &str = include_str!("../../../shaders/shadow_map_gl.wgsl");

const SHADING: &str = concat!(
    include_str!("../../../shaders/surface.wgsl"),
    include_str!("../../../shaders/environment.wgsl"),
    include_str!("../../../shaders/glass.wgsl"),
    include_str!("../../../shaders/phong.wgsl"),
    include_str!("../../../shaders/shadow_test.wgsl"),
    include_str!("../../../shaders/physical.wgsl"),
    include_str!("../../../shaders/shade.wgsl"),
);

pub(in crate::render) fn lit_shader(gpu: &Gpu, label: &str, fragment: &str) -> ShaderModule {
    let shadow_map = if gpu.is_gl() {
        SHADOW_MAP_GL
    } else {
        SHADOW_MAP
    };
    shader(gpu, label, &[VERTEX, shadow_map, SHADING, fragment])
}

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
