//! All passes of a picture, in their order.

use super::floor::FloorPass;
use super::frame::FrameUniform;
use super::pipelines::{LightKind, Pass, SurfacePipelines};
use super::post::{Post, PostGroups, ToneUniform};
use super::quads::{DUST, LINES, QuadPass, back_to_front};
use super::shadow::{self, ShadowMap};
use super::sky;
use super::stage::{Background, Stage, View};
use super::targets::{self, SAMPLES, Target, Targets};
use super::timings::{Clock, Span, Timings};
use crate::device::bind;
use crate::device::gpu::Gpu;
use crate::draw::dust::DustParticle;
use crate::draw::error::RenderError;
use crate::draw::light::MAX_LAMPS;
use crate::draw::material::Looks;
use crate::draw::overlay::Line;
use crate::draw::surfaces::Draw;
use crate::image::picture::Picture;
use wgpu::{BindGroup, Buffer, BufferUsages, RenderPipeline};

/// The maker of pictures. It keeps its pipelines, and the targets of the last size.
#[derive(Debug)]
pub struct Renderer {
    surfaces: SurfacePipelines,
    floor: FloorPass,
    lines: QuadPass<Line>,
    dust: QuadPass<DustParticle>,
    post: Post,
    skies: [RenderPipeline; 2],
    shadow: ShadowMap,
    frames: Frames,
    targets: Option<Prepared>,
    clock: Option<Clock>,
}

/// Uniforms of the three views of a picture, and what binds them.
#[derive(Debug)]
struct Frames {
    main: Buffer,
    mirror: Buffer,
    sun: Buffer,
    main_group: BindGroup,
    mirror_group: BindGroup,
    sun_group: BindGroup,
}

/// Targets and what binds them.
#[derive(Debug)]
struct Prepared {
    targets: Targets,
    post: PostGroups,
    floor: BindGroup,
}

impl Renderer {
    /// Makes what pictures of any size need.
    pub fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        let shadow = ShadowMap::new(gpu);
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let uniform = || gpu.buffer("frame", usage, size_of::<FrameUniform>() as u64);
        let (main, mirror, sun) = (uniform()?, uniform()?, uniform()?);
        let sun_layout = bind::layout(gpu, "sun", &[bind::UNIFORM]);
        let frames = Frames {
            main_group: shadow.frame_group(gpu, &main),
            mirror_group: shadow.frame_group(gpu, &mirror),
            sun_group: bind::group(gpu, &sun_layout, &[sun.as_entire_binding()]),
            main,
            mirror,
            sun,
        };
        let renderer = Self {
            surfaces: SurfacePipelines::new(gpu, &shadow.layout),
            floor: FloorPass::new(gpu, &shadow.layout)?,
            lines: QuadPass::new(gpu, &shadow.layout, &LINES)?,
            dust: QuadPass::new(gpu, &shadow.layout, &DUST)?,
            post: Post::new(gpu)?,
            skies: [SAMPLES, 1].map(|samples| sky::pipeline(gpu, &shadow.layout, samples)),
            shadow,
            frames,
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
        self.draw_to(gpu, stage, view, None)
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
        self.post.prepare_format(gpu, target.format);
        self.draw_to(gpu, stage, view, Some(target))
    }

    fn draw_to(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: Option<&Target<'_>>,
    ) -> Result<(), RenderError> {
        self.prepare_targets(gpu, view.size)?;
        let [width, height] = view.size.map(|s| s as f32);
        let camera = view.camera;
        if !camera.clip_from_world(width / height).is_finite() {
            return Err(RenderError::Camera { camera });
        }
        let draws = stage.draws();
        let clear = view.background == Background::Clear;
        let mirrors = view.reflection
            && !clear
            && view.camera.eye.y > 0.0
            && stage.floor.is_some_and(|f| f.mirror > 0.0);
        let light = self.prepare_frames(gpu, stage, view, mirrors);
        // The smallest pictures have nothing to spread light over.
        let halvings = self
            .targets
            .as_ref()
            .map_or(0, |t| t.targets.halvings.len());
        let blooms = view.bloom > 0.0 && halvings > 0;
        let tone = ToneUniform {
            exposure: view.lighting.exposure,
            bloom: if blooms { view.bloom } else { 0.0 },
            unused: [0.0; 2],
        };
        self.post.prepare(gpu, &tone);
        self.floor
            .prepare(gpu, stage.floor, mirrors, clear, view.grid, light);
        self.lines.prepare(gpu, stage.lines)?;
        self.dust
            .prepare(gpu, &back_to_front(stage.dust, view.camera.eye))?;
        if let Some(clock) = &mut self.clock {
            clock.begin(view.shadow, mirrors, blooms);
        }
        let mut encoder = gpu.encoder();
        if view.shadow {
            self.shadow_pass(gpu, &mut encoder, &draws);
        }
        if mirrors {
            self.mirror_pass(gpu, &mut encoder, &draws, light);
        }
        self.main_pass(gpu, &mut encoder, &draws, stage, view, light);
        let prepared = self.targets.as_ref().expect("prepared above");
        let clock = self.clock.as_ref();
        if blooms {
            self.post
                .bloom(&mut encoder, &prepared.targets, &prepared.post, clock);
        }
        self.post.tone(&mut encoder, &prepared.post, target, clock);
        if let Some(clock) = clock {
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
            self.targets = Some(Prepared {
                post: self.post.groups(gpu, &targets),
                floor: self.floor.group(gpu, &targets),
                targets,
            });
        }
        Ok(())
    }

