//! Ambient occlusion: depth at half size, then two passes over it.

use super::attachments::cleared_depth;
use super::floor::FloorPass;
use super::recording::Recording;
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::render::formats::OCCLUSION_FORMAT;
use crate::render::pipelines::light_kind::LightKind;
use crate::render::pipelines::screen::{draw_over_with, over_screen};
use crate::render::pipelines::shader::{pipeline_layout, shader};
use crate::render::pipelines::surface::Pass;
use crate::render::targets::Targets;
use crate::render::timings::Span;
use wgpu::{BindGroup, BindGroupLayout, RenderPipeline};

#[derive(Debug)]
pub(in crate::render) struct OcclusionPass {
    layouts: [BindGroupLayout; 2],
    find: RenderPipeline,
    blur: RenderPipeline,
}

#[derive(Debug)]
pub(in crate::render) struct OcclusionGroups {
    depth: BindGroup,
    parts: BindGroup,
}

impl OcclusionPass {
    /// Creates the pass. `frame` is the layout of the group with only the frame uniform.
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Self {
        let module = shader(
            gpu,
            "occlusion",
            &[
                include_str!("../../../shaders/frame.wgsl"),
                include_str!("../../../shaders/screen.wgsl"),
                include_str!("../../../shaders/occlusion.wgsl"),
            ],
        );
        let layouts = [
            bind::layout(gpu, "depth", &[bind::LOADED_TEXTURE]),
            bind::layout(gpu, "occlusion", &[bind::LOADED_TEXTURE, bind::TEXTURE]),
        ];
        let make = |entry, own| {
            let layout = pipeline_layout(gpu, &[Some(frame), Some(own)]);
            over_screen(gpu, &layout, &module, entry, &[], OCCLUSION_FORMAT, None)
        };
        Self {
            find: make("find_occlusion", &layouts[0]),
            blur: make("blur_occlusion", &layouts[1]),
            layouts,
        }
    }

    pub fn groups(&self, gpu: &Gpu, targets: &Targets) -> OcclusionGroups {
        use wgpu::BindingResource::TextureView;
        let depth = TextureView(&targets.near_depth);
        let parts = [depth.clone(), TextureView(&targets.raw_occlusion)];
        OcclusionGroups {
            depth: bind::group(gpu, &self.layouts[0], &[depth]),
            parts: bind::group(gpu, &self.layouts[1], &parts),
        }
    }

    /// Draws the depth of opaque surfaces, and computes the occlusion from it.
    pub fn encode(
        &self,
        recording: &mut Recording<'_>,
        floor: &FloorPass,
        targets: &Targets,
        groups: &OcclusionGroups,
    ) {
        near_depth(recording, floor, targets);
        let frame = &recording.frames.near_group;
        let clear = wgpu::LoadOp::Clear(wgpu::Color::WHITE);
        let steps = [
            (&targets.raw_occlusion, &self.find, &groups.depth),
            (&targets.occlusion, &self.blur, &groups.parts),
        ];
        for (target, pipeline, group) in steps {
            let clock = recording.clock.as_deref_mut();
            let span = clock.map(|c| c.span(Span::Occlusion));
            let encoder = &mut recording.encoder;
            draw_over_with(encoder, target, clear, pipeline, &[frame, group], span);
        }
    }
}

fn near_depth(recording: &mut Recording<'_>, floor: &FloorPass, targets: &Targets) {
    let clock = recording.clock.as_deref_mut();
    let mut pass = recording
        .encoder
        .begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("near depth"),
            timestamp_writes: clock.map(|c| c.span(Span::Occlusion)),
            depth_stencil_attachment: Some(cleared_depth(&targets.near_depth, true)),
            ..Default::default()
        });
    pass.set_bind_group(0, &recording.frames.near_group, &[]);
    let draws = recording.draws.iter();
    for draw in draws.filter(|d| !d.material.looks.blended) {
        let (gpu, light) = (recording.gpu, LightKind::default());
        recording
            .surfaces
            .draw(gpu, &mut pass, Pass::Shadow, light, draw);
    }
    if recording.stage.floor.is_some() {
        pass.set_bind_group(0, &recording.frames.groups()[1], &[]);
        floor.bind(&mut pass);
        floor.draw_depth(&mut pass);
    }
}
