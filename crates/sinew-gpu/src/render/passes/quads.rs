//! Instanced quads over the main pass: lines and dust.

use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::marks::dust::DustParticle;
use crate::draw::marks::lines::Line;
use crate::render::formats::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES};
use crate::render::pipelines::shader::{pipeline_layout, shader};
use bytemuck::NoUninit;
use glam::Vec3;
use std::marker::PhantomData;
use wgpu::{
    BindGroupLayout, Buffer, BufferUsages, CompareFunction, RenderPass, RenderPipeline,
    VertexBufferLayout,
};

#[derive(Debug)]
pub(in crate::render) struct QuadPass<T> {
    pipeline: RenderPipeline,
    quads: Buffer,
    count: u32,
    of: PhantomData<T>,
}

pub(in crate::render) struct QuadLooks<'a> {
    pub label: &'a str,
    /// WGSL with the entry points, to append to the WGSL of the frame.
    pub source: &'a str,
    pub vertex: &'a str,
    pub fragment: &'a str,
    pub layout: VertexBufferLayout<'a>,
    /// Depth test of the quads.
    pub depth_compare: CompareFunction,
}

impl<T: NoUninit> QuadPass<T> {
    pub fn new(
        gpu: &Gpu,
        frame: &BindGroupLayout,
        looks: &QuadLooks<'_>,
    ) -> Result<Self, GpuError> {
        let sources = [include_str!("../../../shaders/frame.wgsl"), looks.source];
        let module = shader(gpu, looks.label, &sources);
        let layout = pipeline_layout(gpu, &[Some(frame)]);
        let pipeline = gpu
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(looks.label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(looks.vertex),
                    compilation_options: Default::default(),
                    buffers: &[Some(looks.layout.clone())],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(false),
                    depth_compare: Some(looks.depth_compare),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState {
                    count: SAMPLES,
                    ..Default::default()
                },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(looks.fragment),
                    compilation_options: Default::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: HDR_FORMAT,
                        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            });
        Ok(Self {
            pipeline,
            quads: quad_buffer::<T>(gpu, 64)?,
            count: 0,
            of: PhantomData,
        })
    }

    pub fn prepare(&mut self, gpu: &Gpu, quads: &[T]) -> Result<(), GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(quads);
        if self.quads.size() < bytes.len() as u64 {
            self.quads = quad_buffer::<T>(gpu, quads.len().next_power_of_two())?;
        }
        gpu.queue.write_buffer(&self.quads, 0, bytes);
        self.count = quads.len() as u32;
        Ok(())
    }

    pub fn draw(&self, pass: &mut RenderPass<'_>) {
        if self.count > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, self.quads.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}

fn quad_buffer<T>(gpu: &Gpu, quads: usize) -> Result<Buffer, GpuError> {
    let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
    gpu.buffer("quads", usage, (quads * size_of::<T>()) as u64)
}

pub(in crate::render) const LINES: QuadLooks<'_> = QuadLooks {
    label: "line",
    source: include_str!("../../../shaders/line.wgsl"),
    vertex: "line_vertex",
    fragment: "line_color",
    layout: Line::LAYOUT,
    depth_compare: CompareFunction::Always,
};

pub(in crate::render) const DUST: QuadLooks<'_> = QuadLooks {
    label: "dust",
    source: include_str!("../../../shaders/dust.wgsl"),
    vertex: "puff_vertex",
    fragment: "puff_light",
    layout: DustParticle::LAYOUT,
    depth_compare: CompareFunction::LessEqual,
};

pub(in crate::render) fn back_to_front(dust: &[DustParticle], eye: Vec3) -> Vec<DustParticle> {
    let mut sorted = dust.to_vec();
    let away = |particle: &DustParticle| (Vec3::from(particle.position) - eye).length_squared();
    sorted.sort_by(|a, b| away(b).total_cmp(&away(a)));
    sorted
}
