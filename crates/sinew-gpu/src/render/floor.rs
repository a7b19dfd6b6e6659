//! The floor that everything stands on, at y = 0, and what it mirrors.

use super::pipelines::{lit_shader, pipeline_layout};
use super::targets::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES, Targets};
use crate::material::{self, GpuMaterial, Uploads, UvTransform};
use crate::texture::{Encoding, Pixels};
use crate::{Gpu, GpuError, bind};
use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use sinew::Material;
use std::collections::HashMap;
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, RenderPipeline};

/// A floor and how it looks.
#[derive(Debug)]
pub struct Floor {
    material: GpuMaterial,
    /// Its middle: x and z.
    pub middle: Vec2,
    /// From the middle to an edge.
    pub half_size: f32,
    /// How much it mirrors straight from above, as a part; at grazing angles it is more.
    pub mirror: f32,
    /// How far its normal map shifts what it mirrors, in parts of the picture.
    pub distortion: f32,
    /// How dull the mirror is: how far apart its taps are, in parts of the picture.
    pub blur: f32,
    /// Where it begins to fade into the horizon, in parts of its half size.
    pub fade: f32,
    /// Units to a repeat of its textures.
    pub tile: f32,
}

impl Floor {
    /// A floor of a material, with textures made by code.
    pub fn new(
        gpu: &Gpu,
        material: &Material,
        base: Option<&Pixels>,
        normal: Option<&Pixels>,
    ) -> Result<Self, GpuError> {
        let mut uploads = Uploads::new(gpu)?;
        let sampled = |pixels: Option<&Pixels>, encoding| match pixels {
            Some(pixels) => uploads.pixels(pixels, encoding).map(Some),
            None => Ok(None),
        };
        let base = sampled(base, Encoding::Srgb)?;
        let normal = sampled(normal, Encoding::Linear)?;
        Ok(Self {
            material: uploads.material(material, base, normal)?,
            middle: Vec2::ZERO,
            half_size: 20.0,
            mirror: 0.06,
            distortion: 0.0,
            blur: 0.004,
            fade: 0.1,
            tile: 1.0,
        })
    }

    /// A bright, faintly polished floor.
    pub fn studio(gpu: &Gpu) -> Result<Self, GpuError> {
        let material = Material {
            base_color: [0.36, 0.38, 0.41, 1.0],
            metallic: 0.0,
            roughness: 0.55,
            ..Material::default()
        };
        Self::new(gpu, &material, None, None)
    }

    /// Moves its textures.
    pub fn set_uv(&mut self, gpu: &Gpu, uv: &UvTransform) {
        self.material.set_uv(gpu, uv);
    }
}

/// Twin of `Floor` in floor.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct FloorUniform {
    middle: [f32; 2],
    half_size: f32,
    mirror: f32,
    distortion: f32,
    fade: f32,
    tile: f32,
    blur: f32,
}

/// Draws floors.
#[derive(Debug)]
pub(crate) struct FloorPass {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    group_layout: BindGroupLayout,
    uniform: Buffer,
    sampler: wgpu::Sampler,
    made: HashMap<[bool; 2], RenderPipeline>,
}

impl FloorPass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Result<Self, GpuError> {
        let kinds = [bind::UNIFORM, bind::TEXTURE, bind::SAMPLER];
        let group_layout = bind::layout(gpu, "floor", &kinds);
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let fragment = include_str!("../../shaders/floor.wgsl");
        Ok(Self {
            module: lit_shader(gpu, "floor", fragment),
            layout: pipeline_layout(gpu, &[frame, &material::layout(gpu), &group_layout]),
            group_layout,
            uniform: gpu.buffer("floor", usage, size_of::<FloorUniform>() as u64)?,
            sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("mirror"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            made: HashMap::new(),
        })
    }

    /// What the floor binds as group 2.
    pub fn group(&self, gpu: &Gpu, targets: &Targets) -> BindGroup {
        use wgpu::BindingResource::{Sampler, TextureView};
        let bound = [
            self.uniform.as_entire_binding(),
            TextureView(&targets.mirror),
            Sampler(&self.sampler),
        ];
        bind::group(gpu, &self.group_layout, &bound)
    }

    /// Makes ready what [`FloorPass::draw`] needs.
    pub fn prepare(&mut self, gpu: &Gpu, floor: &Floor, mirrors: bool) {
        let uniform = FloorUniform {
            middle: floor.middle.to_array(),
            half_size: floor.half_size,
            mirror: if mirrors { floor.mirror } else { 0.0 },
            distortion: floor.distortion,
            fade: floor.fade,
            tile: floor.tile,
            blur: floor.blur,
        };
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let key = key(floor);
        if !self.made.contains_key(&key) {
            let pipeline = self.make(gpu, key);
            self.made.insert(key, pipeline);
        }
    }

    /// Frame and floor groups are bound already.
    pub fn draw(&self, pass: &mut wgpu::RenderPass, floor: &Floor) {
        pass.set_pipeline(&self.made[&key(floor)]);
        pass.set_bind_group(1, &floor.material.bind_group, &[]);
        pass.draw(0..4, 0..1);
    }

    fn make(&self, gpu: &Gpu, [textured, normal_mapped]: [bool; 2]) -> RenderPipeline {
        let on = |flag: bool| f64::from(u8::from(flag));
        let constants = [
            ("textured", on(textured)),
            ("normal_mapped", on(normal_mapped)),
        ];
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("floor"),
                layout: Some(&self.layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some("floor_vertex"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::LessEqual),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState {
                    count: SAMPLES,
                    ..Default::default()
                },
                fragment: Some(wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some("floor_light"),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &constants,
                        ..Default::default()
                    },
                    targets: &[Some(HDR_FORMAT.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

fn key(floor: &Floor) -> [bool; 2] {
    let looks = floor.material.looks;
    [looks.textured, looks.normal_mapped]
}
