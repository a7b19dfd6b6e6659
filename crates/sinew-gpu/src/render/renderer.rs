//! All passes of a picture, in their order.

use super::attachments::{cleared_depth, color, kept_depth};
use super::environment::Environment;
use super::floor::FloorPass;
use super::frame_group;
use super::frames::Frames;
use super::open::{OpenGroups, OpenPass};
use super::pipelines::{LightKind, Pass, SurfacePipelines};
use super::post::{BehindGroups, Post, PostGroups, ToneUniform};
use super::quads::{DUST, LINES, QuadPass, back_to_front};
use super::shadow::ShadowMap;
use super::sky;
use super::stage::{Background, Shading, Stage, View};
use super::targets::{self, SAMPLES, Target, Targets};
use super::timings::{Clock, Span, Timings};
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::draw::dust::DustParticle;
use crate::draw::error::RenderError;
use crate::draw::overlay::Line;
use crate::draw::surfaces::Draw;
use crate::image::picture::Picture;
use std::ops::Range;
use wgpu::{BindGroup, BufferUsages, RenderPipeline};

/// The maker of pictures. It keeps its pipelines, and the targets of the last size.
#[derive(Debug)]
pub struct Renderer {
    surfaces: SurfacePipelines,
    floor: FloorPass,
    open: OpenPass,
    lines: QuadPass<Line>,
    dust: QuadPass<DustParticle>,
    post: Post,
    skies: [RenderPipeline; 2],
    shadow: ShadowMap,
    /// In place of an environment where there is none.
    black: Environment,
    frames: Frames,
    floor_group: BindGroup,
    targets: Option<Prepared>,
    clock: Option<Clock>,
}

/// Targets and what binds them.
#[derive(Debug)]
struct Prepared {
    targets: Targets,
    /// Of one picture, and of the sum of several.
    post: [PostGroups; 2],
    behind: BehindGroups,
    open: OpenGroups,
}

