//! Tone mapping: from light to display values.

use super::light_source::LightSource;
use super::recording::Recording;
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::render::formats::PICTURE_FORMAT;
use crate::render::pipelines::screen::{draw_over, over_screen};
use crate::render::pipelines::shader::{pipeline_layout, shader};
use crate::render::shading::ToneMap;
use crate::render::targets::{Target, Targets};
use crate::render::timings::Span;
use bytemuck::{Pod, Zeroable};
use std::collections::HashMap;
use wgpu::{
    BindGroup, BindGroupLayout, Buffer, BufferUsages, RenderPipeline, TextureFormat, TextureView,
};

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(in crate::render) struct ToneUniform {
    pub exposure: f32,
    pub bloom: f32,
    pub whole: f32,
    pub unused: f32,
}

#[derive(Debug)]
pub(in crate::render) struct TonePass {
    group_layout: BindGroupLayout,
    module: wgpu::ShaderModule,
    made: HashMap<(TextureFormat, ToneMap), RenderPipeline>,
    tone_map: ToneMap,
    uniform: Buffer,
}

#[derive(Debug)]
pub(in crate::render) struct ToneGroups {
    light: BindGroup,
    picture: TextureView,
}

impl TonePass {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let kinds = [bind::UNIFORM, bind::TEXTURE, bind::TEXTURE, bind::SAMPLER];
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        Ok(Self {
            group_layout: bind::layout(gpu, "tone", &kinds),
            module: shader(
                gpu,
                "tone",
                &[
                    include_str!("../../../shaders/screen.wgsl"),
                    include_str!("../../../shaders/tone.wgsl"),
                ],
            ),
            made: HashMap::new(),
            tone_map: ToneMap::default(),
            uniform: gpu.buffer("tone", usage, size_of::<ToneUniform>() as u64)?,
        })
    }

    /// Bind groups for the light of one picture, or for the sum of several.
    pub fn groups(
        &self,
        gpu: &Gpu,
        source: &LightSource,
        targets: &Targets,
        light: &TextureView,
    ) -> ToneGroups {
        use wgpu::BindingResource as Bound;
        let spread = targets.halvings.first().unwrap_or(&targets.mirror);
        let bound = [
            self.uniform.as_entire_binding(),
            Bound::TextureView(light),
            Bound::TextureView(spread),
            Bound::Sampler(&source.sampler),
        ];
        ToneGroups {
            light: bind::group(gpu, &self.group_layout, &bound),
            picture: targets.picture.create_view(&Default::default()),
        }
    }

    /// Prepares [`TonePass::encode`] for the picture of the renderer or a target of the caller.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        uniform: &ToneUniform,
        tone_map: ToneMap,
        target: Option<&Target<'_>>,
    ) {
        self.tone_map = tone_map;
        let format = format_of(target);
        if !self.made.contains_key(&(format, tone_map)) {
            let pipeline = self.make(gpu, format, tone_map);
            self.made.insert((format, tone_map), pipeline);
        }
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(uniform));
    }

    fn make(&self, gpu: &Gpu, format: TextureFormat, tone_map: ToneMap) -> RenderPipeline {
        let layout = pipeline_layout(gpu, &[Some(&self.group_layout)]);
        let constants = [("tone_map_kind", f64::from(tone_map as u8))];
        over_screen(
            gpu,
            &layout,
            &self.module,
            "tone_map",
            &constants,
            format,
            None,
        )
    }

    /// Draws into the picture of the renderer, or into the prepared target.
    pub fn encode(
        &self,
        recording: &mut Recording<'_>,
        groups: &ToneGroups,
        target: Option<&Target<'_>>,
    ) {
        let Recording { encoder, clock, .. } = recording;
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let span = clock.as_deref_mut().map(|c| c.span(Span::Tone));
        let view = target.map_or(&groups.picture, |target| target.view);
        let pipeline = &self.made[&(format_of(target), self.tone_map)];
        draw_over(encoder, view, clear, pipeline, &groups.light, span);
    }
}

fn format_of(target: Option<&Target<'_>>) -> TextureFormat {
    target.map_or(PICTURE_FORMAT, |target| target.format)
}
