//! Pipelines for each kind of surface and pass, created on demand.

use super::light_kind::LightKind;
use super::shader::{VERTEX, lit_shader, pipeline_layout, shader};
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::draw::crowd::drawn as crowd;
use crate::draw::surface::instance::Instance;
use crate::draw::surface::material::{self, Looks};
use crate::draw::surface::surfaces::Draw;
use crate::render::formats::{DEPTH_FORMAT, HDR_FORMAT, SAMPLES, SHADOW_FORMAT};
use crate::skin::vertex::{SkinnedTangent, SkinnedVertex, SurfaceVertex};
use std::collections::HashMap;
use wgpu::{
    BindGroupLayout, CompareFunction, PipelineLayout, RenderPass, RenderPipeline, ShaderModule,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::render) enum Pass {
    Shadow,
    Mirror,
    Main,
    Wire,
}

#[derive(Debug)]
pub(in crate::render) struct SurfacePipelines {
    lit: ShaderModule,
    depth: ShaderModule,
    lit_layouts: [PipelineLayout; 2],
    depth_layouts: [PipelineLayout; 2],
    made: HashMap<(Pass, Looks, LightKind, Face), RenderPipeline>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Face {
    culled: Option<wgpu::Face>,
    has_tangents: bool,
    is_pulled: bool,
}

impl SurfacePipelines {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Self {
        let material = material::layout(gpu);
        let sun = bind::layout(gpu, "sun", &[bind::UNIFORM]);
        let crowd = crowd::layout(gpu);
        let fragment = [
            include_str!("../../../shaders/crowd_vertex.wgsl"),
            include_str!("../../../shaders/lit.wgsl"),
            include_str!("../../../shaders/wire.wgsl"),
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
                    include_str!("../../../shaders/crowd_vertex.wgsl"),
                    include_str!("../../../shaders/depth.wgsl"),
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

    /// Draws a surface. The group of the frame must be bound.
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
            // A blended surface draws its far side first.
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
        let (module, entry_point, layouts) = match pass {
            Pass::Shadow => (&self.depth, "holes", &self.depth_layouts),
            Pass::Wire => (&self.lit, "wire", &self.lit_layouts),
            // Only the main pass has several samples per pixel.
            Pass::Main if looks.masked => (&self.lit, "lit_mask", &self.lit_layouts),
            _ => (&self.lit, "lit", &self.lit_layouts),
        };
        let constants = fragment_constants(pass, looks, light, face);
        let has_target = pass != Pass::Shadow;
        let has_fragments = has_target || looks.masked || looks.blended;
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry_point),
                layout: Some(&layouts[usize::from(face.is_pulled)]),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some(vertex_entry(pass, face)),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &[tangent_constant(face)],
                        ..Default::default()
                    },
                    buffers: &vertex_buffers(face),
                },
                primitive: primitive(pass, looks, face),
                depth_stencil: Some(depth_stencil(pass, looks)),
                multisample: wgpu::MultisampleState {
                    count: match pass {
                        Pass::Main | Pass::Wire => SAMPLES,
                        Pass::Shadow | Pass::Mirror => 1,
                    },
                    ..Default::default()
                },
                fragment: has_fragments.then_some(wgpu::FragmentState {
                    module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &constants,
                        ..Default::default()
                    },
                    targets: &[Some(color_target(pass, looks))][..usize::from(has_target)],
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

type Constant = (&'static str, f64);

fn tangent_constant(face: Face) -> Constant {
    ("has_tangents", f64::from(u8::from(face.has_tangents)))
}

fn fragment_constants(pass: Pass, looks: Looks, light: LightKind, face: Face) -> Vec<Constant> {
    let mut constants = looks.constants().to_vec();
    if pass == Pass::Shadow {
        constants.retain(|(name, _)| ["masked", "blended", "textures"].contains(name));
    } else {
        constants.push(tangent_constant(face));
        constants.extend(light.constants());
    }
    constants
}

fn vertex_entry(pass: Pass, face: Face) -> &'static str {
    match pass {
        Pass::Wire => "wire_vertex",
        _ if face.is_pulled => "crowd_vertex",
        _ if face.has_tangents => "tangent_vertex",
        _ => "surface_vertex",
    }
}

fn vertex_buffers(face: Face) -> Vec<Option<wgpu::VertexBufferLayout<'static>>> {
    let vertices = if face.is_pulled {
        crowd::MEMBER_LAYOUT
    } else {
        SkinnedVertex::LAYOUT
    };
    let mut buffers = vec![vertices, SurfaceVertex::LAYOUT, Instance::LAYOUT];
    if face.has_tangents && !face.is_pulled {
        buffers.push(SkinnedTangent::LAYOUT);
    }
    buffers.into_iter().map(Some).collect()
}

fn primitive(pass: Pass, looks: Looks, face: Face) -> wgpu::PrimitiveState {
    // A mirroring transform flips the triangles, and so does the mirror pass.
    let is_clockwise = looks.mirrored != (pass == Pass::Mirror);
    wgpu::PrimitiveState {
        topology: if pass == Pass::Wire {
            wgpu::PrimitiveTopology::LineList
        } else {
            wgpu::PrimitiveTopology::TriangleList
        },
        front_face: if is_clockwise {
            wgpu::FrontFace::Cw
        } else {
            wgpu::FrontFace::Ccw
        },
        cull_mode: face.culled,
        ..Default::default()
    }
}

fn is_blended(pass: Pass, looks: Looks) -> bool {
    looks.blended && pass != Pass::Shadow || pass == Pass::Wire
}

fn color_target(pass: Pass, looks: Looks) -> wgpu::ColorTargetState {
    wgpu::ColorTargetState {
        format: HDR_FORMAT,
        blend: is_blended(pass, looks).then_some(wgpu::BlendState::ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    }
}

fn depth_stencil(pass: Pass, looks: Looks) -> wgpu::DepthStencilState {
    let (format, bias) = match pass {
        Pass::Shadow => {
            let bias = wgpu::DepthBiasState {
                constant: 2,
                slope_scale: 2.0,
                clamp: 0.0,
            };
            (SHADOW_FORMAT, bias)
        }
        Pass::Mirror | Pass::Main | Pass::Wire => (DEPTH_FORMAT, Default::default()),
    };
    wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(!is_blended(pass, looks)),
        depth_compare: Some(CompareFunction::LessEqual),
        stencil: Default::default(),
        bias,
    }
}

/// Resets looks and light that have no effect in a pass, so that passes share pipelines.
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