impl Renderer {
    /// Makes what pictures of any size need.
    pub fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        let shadow = ShadowMap::new(gpu);
        let black = Environment::black(gpu);
        let frame_layout = frame_group::layout(gpu);
        let floor = FloorPass::new(gpu, &frame_layout)?;
        let renderer = Self {
            surfaces: SurfacePipelines::new(gpu, &frame_layout),
            frames: Frames::new(gpu, &frame_layout)?,
            floor_group: floor.group(gpu),
            floor,
            open: OpenPass::new(gpu, &bind::layout(gpu, "sun", &[bind::UNIFORM])),
            lines: QuadPass::new(gpu, &frame_layout, &LINES)?,
            dust: QuadPass::new(gpu, &frame_layout, &DUST)?,
            post: Post::new(gpu)?,
            skies: [SAMPLES, 1].map(|samples| sky::pipeline(gpu, &frame_layout, samples)),
            shadow,
            black,
            targets: None,
            clock: None,
        };
        gpu.check()?;
        Ok(renderer)
    }

    /// Whether a picture of a size, pixels per row and rows, can be made.
    pub fn check_size(gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
        targets::check_size(gpu, size)
    }

    /// Draws a stage and reads the picture back.
    pub fn render(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
    ) -> Result<Picture, RenderError> {
        self.draw(gpu, stage, view)?;
        self.read(gpu)
    }

    /// Draws a stage, and leaves the picture where it is.
    pub fn draw(&mut self, gpu: &Gpu, stage: &Stage<'_>, view: &View) -> Result<(), RenderError> {
        self.draw_to(gpu, stage, view, None, 0..view.layers)
    }

    /// Draws a stage into a texture of the caller's, a window's or an editor's, and does not wait.
    ///
    /// # Errors
    /// [`RenderError`] when the view's size cannot be drawn, or its camera sees nothing.
    pub fn draw_into(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: &Target<'_>,
    ) -> Result<(), RenderError> {
        self.draw_to(gpu, stage, view, Some(target), 0..view.layers)
    }

    /// Draws some of a picture's layers into a texture, over those that the calls before have drawn of it, so that a still
    /// grows better while a program goes on. Stage and view stay the same from the first layer to the last, and nothing
    /// else is drawn between.
    ///
    /// # Errors
    /// As [`Renderer::draw_into`].
    pub fn draw_layers_into(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: &Target<'_>,
        layers: Range<u32>,
    ) -> Result<(), RenderError> {
        self.draw_to(gpu, stage, view, Some(target), layers)
    }

    fn draw_to(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: Option<&Target<'_>>,
        now: Range<u32>,
    ) -> Result<(), RenderError> {
        let layers = view.layers.clamp(1, MAX_LAYERS);
        let now = now.start.min(layers - 1)..now.end.clamp(1, layers);
        self.prepare_targets(gpu, view.size)?;
        let [width, height] = view.size.map(|s| s as f32);
        let camera = view.camera;
        if !camera.clip_from_world(width / height).is_finite() {
            return Err(RenderError::Camera { camera });
        }
        let draws = stage.draws(gpu, view);
        let clear = view.background == Background::Clear;
        let mirrors = view.reflection
            && !clear
            && view.camera.eye.y > 0.0
            && stage.floor.is_some_and(|f| f.mirror > 0.0);
        let (light, main) = self.frames.prepare(gpu, stage, view, mirrors);
        // The smallest pictures have nothing to spread light over.
        let halvings = self
            .targets
            .as_ref()
            .map_or(0, |t| t.targets.halvings.len());
        let blooms = view.bloom > 0.0 && halvings > 0;
        let tone = ToneUniform {
            exposure: view.lighting.exposure,
            bloom: if blooms { view.bloom } else { 0.0 },
            whole: layers as f32 / now.end as f32,
            unused: 0.0,
        };
        self.post.prepare(gpu, &tone, view.tone);
        if let Some(target) = target {
            self.post.prepare_format(gpu, target.format);
        }
        let environment = stage.environment.unwrap_or(&self.black);
        let targets = &self.targets.as_ref().expect("prepared above").targets;
        self.frames.bind(gpu, &self.shadow, environment, targets);
        let only_shadows = clear || stage.floor.is_some_and(|f| f.is_backdrop && !mirrors);
        self.floor
            .prepare(gpu, stage.floor, mirrors, only_shadows, view.grid, light);
        self.lines.prepare(gpu, stage.lines)?;
        self.dust
            .prepare(gpu, &back_to_front(stage.dust, view.camera.eye))?;
        if let Some(clock) = &mut self.clock {
            clock.begin();
        }
        let mut encoder = gpu.encoder();
        let is_first = now.start == 0;
        if view.shadow && is_first {
            self.shadow_pass(gpu, &mut encoder, &draws);
        }
        if mirrors && is_first {
            self.mirror_pass(gpu, &mut encoder, &draws, light);
        }
        for layer in now.clone() {
            if layer > now.start {
                // What is written to the frame counts for what is submitted after it.
                gpu.submit(std::mem::replace(&mut encoder, gpu.encoder()));
            }
            if layers > 1 {
                self.frames.look_elsewhere(gpu, &main, layer, layers);
            }
            if light.open {
                self.open_pass(gpu, &mut encoder, &draws, stage);
            }
            self.main_pass(gpu, &mut encoder, &draws, stage, view, light);
            if layers > 1 {
                let prepared = self.targets.as_ref().expect("prepared above");
                let part = 1.0 / f64::from(layers);
                let (targets, groups) = (&prepared.targets, &prepared.post[0]);
                let (is_first, clock) = (layer == 0, self.clock.as_mut());
                self.post
                    .add_to_sum(&mut encoder, targets, groups, is_first, part, clock);
            }
        }
        let prepared = self.targets.as_ref().expect("prepared above");
        let groups = &prepared.post[usize::from(layers > 1)];
        if blooms {
            let clock = self.clock.as_mut();
            self.post
                .bloom(&mut encoder, &prepared.targets, groups, clock);
        }
        self.post
            .tone(&mut encoder, groups, target, self.clock.as_mut());
        if let Some(clock) = &self.clock {
            clock.resolve(&mut encoder);
        }
        gpu.submit(encoder);
        gpu.check()?;
        Ok(())
    }

    fn prepare_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
        if self.targets.as_ref().is_none_or(|t| t.targets.size != size) {
            self.targets = None;
            let targets = Targets::new(gpu, size)?;
            let post = [&targets.light, &targets.sum];
            self.targets = Some(Prepared {
                post: post.map(|light| self.post.groups(gpu, &targets, light)),
                behind: self.post.behind_groups(gpu, &targets),
                open: self.open.groups(gpu, &targets),
                targets,
            });
        }
        Ok(())
    }

    /// What is open, by the depth of all that hides other things.
    fn open_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        draws: &[Draw<'_>],
        stage: &Stage<'_>,
    ) {
        let prepared = self.targets.as_ref().expect("prepared before");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("near depth"),
            timestamp_writes: self.clock.as_mut().map(|c| c.span(Span::Open)),
            depth_stencil_attachment: Some(cleared_depth(&prepared.targets.near_depth, true)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.near_group, &[]);
        let opaque = draws.iter().filter(|d| !d.material.looks.blended);
        for draw in opaque {
            self.surfaces
                .draw(gpu, &mut pass, Pass::Shadow, LightKind::default(), draw);
        }
        if stage.floor.is_some() {
            pass.set_bind_group(0, &self.frames.groups()[1], &[]);
            pass.set_bind_group(2, &self.floor_group, &[]);
            self.floor.draw_depth(&mut pass);
        }
        drop(pass);
        let frame = &self.frames.near_group;
        let clock = self.clock.as_mut();
        self.open
            .encode(encoder, frame, &prepared.targets, &prepared.open, clock);
    }

    fn shadow_pass(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, draws: &[Draw<'_>]) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            timestamp_writes: self.clock.as_mut().map(|c| c.span(Span::Shadow)),
            depth_stencil_attachment: Some(cleared_depth(&self.shadow.view, true)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.sun_group, &[]);
        for draw in draws {
            self.surfaces
                .draw(gpu, &mut pass, Pass::Shadow, LightKind::default(), draw);
        }
    }

    fn mirror_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        draws: &[Draw<'_>],
        light: LightKind,
    ) {
        let targets = &self.targets.as_ref().expect("prepared before").targets;
        let color = wgpu::RenderPassColorAttachment {
            view: &targets.mirror,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mirror"),
            timestamp_writes: self.clock.as_mut().map(|c| c.span(Span::Mirror)),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(cleared_depth(&targets.mirror_depth, false)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.groups()[2], &[]);
        let opaque = draws.iter().filter(|d| !d.material.looks.blended);
        for draw in opaque {
            self.surfaces
                .draw(gpu, &mut pass, Pass::Mirror, light, draw);
        }
        pass.set_pipeline(&self.skies[1]);
        pass.draw(0..3, 0..1);
    }

    fn main_pass(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        draws: &[Draw<'_>],
        stage: &Stage<'_>,
        view: &View,
        light: LightKind,
    ) {
        let prepared = self.targets.as_ref().expect("prepared before");
        let targets = &prepared.targets;
        let away = |d: &Draw<'_>| (d.middle - view.camera.eye).length_squared();
        let (mut blended, opaque): (Vec<&Draw<'_>>, Vec<&Draw<'_>>) =
            draws.iter().partition(|d| d.material.looks.blended);
        let (glass, mut opaque): (Vec<&Draw<'_>>, Vec<&Draw<'_>>) = opaque
            .into_iter()
            .partition(|d| d.material.looks.is_glass && light.shading == Shading::Physical);
        // From the front to the back, then the floor and the sky: what is hidden is not lit for nothing.
        opaque.sort_by(|a, b| away(a).total_cmp(&away(b)));
        blended.sort_by(|a, b| away(b).total_cmp(&away(a)));

        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("main"),
            timestamp_writes: self.clock.as_mut().map(|c| c.span(Span::Main)),
            color_attachments: &[Some(color(targets, true, glass.is_empty()))],
            depth_stencil_attachment: Some(cleared_depth(&targets.depth, !glass.is_empty())),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.groups()[0], &[]);
        for draw in opaque {
            self.surfaces.draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        pass.set_bind_group(0, &self.frames.groups()[1], &[]);
        pass.set_bind_group(2, &self.floor_group, &[]);
        // A floor that hides the sky comes before it, shadows alone after.
        if let Some(floor) = stage.floor.filter(|_| !self.floor.is_shadows()) {
            self.floor.draw(&mut pass, floor);
        }
        if view.background == Background::Sky {
            pass.set_pipeline(&self.skies[0]);
            pass.draw(0..3, 0..1);
        }
        if view.grid.is_some() {
            self.floor.draw_grid(&mut pass);
        }
        if let Some(floor) = stage.floor.filter(|_| self.floor.is_shadows()) {
            self.floor.draw(&mut pass, floor);
        }
        if !glass.is_empty() {
            drop(pass);
            self.post.behind(encoder, targets, &prepared.behind);
            pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("glass"),
                timestamp_writes: self.clock.as_mut().map(|c| c.span(Span::Main)),
                color_attachments: &[Some(color(targets, false, true))],
                depth_stencil_attachment: Some(kept_depth(&targets.depth)),
                ..Default::default()
            });
        }
        pass.set_bind_group(0, &self.frames.groups()[0], &[]);
        for draw in glass.into_iter().chain(blended) {
            self.surfaces.draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        self.dust.draw(&mut pass);
        if view.wireframe {
            let characters = stage.characters.iter().flat_map(|f| f.draws());
            for draw in characters.filter(|d| !d.is_empty()) {
                self.surfaces.draw(gpu, &mut pass, Pass::Wire, light, &draw);
            }
        }
        self.lines.draw(&mut pass);
    }

    /// Measures what follows, when the device can.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        self.clock = Clock::new(gpu)?;
        Ok(())
    }

    /// How long the passes of the last picture took, by the GPU's own clock. Waits for it.
    pub fn timings(&self, gpu: &Gpu) -> Result<Option<Timings>, RenderError> {
        match &self.clock {
            Some(clock) => Ok(Some(clock.read(gpu)?)),
            None => Ok(None),
        }
    }

    /// The last picture drawn. Waits for it.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, RenderError> {
        let Some(prepared) = &self.targets else {
            return Ok(Picture::new(0, 0, [0; 4]));
        };
        let [width, height] = prepared.targets.size;
        let row = 4 * width as usize;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let bytes = (padded * height as usize) as u64;
        let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let buffer = gpu.buffer("picture", usage, bytes)?;
        let mut encoder = gpu.encoder();
        encoder.copy_texture_to_buffer(
            prepared.targets.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded as u32),
                    rows_per_image: None,
                },
            },
            prepared.targets.picture.size(),
        );
        gpu.submit(encoder);
        let data = gpu.read(&buffer, 0, bytes)?;
        let rows = data.chunks_exact(padded).map(|r| &r[..row]);
        let rgba = rows.collect::<Vec<_>>().concat();
        Ok(Picture::from_rgba(width, height, rgba).expect("four bytes per pixel"))
    }
}

/// How pictures are laid over each other at most.
pub(super) const MAX_LAYERS: u32 = 256;
