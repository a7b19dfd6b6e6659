//! The same passes over vertices that were skinned once, or over vertices that each pass skins itself.

use crate::crowd::{BindVertex, Crowd, JOINTS, to_sun};
use glam::{Mat4, Vec3, Vec4};
use sinew::Method;
use sinew_gpu::wgpu::{self, BufferUsages, TextureFormat, TextureUsages};
use sinew_gpu::{Gpu, GpuError, Picture, SkinBatch, SkinnedVertex, Timer, direction};
use std::time::Instant;

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Who skins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A compute pass, for all passes.
    Once,
    /// The vertex shader of every pass.
    EachPass,
}

/// Milliseconds of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    /// From the begin of the first pass to the end of the last, by the GPU's clock.
    pub gpu_ms: f64,
    /// Of that, the compute pass that skins.
    pub skin_ms: f64,
    /// From handing it over until it is done.
    pub wall_ms: f64,
}

pub struct Scene<'g> {
    gpu: &'g Gpu,
    crowd: &'g Crowd,
    size: u32,
    batch: SkinBatch,
    bind: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
    groups: Vec<wgpu::BindGroup>,
    /// Lit and depth only, skinned before; then lit and depth only, skinned in the vertex shader.
    pipelines: [[wgpu::RenderPipeline; 2]; 2],
    color: wgpu::Texture,
    mirror: wgpu::TextureView,
    depths: Vec<wgpu::TextureView>,
    timer: Timer,
}

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct View {
    clip_from_world: Mat4,
    to_sun: Vec4,
    to_eye: Vec4,
}

/// Passes that light what they see; the others only want depths.
fn is_lit(pass: usize) -> bool {
    pass == 0 || pass == 2
}

pub const MAX_PASSES: usize = 6;

impl<'g> Scene<'g> {
    pub fn new(
        gpu: &'g Gpu,
        crowd: &'g Crowd,
        method: Method,
        size: u32,
    ) -> Result<Self, GpuError> {
        let visible = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let entry = |binding: u32, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: visible,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        use wgpu::BufferBindingType::{Storage, Uniform};
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: None,
                entries: &[entry(0, Uniform), entry(1, Storage { read_only: true })],
            });
        let palettes = gpu.buffer_with(
            "palettes",
            BufferUsages::STORAGE,
            &crowd.palette_bytes(method),
        )?;
        let mut groups = Vec::new();
        for clip_from_world in crowd.views(MAX_PASSES) {
            let view = View {
                clip_from_world,
                to_sun: to_sun().extend(0.0),
                to_eye: direction(0.5, 0.4).normalize_or(Vec3::Z).extend(0.0),
            };
            let uniform =
                gpu.buffer_with("view", BufferUsages::UNIFORM, bytemuck::bytes_of(&view))?;
            let bound = [&uniform, &palettes].map(|b| b.as_entire_binding());
            let bound = [0, 1].map(|k| wgpu::BindGroupEntry {
                binding: k as u32,
                resource: bound[k].clone(),
            });
            groups.push(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &layout,
                entries: &bound,
            }));
        }
        let indices = crowd.indices();
        let view_of = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let target = |format| texture(gpu, size, format);
        let Some(timer) = Timer::new(gpu, 1 + MAX_PASSES as u32)? else {
            let why = "the adapter has no timestamps, so nothing can be timed".to_owned();
            return Err(GpuError::Refused { why });
        };
        let scene = Self {
            gpu,
            crowd,
            size,
            batch: crowd.batch(gpu, method)?,
            bind: gpu.buffer_with(
                "bind vertices",
                BufferUsages::VERTEX,
                bytemuck::cast_slice(&crowd.bind_vertices()),
            )?,
            index_count: indices.len() as u32,
            indices: gpu.buffer_with(
                "indices",
                BufferUsages::INDEX,
                bytemuck::cast_slice(&indices),
            )?,
            groups,
            pipelines: [Way::Once, Way::EachPass]
                .map(|way| [true, false].map(|lit| pipeline(gpu, &layout, method, way, lit))),
            color: target(COLOR),
            mirror: view_of(&target(COLOR)),
            depths: (0..MAX_PASSES).map(|_| view_of(&target(DEPTH))).collect(),
            timer,
        };
        gpu.check()?;
        Ok(scene)
    }

    /// Draws a frame with so many passes and says how long that took.
    pub fn frame(&mut self, way: Way, passes: usize) -> Result<Took, GpuError> {
        let start = Instant::now();
        let mut encoder = self.gpu.encoder();
        if way == Way::Once {
            let timing = self.timer.compute(0);
            self.batch.encode(self.gpu, &mut encoder, Some(timing))?;
        }
        for pass in 0..passes {
            self.pass(&mut encoder, way, pass);
        }
        // Spans that were not written this time are not looked at.
        self.timer.resolve(&mut encoder);
        self.gpu.submit(encoder);
        self.gpu.wait()?;
        let wall_ms = start.elapsed().as_secs_f64() * 1e3;
        let spans = self.timer.read_spans_ms(self.gpu)?;
        let first = spans[usize::from(way == Way::EachPass)];
        Ok(Took {
            gpu_ms: spans[passes][1] - first[0],
            skin_ms: match way {
                Way::Once => first[1] - first[0],
                Way::EachPass => 0.0,
            },
            wall_ms,
        })
    }

    fn pass(&self, encoder: &mut wgpu::CommandEncoder, way: Way, pass: usize) {
        let main;
        let color = match pass {
            0 => {
                main = self.color.create_view(&Default::default());
                Some(&main)
            }
            _ if is_lit(pass) => Some(&self.mirror),
            _ => None,
        };
        let color = color.map(|view| wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        });
        let color = [color];
        let mut drawn = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            timestamp_writes: Some(self.timer.render(1 + pass as u32)),
            color_attachments: match is_lit(pass) {
                true => &color,
                false => &[],
            },
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depths[pass],
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let pipelines = &self.pipelines[usize::from(way == Way::EachPass)];
        drawn.set_pipeline(&pipelines[usize::from(!is_lit(pass))]);
        drawn.set_bind_group(0, &self.groups[pass], &[]);
        drawn.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let indices = 0..self.index_count;
        match way {
            Way::Once => {
                drawn.set_vertex_buffer(0, self.batch.vertices().slice(..));
                for copy in 0..self.crowd.copies {
                    let first = self.batch.vertex_bytes(copy).start;
                    let first = (first / size_of::<SkinnedVertex>() as u64) as i32;
                    drawn.draw_indexed(indices.clone(), first, 0..1);
                }
            }
            Way::EachPass => {
                drawn.set_vertex_buffer(0, self.bind.slice(..));
                for copy in 0..self.crowd.copies as u32 {
                    drawn.draw_indexed(indices.clone(), 0, copy..copy + 1);
                }
            }
        }
    }

    /// What the first pass of the last frame drew.
    pub fn picture(&self) -> Result<Picture, GpuError> {
        let bytes = 4 * u64::from(self.size) * u64::from(self.size);
        let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let buffer = self.gpu.buffer("picture", usage, bytes)?;
        let mut encoder = self.gpu.encoder();
        encoder.copy_texture_to_buffer(
            self.color.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * self.size),
                    rows_per_image: None,
                },
            },
            self.color.size(),
        );
        self.gpu.submit(encoder);
        let rgba = self.gpu.read(&buffer, 0, bytes)?;
        Ok(Picture::from_rgba(self.size, self.size, rgba).expect("four bytes per pixel"))
    }
}

