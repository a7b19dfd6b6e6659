use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::surface::material;
use crate::render::floor::Floor;
use crate::render::formats::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES};
use crate::render::pipelines::light_kind::LightKind;
use crate::render::pipelines::shader::{lit_shader, pipeline_layout};
use crate::render::shading::Shading;
use bytemuck::{Pod, Zeroable};
use std::collections::HashMap;
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, RenderPipeline};

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct FloorUniform {
    middle: [f32; 2],
    half_size: f32,
    mirror: f32,
    distortion: f32,
    fade: f32,
    tile: f32,
    blur: f32,
    outside: [f32; 3],
    edge: f32,
    grid: f32,
    unused: [f32; 3],
    grid_color: [f32; 3],
    end: f32,
}

#[derive(Debug)]
pub(in crate::render) struct FloorPass {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    grid_layout: wgpu::PipelineLayout,
    group: BindGroup,
    uniform: Buffer,
    made: HashMap<Kind, RenderPipeline>,
    drawn: Option<Kind>,
}

impl FloorPass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Result<Self, GpuError> {
        let group_layout = bind::layout(gpu, "floor", &[bind::UNIFORM]);
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let uniform = gpu.buffer("floor", usage, size_of::<FloorUniform>() as u64)?;
        let fragment = concat!(
            include_str!("../../../shaders/floor.wgsl"),
            include_str!("../../../shaders/grid.wgsl")
        );
        Ok(Self {
            module: lit_shader(gpu, "floor", fragment),
            layout: pipeline_layout(
                gpu,
                &[
                    Some(frame),
                    Some(&material::layout(gpu)),
                    Some(&group_layout),
                ],
            ),
            grid_layout: pipeline_layout(gpu, &[Some(frame), None, Some(&group_layout)]),
            group: bind::group(gpu, &group_layout, &[uniform.as_entire_binding()]),
            uniform,
            made: HashMap::new(),
            drawn: None,
        })
    }

    /// Binds the group of the floor (2) for the draw methods below.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(2, &self.group, &[]);
    }

    /// Prepares the draw methods. `only_shadows` is for a transparent background.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        floor: Option<&Floor>,
        mirrors: bool,
        only_shadows: bool,
        grid: Option<f32>,
        light: LightKind,
    ) {
        let spacing = grid.unwrap_or(1.0);
        let uniform = match floor {
            Some(floor) => FloorUniform {
                middle: floor.middle.to_array(),
                half_size: floor.half_size,
                mirror: if mirrors { floor.mirror } else { 0.0 },
                distortion: floor.distortion,
                fade: floor.fade,
                tile: floor.tile,
                blur: floor.blur,
                outside: floor.outside,
                edge: floor.edge,
                grid: spacing,
                unused: [0.0; 3],
                grid_color: floor.grid_color,
                end: 0.0,
            },
            None => FloorUniform {
                half_size: 100.0 * spacing,
                tile: 1.0,
                edge: 1e9,
                grid: spacing,
                ..FloorUniform::zeroed()
            },
        };
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let catcher = Kind::Catcher {
            shadow_taps: light.shadow_taps,
            shading: light.shading,
            occlusion: light.occlusion,
        };
        self.drawn = floor.map(|floor| {
            if only_shadows {
                catcher
            } else {
                lit_kind(floor, mirrors, light)
            }
        });
        let depth = (floor.is_some() && light.occlusion).then_some(Kind::Depth);
        let kinds = [self.drawn, grid.map(|_| Kind::Grid), depth];
        for kind in kinds.into_iter().flatten() {
            if !self.made.contains_key(&kind) {
                let pipeline = self.make(gpu, kind);
                self.made.insert(kind, pipeline);
            }
        }
    }

    /// Draws the floor. The groups of the frame and the floor must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, floor: &Floor) {
        if let Some(kind) = self.drawn {
            pass.set_pipeline(&self.made[&kind]);
            pass.set_bind_group(1, &floor.material.bind_group, &[]);
            pass.draw(0..4, 0..1);
        }
    }

    /// True if only the shadows on the floor are drawn.
    pub fn is_shadows(&self) -> bool {
        matches!(self.drawn, Some(Kind::Catcher { .. }))
    }

    /// Draws the depth of the floor into a target with one sample.
    pub fn draw_depth(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(pipeline) = self.made.get(&Kind::Depth) {
            pass.set_pipeline(pipeline);
            pass.draw(0..4, 0..1);
        }
    }

    /// Draws the grid.
    pub fn draw_grid(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.made[&Kind::Grid]);
        pass.draw(0..4, 0..1);
    }

    fn make(&self, gpu: &Gpu, kind: Kind) -> RenderPipeline {
        let on = |flag: bool| f64::from(u8::from(flag));
        let (layout, entry_point) = match kind {
            Kind::Grid | Kind::Depth => (&self.grid_layout, "grid_lines"),
            Kind::Catcher { .. } | Kind::Lit { .. } => (&self.layout, "floor_light"),
        };
        let (textures, mirror_taps, light) = match kind {
            Kind::Grid | Kind::Depth => (0, 0, LightKind::default()),
            Kind::Catcher {
                shadow_taps,
                shading,
                occlusion,
            } => {
                let light = LightKind {
                    shadow_taps,
                    shading,
                    occlusion,
                    ..LightKind::default()
                };
                (0, 0, light)
            }
            Kind::Lit {
                textures,
                mirror_taps,
                light,
            } => (textures, mirror_taps, light),
        };
        let of_floor = [
            ("textures", f64::from(textures)),
            ("catcher", on(matches!(kind, Kind::Catcher { .. }))),
            ("mirror_taps", f64::from(mirror_taps)),
            // Reflections come from a separate pass.
            ("glossy", 0.0),
        ];
        let constants = [&of_floor[..], &light.constants()].concat();
        let blended = matches!(kind, Kind::Grid | Kind::Catcher { .. });
        let target = wgpu::ColorTargetState {
            format: HDR_FORMAT,
            blend: blended.then_some(wgpu::BlendState::ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry_point),
                layout: Some(layout),
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
                    depth_write_enabled: Some(!blended),
                    depth_compare: Some(wgpu::CompareFunction::LessEqual),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState {
                    count: if kind == Kind::Depth { 1 } else { SAMPLES },
                    ..Default::default()
                },
                fragment: (kind != Kind::Depth).then_some(wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &constants,
                        ..Default::default()
                    },
                    targets: &[Some(target)],
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Lit {
        textures: u32,
        mirror_taps: u32,
        light: LightKind,
    },
    Catcher {
        shadow_taps: u32,
        shading: Shading,
        occlusion: bool,
    },
    Grid,
    Depth,
}

fn lit_kind(floor: &Floor, mirrors: bool, light: LightKind) -> Kind {
    let looks = floor.material.looks;
    Kind::Lit {
        textures: looks.textures,
        mirror_taps: match (mirrors, floor.blur > 0.0) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        },
        light,
    }
}
