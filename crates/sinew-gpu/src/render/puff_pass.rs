//! Dust over the main pass, from the back to the front.

use super::pipelines::{pipeline_layout, shader};
use super::targets::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES};
use crate::puffs::Puff;
use crate::{Gpu, GpuError};
use glam::Vec3;
use wgpu::{BindGroupLayout, Buffer, BufferUsages, RenderPass, RenderPipeline};

#[derive(Debug)]
pub(crate) struct PuffPass {
    pipeline: RenderPipeline,
    puffs: Buffer,
    count: u32,
}

impl PuffPass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Result<Self, GpuError> {
        let module = shader(
            gpu,
            "puff",
            &[
                include_str!("../../shaders/frame.wgsl"),
                include_str!("../../shaders/puff.wgsl"),
            ],
        );
        let descriptor = wgpu::RenderPipelineDescriptor {
            label: Some("puff"),
            layout: Some(&pipeline_layout(gpu, &[Some(frame)])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("puff_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(Puff::LAYOUT)],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: SAMPLES,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("puff_light"),
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
            puffs: room_for(gpu, 64)?,
            count: 0,
        })
    }

    pub fn prepare(&mut self, gpu: &Gpu, puffs: &[Puff], eye: Vec3) -> Result<(), GpuError> {
        let mut sorted = puffs.to_vec();
        let away = |puff: &Puff| (Vec3::from(puff.place) - eye).length_squared();
        sorted.sort_by(|a, b| away(b).total_cmp(&away(a)));
        let bytes: &[u8] = bytemuck::cast_slice(&sorted);
        if self.puffs.size() < bytes.len() as u64 {
            self.puffs = room_for(gpu, puffs.len().next_power_of_two())?;
        }
        gpu.queue.write_buffer(&self.puffs, 0, bytes);
        self.count = puffs.len() as u32;
        Ok(())
    }

    pub fn draw(&self, pass: &mut RenderPass) {
        if self.count > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, self.puffs.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}

fn room_for(gpu: &Gpu, puffs: usize) -> Result<Buffer, GpuError> {
    let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
    gpu.buffer("puffs", usage, (puffs * size_of::<Puff>()) as u64)
}
