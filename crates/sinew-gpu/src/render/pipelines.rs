//! A pipeline for every kind of surface in every pass, made when it is first needed.

use super::shadow;
use super::stage::Shading;
use super::targets::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES};
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::draw::crowd;
use crate::draw::instance::Instance;
use crate::draw::material::{self, Looks};
use crate::draw::surfaces::Draw;
use crate::skin::vertex::{SkinnedTangent, SkinnedVertex, SurfaceVertex};
use std::collections::HashMap;
use wgpu::{
    BindGroupLayout, CompareFunction, PipelineLayout, RenderPass, RenderPipeline, ShaderModule,
};

/// Which pass a surface is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pass {
    Shadow,
    Mirror,
    Main,
    /// Edges over the main pass.
    Wire,
}

/// What of a picture's light decides which pipelines draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct LightKind {
    /// With the sun.
    pub lamps: u32,
    /// To look one shadow up; 0 without shadows.
    pub shadow_taps: u32,
    pub shading: Shading,
    /// Whether there is an environment map.
    pub environment: bool,
    /// Whether it is known what is open.
    pub open: bool,
}

impl LightKind {
    /// What a shader made by [`lit_shader`] is told of it.
    pub fn constants(self) -> [(&'static str, f64); 5] {
        let on = |flag: bool| f64::from(u8::from(flag));
        [
            ("lamp_count", f64::from(self.lamps)),
            ("shadow_taps", f64::from(self.shadow_taps)),
            ("is_phong", on(self.shading == Shading::Phong)),
            ("has_environment", on(self.environment)),
            ("has_open_map", on(self.open)),
        ]
    }
}

#[derive(Debug)]
pub(crate) struct SurfacePipelines {
    lit: ShaderModule,
    depth: ShaderModule,
    /// Of what brings its vertices, and of what is pulled.
    lit_layouts: [PipelineLayout; 2],
    depth_layouts: [PipelineLayout; 2],
    made: HashMap<(Pass, Looks, LightKind, Face), RenderPipeline>,
}

/// Which faces of a surface are drawn, whether it has tangents, and whether it is a crowd's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Face {
    culled: Option<wgpu::Face>,
    has_tangents: bool,
    is_pulled: bool,
}

const VERTEX: &str = concat!(
    include_str!("../../shaders/frame.wgsl"),
    include_str!("../../shaders/surface_vertex.wgsl"),
    include_str!("../../shaders/material.wgsl"),
);

/// The source of a lit surface's shader, up to what its fragments do.
pub(crate) const SHADING: &str = concat!(
    include_str!("../../shaders/surface.wgsl"),
    include_str!("../../shaders/environment.wgsl"),
    include_str!("../../shaders/glass.wgsl"),
    include_str!("../../shaders/phong.wgsl"),
    include_str!("../../shaders/shadow_test.wgsl"),
    include_str!("../../shaders/physical.wgsl"),
    include_str!("../../shaders/shade.wgsl"),
);

/// A shader for surfaces in the light.
pub(crate) fn lit_shader(gpu: &Gpu, label: &str, fragment: &str) -> ShaderModule {
    shader(gpu, label, &[VERTEX, SHADING, fragment])
}

pub(crate) fn shader(gpu: &Gpu, label: &str, parts: &[&str]) -> ShaderModule {
    gpu.device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(parts.concat().into()),
        })
}

pub(crate) fn pipeline_layout(gpu: &Gpu, groups: &[Option<&BindGroupLayout>]) -> PipelineLayout {
    gpu.device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: groups,
            immediate_size: 0,
        })
}

impl SurfacePipelines {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Self {
        let material = material::layout(gpu);
        let sun = bind::layout(gpu, "sun", &[bind::UNIFORM]);
        let crowd = crowd::layout(gpu);
        let fragment = [
            include_str!("../../shaders/crowd_vertex.wgsl"),
            include_str!("../../shaders/lit.wgsl"),
            include_str!("../../shaders/wire.wgsl"),
        ];
        let layouts = |frame| {
            let groups = [Some(frame), Some(&material), Some(&crowd)];
            [2, 3].map(|count| pipeline_layout(gpu, &groups[..count]))
        };
        Self {
            lit: lit_shader(gpu, "lit", &fragment.concat()),
            depth: shader(
                gpu,
                "depth",
                &[
                    VERTEX,
                    include_str!("../../shaders/crowd_vertex.wgsl"),
                    include_str!("../../shaders/depth.wgsl"),
                ],
            ),
            lit_layouts: layouts(frame),
            depth_layouts: layouts(&sun),
            made: HashMap::new(),
        }
    }

    fn get(
        &mut self,
        gpu: &Gpu,
        pass: Pass,
        looks: Looks,
        light: LightKind,
        face: Face,
    ) -> &RenderPipeline {
        let (looks, light) = needed(pass, looks, light);
        let key = (pass, looks, light, face);
        if !self.made.contains_key(&key) {
            let pipeline = self.make(gpu, pass, looks, light, face);
            self.made.insert(key, pipeline);
        }
        &self.made[&key]
    }