fn texture(gpu: &Gpu, size: u32, format: TextureFormat) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: size,
            height: size,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: match format {
            COLOR => TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            _ => TextureUsages::RENDER_ATTACHMENT,
        },
        view_formats: &[],
    })
}

fn source(method: Method) -> String {
    let blend = match method {
        Method::DualQuat => include_str!("../../shaders/dual_quat.wgsl"),
        _ => include_str!("../../shaders/linear.wgsl"),
    };
    let vectors = include_str!("../../shaders/vectors.wgsl");
    let passes = include_str!("passes.wgsl");
    let in_vertex = include_str!("in_vertex.wgsl");
    format!("const JOINTS: u32 = {JOINTS}u;\n{vectors}\n{blend}\n{passes}\n{in_vertex}")
}

fn pipeline(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    method: Method,
    way: Way,
    lit: bool,
) -> wgpu::RenderPipeline {
    let module = gpu
        .device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source(method).into()),
        });
    let layout = gpu
        .device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(layout)],
            ..Default::default()
        });
    let attributes = wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Uint16x4, 3 => Unorm16x4
    ];
    let skinned_here = wgpu::VertexBufferLayout {
        array_stride: size_of::<BindVertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    let target = wgpu::ColorTargetState {
        format: COLOR,
        blend: None,
        write_mask: wgpu::ColorWrites::ALL,
    };
    let fragment = wgpu::FragmentState {
        module: &module,
        entry_point: Some("light"),
        compilation_options: Default::default(),
        targets: &[Some(target)],
    };
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(match (way, lit) {
                    (Way::Once, true) => "once_lit",
                    (Way::Once, false) => "once_depth",
                    (Way::EachPass, true) => "each_lit",
                    (Way::EachPass, false) => "each_depth",
                }),
                compilation_options: Default::default(),
                buffers: &[Some(match way {
                    Way::Once => SkinnedVertex::LAYOUT,
                    Way::EachPass => skinned_here,
                })],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: lit.then_some(fragment),
            multiview_mask: None,
            cache: None,
        })
}
