//! Picture behind glass, in levels of increasing blur.

use super::light_source::LightSource;
use crate::device::gpu::Gpu;
use crate::render::pipelines::screen::draw_over;
use crate::render::targets::Targets;
use wgpu::{BindGroup, CommandEncoder, RenderPipeline};

#[derive(Debug)]
pub(in crate::render) struct BehindPass {
    copy: RenderPipeline,
}

#[derive(Debug)]
pub(in crate::render) struct BehindGroups(Vec<BindGroup>);

impl BehindPass {
    pub fn new(gpu: &Gpu, source: &LightSource) -> Self {
        Self {
            copy: source.pipeline(gpu, "copied", false, None),
        }
    }

    pub fn groups(gpu: &Gpu, source: &LightSource, targets: &Targets) -> BehindGroups {
        let views = std::iter::once(&targets.light).chain(&targets.behind_levels);
        let views = views.take(targets.behind_levels.len());
        BehindGroups(views.map(|view| source.group(gpu, view)).collect())
    }

    /// Copies the light into the first level, and blurs it into the other levels.
    pub fn encode(&self, encoder: &mut CommandEncoder, targets: &Targets, groups: &BehindGroups) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        for (target, source) in targets.behind_levels.iter().zip(&groups.0) {
            draw_over(encoder, target, clear, &self.copy, source, None);
        }
    }
}
