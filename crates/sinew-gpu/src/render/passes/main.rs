//! Main pass: all lit surfaces from the camera, then glass.

use super::attachments::{cleared_depth, color, kept_depth};
use super::behind::{BehindGroups, BehindPass};
use super::floor::FloorPass;
use super::quads::{DUST, LINES, QuadPass, back_to_front};
use super::recording::Recording;
use super::sky;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::marks::dust::DustParticle;
use crate::draw::marks::lines::Line;
use crate::draw::surface::surfaces::Draw;
use crate::render::formats::SAMPLES;
use crate::render::pipelines::surface::Pass;
use crate::render::shading::Shading;
use crate::render::stage::{Background, Stage, View};
use crate::render::targets::Targets;
use crate::render::timings::Span;
use glam::Vec3;
use wgpu::{BindGroupLayout, RenderPass, RenderPipeline};

#[derive(Debug)]
pub(in crate::render) struct MainPass {
    pub floor: FloorPass,
    sky: RenderPipeline,
    dust: QuadPass<DustParticle>,
    lines: QuadPass<Line>,
}

impl MainPass {
    pub fn new(gpu: &Gpu, frame: &BindGroupLayout) -> Result<Self, GpuError> {
        Ok(Self {
            floor: FloorPass::new(gpu, frame)?,
            lines: QuadPass::new(gpu, frame, &LINES)?,
            dust: QuadPass::new(gpu, frame, &DUST)?,
            sky: sky::pipeline(gpu, frame, SAMPLES),
        })
    }

    /// Uploads the lines and dust of a stage.
    pub fn prepare(&mut self, gpu: &Gpu, stage: &Stage<'_>, view: &View) -> Result<(), GpuError> {
        self.lines.prepare(gpu, stage.lines)?;
        let dust = back_to_front(stage.dust, view.camera.eye);
        self.dust.prepare(gpu, &dust)
    }

    pub fn encode(
        &self,
        recording: &mut Recording<'_>,
        targets: &Targets,
        behind: &BehindPass,
        groups: &BehindGroups,
    ) {
        let order = Order::new(recording);
        let has_glass = !order.glass.is_empty();
        let clock = recording.clock.as_deref_mut();
        let mut pass = recording
            .encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("main"),
                timestamp_writes: clock.map(|c| c.span(Span::Main)),
                color_attachments: &[Some(color(targets, true, !has_glass))],
                depth_stencil_attachment: Some(cleared_depth(&targets.depth, has_glass)),
                ..Default::default()
            });
        let (gpu, light) = (recording.gpu, recording.light);
        pass.set_bind_group(0, &recording.frames.groups()[0], &[]);
        for draw in order.opaque {
            recording
                .surfaces
                .draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        pass.set_bind_group(0, &recording.frames.groups()[1], &[]);
        self.draw_surroundings(&mut pass, recording.stage, recording.view);
        if has_glass {
            drop(pass);
            behind.encode(&mut recording.encoder, targets, groups);
            let clock = recording.clock.as_deref_mut();
            pass = recording
                .encoder
                .begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("glass"),
                    timestamp_writes: clock.map(|c| c.span(Span::Main)),
                    color_attachments: &[Some(color(targets, false, true))],
                    depth_stencil_attachment: Some(kept_depth(&targets.depth)),
                    ..Default::default()
                });
        }
        pass.set_bind_group(0, &recording.frames.groups()[0], &[]);
        for draw in order.glass.into_iter().chain(order.blended) {
            recording
                .surfaces
                .draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        self.dust.draw(&mut pass);
        if recording.view.wireframe {
            let characters = recording.stage.characters.iter().flat_map(|f| f.draws());
            for draw in characters.filter(|d| !d.is_empty()) {
                recording
                    .surfaces
                    .draw(gpu, &mut pass, Pass::Wire, light, &draw);
            }
        }
        self.lines.draw(&mut pass);
    }

    fn draw_surroundings(&self, pass: &mut RenderPass<'_>, stage: &Stage<'_>, view: &View) {
        self.floor.bind(pass);
        // An opaque floor hides the sky, so it comes first. A floor of shadows comes after.
        if let Some(floor) = stage.floor.filter(|_| !self.floor.is_shadows()) {
            self.floor.draw(pass, floor);
        }
        if view.background == Background::Sky {
            pass.set_pipeline(&self.sky);
            pass.draw(0..3, 0..1);
        }
        if view.grid.is_some() {
            self.floor.draw_grid(pass);
        }
        if let Some(floor) = stage.floor.filter(|_| self.floor.is_shadows()) {
            self.floor.draw(pass, floor);
        }
    }
}

struct Order<'a> {
    opaque: Vec<&'a Draw<'a>>,
    glass: Vec<&'a Draw<'a>>,
    blended: Vec<&'a Draw<'a>>,
}

impl<'a> Order<'a> {
    fn new(recording: &Recording<'a>) -> Self {
        let eye: Vec3 = recording.view.camera.eye;
        let away = |d: &Draw<'_>| (d.middle - eye).length_squared();
        let has_glass = recording.light.shading == Shading::Physical;
        let (mut blended, opaque): (Vec<&Draw<'_>>, Vec<&Draw<'_>>) = recording
            .draws
            .iter()
            .partition(|d| d.material.looks.blended);
        let (glass, mut opaque): (Vec<&Draw<'_>>, Vec<&Draw<'_>>) = opaque
            .into_iter()
            .partition(|d| d.material.looks.is_glass && has_glass);
        // From front to back, before floor and sky, so that hidden pixels are not shaded.
        opaque.sort_by(|a, b| away(a).total_cmp(&away(b)));
        blended.sort_by(|a, b| away(b).total_cmp(&away(a)));
        Self {
            opaque,
            glass,
            blended,
        }
    }
}
