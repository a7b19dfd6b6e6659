//! Sum of several pictures, each shifted by a fraction of a pixel.

use super::light_source::{LightSource, added};
use super::recording::Recording;
use crate::device::gpu::Gpu;
use crate::render::targets::Targets;
use crate::render::timings::Span;
use wgpu::{BindGroup, RenderPipeline};

#[derive(Debug)]
pub(in crate::render) struct SumPass {
    add_part: RenderPipeline,
}

impl SumPass {
    pub fn new(gpu: &Gpu, source: &LightSource) -> Self {
        let add_part = added(wgpu::BlendFactor::Constant);
        Self {
            add_part: source.pipeline(gpu, "copied", false, Some(add_part)),
        }
    }

    /// Bind group of the light to add.
    pub fn group(gpu: &Gpu, source: &LightSource, targets: &Targets) -> BindGroup {
        source.group(gpu, &targets.light)
    }

    /// Adds the light of a picture, times a factor in [0, 1]. The first picture replaces the sum.
    pub fn encode(
        &self,
        recording: &mut Recording<'_>,
        targets: &Targets,
        light: &BindGroup,
        is_first: bool,
        part: f64,
    ) {
        let attachment = wgpu::RenderPassColorAttachment {
            view: &targets.sum,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: if is_first {
                    wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT)
                } else {
                    wgpu::LoadOp::Load
                },
                store: wgpu::StoreOp::Store,
            },
        };
        let clock = recording.clock.as_deref_mut();
        let mut pass = recording
            .encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("sum"),
                timestamp_writes: clock.map(|c| c.span(Span::Sum)),
                color_attachments: &[Some(attachment)],
                ..Default::default()
            });
        pass.set_pipeline(&self.add_part);
        pass.set_blend_constant(wgpu::Color {
            r: part,
            g: part,
            b: part,
            a: part,
        });
        pass.set_bind_group(0, light, &[]);
        pass.draw(0..3, 0..1);
    }
}