    /// Writes the uniforms of all views, and says what light they are in.
    fn prepare_frames(
        &self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        mirrors: bool,
    ) -> LightKind {
        let mut light = LightKind {
            lamps: 1 + view.lighting.lamps.len().min(MAX_LAMPS) as u32,
            shadow_taps: 0,
        };
        let mut main = FrameUniform::new(&view.camera, &view.lighting, view.size);
        if view.shadow {
            let [low, high] = stage.bounds().unwrap_or_default();
            let around = ((low + high) / 2.0, (high - low).length() / 2.0);
            let (middle, radius) = view.shadow_ball.unwrap_or(around);
            let clip_from_world = shadow::clip_from_world(view.lighting.to_sun, middle, radius);
            let sun = FrameUniform {
                clip_from_world,
                ..main
            };
            let softness = view.shadow_softness.unwrap_or(0.01 * radius);
            light.shadow_taps = shadow::look_up(&mut main, clip_from_world, radius, softness);
            gpu.queue
                .write_buffer(&self.frames.sun, 0, bytemuck::bytes_of(&sun));
        }
        gpu.queue
            .write_buffer(&self.frames.main, 0, bytemuck::bytes_of(&main));
        if mirrors {
            let mirror = main.mirrored(&view.camera);
            gpu.queue
                .write_buffer(&self.frames.mirror, 0, bytemuck::bytes_of(&mirror));
        }
        light
    }

    fn shadow_pass(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, draws: &[Draw<'_>]) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            timestamp_writes: self.clock.as_ref().map(|c| c.span(Span::Shadow)),
            depth_stencil_attachment: Some(cleared_depth(&self.shadow.view, true)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.sun_group, &[]);
        let opaque = draws.iter().filter(|d| !d.material.looks.blended);
        for draw in opaque {
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
        let color = cleared(&targets.mirror, None, wgpu::Color::BLACK);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mirror"),
            timestamp_writes: self.clock.as_ref().map(|c| c.span(Span::Mirror)),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(cleared_depth(&targets.mirror_depth, false)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.mirror_group, &[]);
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
        let color = cleared(
            &targets.samples,
            Some(&targets.light),
            wgpu::Color::TRANSPARENT,
        );
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("main"),
            timestamp_writes: self.clock.as_ref().map(|c| c.span(Span::Main)),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(cleared_depth(&targets.depth, false)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frames.main_group, &[]);
        let (mut blended, mut opaque): (Vec<&Draw<'_>>, Vec<&Draw<'_>>) =
            draws.iter().partition(|d| d.material.looks.blended);
        let away = |d: &Draw<'_>| (d.middle - view.camera.eye).length_squared();
        // From the front to the back, then the floor and the sky: what is hidden is not lit for nothing.
        opaque.sort_by(|a, b| away(a).total_cmp(&away(b)));
        for draw in opaque {
            self.surfaces.draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        pass.set_bind_group(2, &prepared.floor, &[]);
        if let Some(floor) = stage.floor {
            self.floor.draw(&mut pass, floor);
        }
        if view.background == Background::Sky {
            pass.set_pipeline(&self.skies[0]);
            pass.draw(0..3, 0..1);
        }
        if view.grid.is_some() {
            self.floor.draw_grid(&mut pass);
        }
        blended.sort_by(|a, b| away(b).total_cmp(&away(a)));
        for draw in blended {
            self.surfaces.draw(gpu, &mut pass, Pass::Main, light, draw);
        }
        self.dust.draw(&mut pass);
        if view.wireframe {
            let characters = stage.characters.iter().flat_map(|f| f.draws());
            for draw in characters.filter(|d| !d.is_empty()) {
                let looks = Looks::default();
                pass.set_pipeline(self.surfaces.get(gpu, Pass::Wire, looks, light));
                pass.set_bind_group(1, &draw.material.bind_group, &[]);
                draw.edges(&mut pass);
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

fn cleared<'t>(
    view: &'t wgpu::TextureView,
    resolve_target: Option<&'t wgpu::TextureView>,
    color: wgpu::Color,
) -> wgpu::RenderPassColorAttachment<'t> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations {
            load: wgpu::LoadOp::Clear(color),
            store: match resolve_target {
                Some(_) => wgpu::StoreOp::Discard,
                None => wgpu::StoreOp::Store,
            },
        },
    }
}

fn cleared_depth(
    view: &wgpu::TextureView,
    kept: bool,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(1.0),
            store: match kept {
                true => wgpu::StoreOp::Store,
                false => wgpu::StoreOp::Discard,
            },
        }),
        stencil_ops: None,
    }
}