    /// Frame groups are bound already.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        render_pass: &mut RenderPass<'_>,
        pass: Pass,
        light: LightKind,
        draw: &Draw<'_>,
    ) {
        let mut looks = draw.material.looks;
        looks.flat_shaded = draw.part.flat_shaded;
        looks.mirrored = draw.mirrored;
        looks.inverted = draw.inverted;
        let culled = match (pass, looks.two_sided, looks.blended) {
            (Pass::Shadow | Pass::Wire, ..) | (Pass::Mirror, true, _) => &[None][..],
            // What is seen through shows its far side first.
            (Pass::Main, true, true) => &[Some(wgpu::Face::Front), Some(wgpu::Face::Back)],
            (Pass::Main, true, false) => &[None],
            (Pass::Main | Pass::Mirror, false, _) => &[Some(wgpu::Face::Back)],
        };
        for &culled in culled {
            let has_tangents = match draw.pulled {
                Some(pulled) => pulled.has_tangents,
                None => draw.tangents.is_some(),
            };
            let face = Face {
                culled,
                has_tangents: has_tangents && pass == Pass::Main,
                is_pulled: draw.pulled.is_some(),
            };
            render_pass.set_pipeline(self.get(gpu, pass, looks, light, face));
            render_pass.set_bind_group(1, &draw.material.bind_group, &[]);
            match pass {
                Pass::Wire => draw.edges(render_pass),
                _ => draw.triangles(render_pass),
            }
        }
    }

    fn make(
        &self,
        gpu: &Gpu,
        pass: Pass,
        looks: Looks,
        light: LightKind,
        face: Face,
    ) -> RenderPipeline {
        let mut of_surface = looks.constants().to_vec();
        let tangents = ("has_tangents", f64::from(u8::from(face.has_tangents)));
        let mut lit = of_surface.clone();
        lit.push(tangents);
        lit.extend(light.constants());
        of_surface.retain(|(name, _)| ["masked", "blended", "textures"].contains(name));
        let (module, entry_point, layouts) = match pass {
            Pass::Shadow => (&self.depth, "holes", &self.depth_layouts),
            Pass::Wire => (&self.lit, "wire", &self.lit_layouts),
            // Only there a pixel has samples to leave out.
            Pass::Main if looks.masked => (&self.lit, "lit_mask", &self.lit_layouts),
            _ => (&self.lit, "lit", &self.lit_layouts),
        };
        let layout = &layouts[usize::from(face.is_pulled)];
        let compilation_options = wgpu::PipelineCompilationOptions {
            constants: match pass {
                // Its shader knows of no light.
                Pass::Shadow => &of_surface,
                _ => &lit,
            },
            ..Default::default()
        };
        let blend = looks.blended && pass != Pass::Shadow || pass == Pass::Wire;
        let targets = [Some(wgpu::ColorTargetState {
            format: HDR_FORMAT,
            blend: blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        })];
        let fragment = wgpu::FragmentState {
            module,
            entry_point: Some(entry_point),
            compilation_options: compilation_options.clone(),
            targets: match pass {
                Pass::Shadow => &[],
                _ => &targets,
            },
        };
        let depth_stencil = wgpu::DepthStencilState {
            format: match pass {
                Pass::Shadow => shadow::FORMAT,
                _ => DEPTH_FORMAT,
            },
            depth_write_enabled: Some(!blend),
            depth_compare: Some(CompareFunction::LessEqual),
            stencil: Default::default(),
            bias: match pass {
                Pass::Shadow => wgpu::DepthBiasState {
                    constant: 2,
                    slope_scale: 2.0,
                    clamp: 0.0,
                },
                _ => Default::default(),
            },
        };
        let mut buffers = vec![
            Some(match face.is_pulled {
                true => crowd::MEMBER_LAYOUT,
                false => SkinnedVertex::LAYOUT,
            }),
            Some(SurfaceVertex::LAYOUT),
            Some(Instance::LAYOUT),
        ];
        if face.has_tangents && !face.is_pulled {
            buffers.push(Some(SkinnedTangent::LAYOUT));
        }
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry_point),
                layout: Some(layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some(match pass {
                        Pass::Wire => "wire_vertex",
                        _ if face.is_pulled => "crowd_vertex",
                        _ if face.has_tangents => "tangent_vertex",
                        _ => "surface_vertex",
                    }),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &[tangents],
                        ..Default::default()
                    },
                    buffers: &buffers,
                },
                primitive: wgpu::PrimitiveState {
                    topology: match pass {
                        Pass::Wire => wgpu::PrimitiveTopology::LineList,
                        _ => wgpu::PrimitiveTopology::TriangleList,
                    },
                    // A mirror turns triangles round, and the floor is one more.
                    front_face: match looks.mirrored != (pass == Pass::Mirror) {
                        true => wgpu::FrontFace::Cw,
                        false => wgpu::FrontFace::Ccw,
                    },
                    cull_mode: face.culled,
                    ..Default::default()
                },
                depth_stencil: Some(depth_stencil),
                multisample: wgpu::MultisampleState {
                    count: match pass {
                        Pass::Main | Pass::Wire => SAMPLES,
                        _ => 1,
                    },
                    ..Default::default()
                },
                fragment: (pass != Pass::Shadow || looks.masked || looks.blended)
                    .then_some(fragment),
                multiview_mask: None,
                cache: None,
            })
    }
}

/// What of them makes a difference in a pass.
fn needed(pass: Pass, looks: Looks, light: LightKind) -> (Looks, LightKind) {
    let without_light = match pass {
        Pass::Shadow if looks.masked || looks.blended => Looks {
            masked: looks.masked,
            blended: looks.blended,
            textures: looks.textures & 1,
            ..Looks::default()
        },
        Pass::Shadow | Pass::Wire => Looks::default(),
        _ if looks.unlit => looks,
        _ => return (looks, light),
    };
    (without_light, LightKind::default())
}
