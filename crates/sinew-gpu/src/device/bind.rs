//! Bind groups. The binding number of an entry is its index.

use super::gpu::Gpu;
use wgpu::{BindGroup, BindGroupLayout, BindingResource, BindingType, ShaderStages};

pub(crate) const UNIFORM: BindingType = BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};

pub(crate) const STORAGE: BindingType = BindingType::Buffer {
    ty: wgpu::BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

pub(crate) const TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

pub(crate) const CUBE_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::Cube,
    multisampled: false,
};

pub(crate) const DEPTH_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Depth,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// Texture that shaders load by texel. OpenGL needs this type to load from a depth texture.
pub(crate) const LOADED_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: false },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

pub(crate) const SAMPLER: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

pub(crate) const COMPARISON: BindingType =
    BindingType::Sampler(wgpu::SamplerBindingType::Comparison);

pub(crate) fn layout(gpu: &Gpu, label: &str, kinds: &[BindingType]) -> BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(kinds)
        .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    let descriptor = wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    };
    gpu.device.create_bind_group_layout(&descriptor)
}

pub(crate) fn group(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    bound: &[BindingResource<'_>],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(bound)
        .map(|(binding, resource)| wgpu::BindGroupEntry {
            binding,
            resource: resource.clone(),
        })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}
