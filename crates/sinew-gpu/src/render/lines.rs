//! Lines over the main pass.

use super::pipelines::{pipeline_layout, shader};
use super::targets::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES};
use crate::overlay::Line;
use crate::{Gpu, GpuError};
use wgpu::{BindGroupLayout, Buffer, BufferUsages, RenderPass, RenderPipeline};

#[derive(Debug)]
pub(crate) struct LinePass {
    pipeline: RenderPipeline,
    lines: Buffer,
    count: u32,
}

impl LinePass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Result<Self, GpuError> {
        let module = shader(
            gpu,
            "line",
            &[
                include_str!("../../shaders/frame.wgsl"),
                include_str!("../../shaders/line.wgsl"),
            ],
        );
        let descriptor = wgpu::RenderPipelineDescriptor {
            label: Some("line"),
            layout: Some(&pipeline_layout(gpu, &[Some(frame)])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("line_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(Line::LAYOUT)],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: SAMPLES,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("line_color"),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: HDR_FORMAT,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        };
        Ok(Self {
            pipeline: gpu.device.create_render_pipeline(&descriptor),
            lines: room_for(gpu, 64)?,
            count: 0,
        })
    }

    pub fn prepare(&mut self, gpu: &Gpu, lines: &[Line]) -> Result<(), GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(lines);
        if self.lines.size() < bytes.len() as u64 {
            self.lines = room_for(gpu, lines.len().next_power_of_two())?;
        }
        gpu.queue.write_buffer(&self.lines, 0, bytes);
        self.count = lines.len() as u32;
        Ok(())
    }

    pub fn draw(&self, pass: &mut RenderPass) {
        if self.count > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, self.lines.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}

fn room_for(gpu: &Gpu, lines: usize) -> Result<Buffer, GpuError> {
    let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
    gpu.buffer("lines", usage, (lines * size_of::<Line>()) as u64)
}
