use super::light_source::{LightSource, added};
use super::recording::Recording;
use crate::device::gpu::Gpu;
use crate::render::pipelines::screen::draw_over;
use crate::render::targets::Targets;
use crate::render::timings::Span;
use wgpu::{BindGroup, LoadOp, RenderPipeline, TextureView};

#[derive(Debug)]
pub(in crate::render) struct BloomPass {
    first: RenderPipeline,
    halve: RenderPipeline,
    add_up: RenderPipeline,
}

#[derive(Debug)]
pub(in crate::render) struct BloomGroups(Vec<BindGroup>);

impl BloomPass {
    pub fn new(gpu: &Gpu, source: &LightSource) -> Self {
        let add = added(wgpu::BlendFactor::One);
        Self {
            first: source.pipeline(gpu, "halve", true, None),
            halve: source.pipeline(gpu, "halve", false, None),
            add_up: source.pipeline(gpu, "add_up", false, Some(add)),
        }
    }

    /// Bind groups for the light of one picture, or for the sum of several.
    pub fn groups(
        gpu: &Gpu,
        source: &LightSource,
        targets: &Targets,
        light: &TextureView,
    ) -> BloomGroups {
        let views = std::iter::once(light).chain(&targets.halvings);
        BloomGroups(views.map(|view| source.group(gpu, view)).collect())
    }

    /// Writes the bloom into the first of the halved textures.
    pub fn encode(&self, recording: &mut Recording<'_>, targets: &Targets, groups: &BloomGroups) {
        let Recording { encoder, clock, .. } = recording;
        let clear = LoadOp::Clear(wgpu::Color::BLACK);
        for (k, target) in targets.halvings.iter().enumerate() {
            let pipeline = if k == 0 { &self.first } else { &self.halve };
            let span = clock.as_deref_mut().map(|c| c.span(Span::Bloom));
            draw_over(encoder, target, clear, pipeline, &groups.0[k], span);
        }
        for k in (1..targets.halvings.len()).rev() {
            let (target, source) = (&targets.halvings[k - 1], &groups.0[k + 1]);
            let span = clock.as_deref_mut().map(|c| c.span(Span::Bloom));
            draw_over(encoder, target, LoadOp::Load, &self.add_up, source, span);
        }
    }
}
