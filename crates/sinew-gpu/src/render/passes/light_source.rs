//! Pipelines that read light from a texture and draw it into another.

use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::render::formats::HDR_FORMAT;
use crate::render::pipelines::screen::over_screen;
use crate::render::pipelines::shader::{pipeline_layout, shader};
use wgpu::{
    BindGroup, BindGroupLayout, BlendComponent, BlendFactor, BlendOperation, BlendState,
    PipelineLayout, RenderPipeline, Sampler, ShaderModule, TextureView,
};

#[derive(Debug)]
pub(in crate::render) struct LightSource {
    module: ShaderModule,
    layout: PipelineLayout,
    group_layout: BindGroupLayout,
    pub(super) sampler: Sampler,
}

impl LightSource {
    pub fn new(gpu: &Gpu) -> Self {
        let group_layout = bind::layout(gpu, "bloom", &[bind::TEXTURE, bind::SAMPLER]);
        Self {
            module: shader(
                gpu,
                "bloom",
                &[
                    include_str!("../../../shaders/screen.wgsl"),
                    include_str!("../../../shaders/bloom.wgsl"),
                ],
            ),
            layout: pipeline_layout(gpu, &[Some(&group_layout)]),
            group_layout,
            sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("bloom"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    pub(super) fn pipeline(
        &self,
        gpu: &Gpu,
        fragment: &str,
        is_first: bool,
        blend: Option<BlendState>,
    ) -> RenderPipeline {
        let constants = [("is_first", f64::from(u8::from(is_first)))];
        over_screen(
            gpu,
            &self.layout,
            &self.module,
            fragment,
            &constants,
            HDR_FORMAT,
            blend,
        )
    }

    pub(super) fn group(&self, gpu: &Gpu, view: &TextureView) -> BindGroup {
        use wgpu::BindingResource as Bound;
        let bound = [Bound::TextureView(view), Bound::Sampler(&self.sampler)];
        bind::group(gpu, &self.group_layout, &bound)
    }
}

pub(super) fn added(src_factor: BlendFactor) -> BlendState {
    let component = BlendComponent {
        src_factor,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    };
    BlendState {
        color: component,
        alpha: component,
    }
}
