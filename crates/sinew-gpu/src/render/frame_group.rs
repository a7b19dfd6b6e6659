//! What every lit pass binds as group 0: the frame, its shadow map and its environment.

use super::environment::Environment;
use super::shadow::ShadowMap;
use crate::device::bind;
use crate::device::gpu::Gpu;
use wgpu::{BindGroup, BindGroupLayout, Buffer};

pub(super) fn layout(gpu: &Gpu) -> BindGroupLayout {
    let kinds = [
        bind::UNIFORM,
        bind::DEPTH_TEXTURE,
        bind::COMPARISON,
        bind::CUBE_TEXTURE,
        bind::SAMPLER,
    ];
    bind::layout(gpu, "frame", &kinds)
}

pub(super) fn group(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    frame: &Buffer,
    shadow: &ShadowMap,
    environment: &Environment,
) -> BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let bound = [
        frame.as_entire_binding(),
        TextureView(&shadow.view),
        Sampler(&shadow.sampler),
        TextureView(&environment.view),
        Sampler(&environment.sampler),
    ];
    bind::group(gpu, layout, &bound)
}
