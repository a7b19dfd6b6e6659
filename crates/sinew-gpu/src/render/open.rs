//! How much of the light from everywhere reaches each place: a depth of half the size, then two passes over it.

use super::pipelines::{pipeline_layout, shader};
use super::post::{draw_over_with, over_screen};
use super::targets::Targets;
use super::timings::{Clock, Span};
use crate::device::bind;
use crate::device::gpu::Gpu;
use wgpu::{BindGroup, BindGroupLayout, CommandEncoder, RenderPipeline, TextureFormat};

/// Of what is open.
pub(crate) const FORMAT: TextureFormat = TextureFormat::R8Unorm;

#[derive(Debug)]
pub(crate) struct OpenPass {
    layouts: [BindGroupLayout; 2],
    find: RenderPipeline,
    blur: RenderPipeline,
}

/// What the two passes read.
#[derive(Debug)]
pub(crate) struct OpenGroups {
    depth: BindGroup,
    parts: BindGroup,
}

impl OpenPass {
    /// `frame` is a layout of the frame's uniform alone.
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Self {
        let module = shader(
            gpu,
            "open",
            &[
                include_str!("../../shaders/frame.wgsl"),
                include_str!("../../shaders/screen.wgsl"),
                include_str!("../../shaders/open.wgsl"),
            ],
        );
        let layouts = [
            bind::layout(gpu, "depth", &[bind::DEPTH_TEXTURE]),
            bind::layout(gpu, "open", &[bind::DEPTH_TEXTURE, bind::TEXTURE]),
        ];
        let make = |entry, own| {
            let layout = pipeline_layout(gpu, &[Some(frame), Some(own)]);
            over_screen(gpu, &layout, &module, entry, &[], FORMAT, None)
        };
        Self {
            find: make("open_part", &layouts[0]),
            blur: make("blur_open", &layouts[1]),
            layouts,
        }
    }

    pub fn groups(&self, gpu: &Gpu, targets: &Targets) -> OpenGroups {
        use wgpu::BindingResource::TextureView;
        let depth = TextureView(&targets.near_depth);
        let parts = [depth.clone(), TextureView(&targets.open_parts)];
        OpenGroups {
            depth: bind::group(gpu, &self.layouts[0], &[depth]),
            parts: bind::group(gpu, &self.layouts[1], &parts),
        }
    }

    /// From the depth to what is open.
    pub fn encode(
        &self,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        targets: &Targets,
        groups: &OpenGroups,
        mut clock: Option<&mut Clock>,
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::WHITE);
        let bound = [frame, &groups.depth];
        let span = clock.as_deref_mut().map(|c| c.span(Span::Open));
        draw_over_with(
            encoder,
            &targets.open_parts,
            clear,
            &self.find,
            &bound,
            span,
        );
        let bound = [frame, &groups.parts];
        let span = clock.map(|c| c.span(Span::Open));
        draw_over_with(encoder, &targets.open, clear, &self.blur, &bound, span);
    }
}
