use crate::device::gpu::Gpu;
use wgpu::{BindGroup, CommandEncoder, RenderPipeline, TextureFormat, TextureView};

pub(in crate::render) fn draw_over(
    encoder: &mut CommandEncoder,
    target: &TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
    pipeline: &RenderPipeline,
    group: &BindGroup,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    draw_over_with(encoder, target, load, pipeline, &[group], timestamp_writes);
}

pub(in crate::render) fn draw_over_with(
    encoder: &mut CommandEncoder,
    target: &TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
    pipeline: &RenderPipeline,
    groups: &[&BindGroup],
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    let attachment = wgpu::RenderPassColorAttachment {
        view: target,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        },
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(attachment)],
        timestamp_writes,
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    for (index, group) in (0..).zip(groups) {
        pass.set_bind_group(index, *group, &[]);
    }
    pass.draw(0..3, 0..1);
}

pub(in crate::render) fn over_screen(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    fragment: &str,
    constants: &[(&str, f64)],
    format: TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> RenderPipeline {
    let target = wgpu::ColorTargetState {
        format,
        blend,
        write_mask: wgpu::ColorWrites::ALL,
    };
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("screen_vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    ..Default::default()
                },
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
}
