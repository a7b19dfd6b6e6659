//! Bind group 0 of lit passes: frame, shadow map, environment, occlusion, refraction or reflection.

use super::shadow_map::ShadowMap;
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::render::environment::Environment;
use wgpu::{BindGroup, BindGroupLayout, Buffer, TextureView};

pub(in crate::render) fn layout(gpu: &Gpu) -> BindGroupLayout {
    let shadow_map = if gpu.is_gl() {
        bind::LOADED_TEXTURE
    } else {
        bind::DEPTH_TEXTURE
    };
    let kinds = [
        bind::UNIFORM,
        shadow_map,
        bind::COMPARISON,
        bind::CUBE_TEXTURE,
        bind::SAMPLER,
        bind::TEXTURE,
        bind::TEXTURE,
    ];
    bind::layout(gpu, "frame", &kinds)
}

pub(super) fn group(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    frame: &Buffer,
    shadow: &ShadowMap,
    environment: &Environment,
    [behind, occlusion]: [&TextureView; 2],
) -> BindGroup {
    use wgpu::BindingResource as Bound;
    let bound = [
        frame.as_entire_binding(),
        Bound::TextureView(&shadow.view),
        Bound::Sampler(&shadow.sampler),
        Bound::TextureView(&environment.view),
        Bound::Sampler(&environment.sampler),
        Bound::TextureView(behind),
        Bound::TextureView(occlusion),
    ];
    bind::group(gpu, layout, &bound)
}
