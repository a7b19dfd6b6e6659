use super::attachments::cleared_depth;
use super::recording::Recording;
use super::sky;
use crate::device::gpu::Gpu;
use crate::render::pipelines::surface::Pass;
use crate::render::targets::Targets;
use crate::render::timings::Span;
use wgpu::{BindGroupLayout, RenderPipeline};

#[derive(Debug)]
pub(in crate::render) struct MirrorPass {
    sky: RenderPipeline,
}

impl MirrorPass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Self {
        Self {
            sky: sky::pipeline(gpu, frame, 1),
        }
    }

    /// Draws opaque surfaces and then the sky, mirrored at the floor.
    pub fn encode(&self, recording: &mut Recording<'_>, targets: &Targets) {
        let color = wgpu::RenderPassColorAttachment {
            view: &targets.mirror,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        };
        let clock = recording.clock.as_deref_mut();
        let mut pass = recording
            .encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("mirror"),
                timestamp_writes: clock.map(|c| c.span(Span::Mirror)),
                color_attachments: &[Some(color)],
                depth_stencil_attachment: Some(cleared_depth(&targets.mirror_depth, false)),
                ..Default::default()
            });
        pass.set_bind_group(0, &recording.frames.groups()[2], &[]);
        let draws = recording.draws.iter();
        for draw in draws.filter(|d| !d.material.looks.blended) {
            let (gpu, light) = (recording.gpu, recording.light);
            recording
                .surfaces
                .draw(gpu, &mut pass, Pass::Mirror, light, draw);
        }
        pass.set_pipeline(&self.sky);
        pass.draw(0..3, 0..1);
    }
}
