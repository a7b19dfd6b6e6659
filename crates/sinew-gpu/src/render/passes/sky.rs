//! The sky behind everything.

use crate::device::gpu::Gpu;
use crate::render::formats::{DEPTH_FORMAT, HDR_FORMAT};
use crate::render::pipelines::shader::{pipeline_layout, shader};
use wgpu::{BindGroupLayout, RenderPipeline};

/// The sky, for a target of so many samples.
pub(super) fn pipeline(gpu: &Gpu, frame: &BindGroupLayout, samples: u32) -> RenderPipeline {
    let module = shader(
        gpu,
        "sky",
        &[
            include_str!("../../../shaders/frame.wgsl"),
            include_str!("../../../shaders/sky.wgsl"),
        ],
    );
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("sky"),
            layout: Some(&pipeline_layout(gpu, &[Some(frame)])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("sky_vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: samples,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("sky_light"),
                compilation_options: Default::default(),
                targets: &[Some(HDR_FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
}
