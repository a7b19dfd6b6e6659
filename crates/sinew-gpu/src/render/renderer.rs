//! All passes of a picture, in order.

use super::environment::Environment;
use super::formats::MAX_LAYERS;
use super::frame::group;
use super::frame::shadow_map::ShadowMap;
use super::frame::uniform::FrameUniform;
use super::frame::views::Frames;
use super::passes::behind::{BehindGroups, BehindPass};
use super::passes::bloom::{BloomGroups, BloomPass};
use super::passes::light_source::LightSource;
use super::passes::main::MainPass;
use super::passes::mirror::MirrorPass;
use super::passes::occlusion::{OcclusionGroups, OcclusionPass};
use super::passes::recording::Recording;
use super::passes::shadow;
use super::passes::sum::SumPass;
use super::passes::tone::{ToneGroups, TonePass, ToneUniform};
use super::pipelines::light_kind::LightKind;
use super::pipelines::surface::SurfacePipelines;
use super::stage::{Background, Stage, View};
use super::targets::{self, Target, Targets};
use super::timings::{Clock, PendingTimings, Timings};
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::{Gpu, arrived};
use crate::draw::error::RenderError;
use crate::image::environment_map::EnvironmentMap;
use crate::image::picture::Picture;
use crate::image::read_texture::read_texture;
use std::ops::Range;
use wgpu::BindGroup;

/// Renderer of pictures. It keeps its pipelines, and its textures until the size changes.
#[derive(Debug)]
pub struct Renderer {
    surfaces: SurfacePipelines,
    frames: Frames,
    shadow: ShadowMap,
    black: Environment,
    studio: [Option<Environment>; 2],
    mirror: MirrorPass,
    occlusion: OcclusionPass,
    main: MainPass,
    after: After,
    targets: Option<Prepared>,
    clock: Option<Clock>,
}

#[derive(Debug)]
struct After {
    source: LightSource,
    behind: BehindPass,
    sum: SumPass,
    bloom: BloomPass,
    tone: TonePass,
}

#[derive(Debug)]
struct Prepared {
    targets: Targets,
    occlusion: OcclusionGroups,
    behind: BehindGroups,
    sum: BindGroup,
    finish: [(BloomGroups, ToneGroups); 2],
}

struct Plan {
    layers: u32,
    now: Range<u32>,
    mirrors: bool,
    blooms: bool,
    light: LightKind,
    frame: FrameUniform,
}

impl Renderer {
    /// Creates the resources that do not depend on the size of a picture.
    pub fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        let frame_layout = group::layout(gpu);
        let source = LightSource::new(gpu);
        let renderer = Self {
            surfaces: SurfacePipelines::new(gpu, &frame_layout),
            frames: Frames::new(gpu, &frame_layout)?,
            shadow: ShadowMap::new(gpu),
            black: Environment::black(gpu),
            studio: [None, None],
            mirror: MirrorPass::new(gpu, &frame_layout),
            occlusion: OcclusionPass::new(gpu, &bind::layout(gpu, "sun", &[bind::UNIFORM])),
            main: MainPass::new(gpu, &frame_layout)?,
            after: After {
                behind: BehindPass::new(gpu, &source),
                sum: SumPass::new(gpu, &source),
                bloom: BloomPass::new(gpu, &source),
                tone: TonePass::new(gpu)?,
                source,
            },
            targets: None,
            clock: None,
        };
        gpu.check()?;
        Ok(renderer)
    }

    /// Light of the studio, or of the dark studio. Its first use filters it, which takes a software adapter about a
    /// second.
    pub(crate) fn studio_light(&mut self, gpu: &Gpu, dark: bool) -> Result<Environment, GpuError> {
        let light = &mut self.studio[usize::from(dark)];
        if let Some(light) = light {
            return Ok(light.clone());
        }
        let map = if dark {
            EnvironmentMap::dark()
        } else {
            EnvironmentMap::studio()
        };
        Ok(light.insert(Environment::new(gpu, &map)?).clone())
    }

    /// Checks a size (width and height in pixels) against the limits of the device.
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

    /// Draws a stage without reading the picture back.
    pub fn draw(&mut self, gpu: &Gpu, stage: &Stage<'_>, view: &View) -> Result<(), RenderError> {
        self.draw_to(gpu, stage, view, None, 0..view.layers)
    }

    /// Draws a stage into a texture of the caller, such as that of a window. Does not block.
    ///
    /// # Errors
    /// [`RenderError`] if the size or camera of the view is invalid.
    pub fn draw_into(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: &Target<'_>,
    ) -> Result<(), RenderError> {
        self.draw_to(gpu, stage, view, Some(target), 0..view.layers)
    }

    /// Draws some layers of a picture into a texture, and adds them to the layers of earlier calls.
    /// Use it to improve a still over several frames. Until the picture is complete, stage and view
    /// must not change, and the renderer must draw nothing else.
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
        let plan = self.prepare(gpu, stage, view, target, layers, now)?;
        self.record(gpu, stage, view, target, &plan);
        gpu.check()?;
        Ok(())
    }

    fn prepare(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: Option<&Target<'_>>,
        layers: u32,
        now: Range<u32>,
    ) -> Result<Plan, RenderError> {
        let clear = view.background == Background::Clear;
        let mirrors = view.reflection
            && !clear
            && view.camera.eye.y > 0.0
            && stage.floor.is_some_and(|f| f.mirror > 0.0);
        let (light, frame) = self.frames.prepare(gpu, stage, view, mirrors);
        let targets = &self.targets.as_ref().expect("prepared before").targets;
        let blooms = view.bloom > 0.0 && !targets.halvings.is_empty();
        let tone = ToneUniform {
            exposure: view.lighting.exposure,
            bloom: if blooms { view.bloom } else { 0.0 },
            whole: layers as f32 / now.end as f32,
            unused: 0.0,
        };
        self.after.tone.prepare(gpu, &tone, view.tone, target);
        let environment = stage.environment.unwrap_or(&self.black);
        self.frames.bind(gpu, &self.shadow, environment, targets);
        let only_shadows = clear || stage.floor.is_some_and(|f| f.is_backdrop && !mirrors);
        self.main
            .floor
            .prepare(gpu, stage.floor, mirrors, only_shadows, view.grid, light);
        self.main.prepare(gpu, stage, view)?;
        if let Some(clock) = &mut self.clock {
            clock.begin();
        }
        Ok(Plan {
            layers,
            now,
            mirrors,
            blooms,
            light,
            frame,
        })
    }

    fn record(
        &mut self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        target: Option<&Target<'_>>,
        plan: &Plan,
    ) {
        let prepared = self.targets.as_ref().expect("prepared before");
        let targets = &prepared.targets;
        let (layers, now) = (plan.layers, plan.now.clone());
        let mut recording = Recording {
            gpu,
            encoder: gpu.encoder(),
            clock: self.clock.as_mut(),
            surfaces: &mut self.surfaces,
            frames: &self.frames,
            stage,
            view,
            draws: &stage.draws(gpu, view),
            light: plan.light,
        };
        let is_first = now.start == 0;
        if view.shadow && is_first {
            shadow::encode(&mut recording, &self.shadow);
        }
        if plan.mirrors && is_first {
            self.mirror.encode(&mut recording, targets);
        }
        for layer in now.clone() {
            if layer > now.start {
                // Writes to the frame uniform affect only later submissions.
                recording.submit();
            }
            if layers > 1 {
                self.frames.jitter(gpu, &plan.frame, layer, layers);
            }
            if plan.light.occlusion {
                let floor = &self.main.floor;
                self.occlusion
                    .encode(&mut recording, floor, targets, &prepared.occlusion);
            }
            let behind = &self.after.behind;
            self.main
                .encode(&mut recording, targets, behind, &prepared.behind);
            if layers > 1 {
                let part = 1.0 / f64::from(layers);
                let sum = &self.after.sum;
                sum.encode(&mut recording, targets, &prepared.sum, layer == 0, part);
            }
        }
        let (bloom, tone) = &prepared.finish[usize::from(layers > 1)];
        if plan.blooms {
            self.after.bloom.encode(&mut recording, targets, bloom);
        }
        self.after.tone.encode(&mut recording, tone, target);
        if let Some(clock) = &recording.clock {
            clock.resolve(&mut recording.encoder);
        }
        gpu.submit(recording.encoder);
    }

    fn prepare_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), RenderError> {
        if self
            .targets
            .as_ref()
            .is_some_and(|t| t.targets.size == size)
        {
            return Ok(());
        }
        self.targets = None;
        let targets = Targets::new(gpu, size)?;
        let source = &self.after.source;
        let finish = [&targets.light, &targets.sum].map(|light| {
            let bloom = BloomPass::groups(gpu, source, &targets, light);
            (bloom, self.after.tone.groups(gpu, source, &targets, light))
        });
        self.targets = Some(Prepared {
            finish,
            sum: SumPass::group(gpu, source, &targets),
            behind: BehindPass::groups(gpu, source, &targets),
            occlusion: self.occlusion.groups(gpu, &targets),
            targets,
        });
        Ok(())
    }

    /// Enables timing of later pictures, if the device supports timestamps.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        self.clock = Clock::new(gpu)?;
        Ok(())
    }

    /// GPU times of the passes of the last picture. `None` without timing. Waits for the GPU.
    pub fn timings(&self, gpu: &Gpu) -> Result<Option<Timings>, RenderError> {
        let Some(mut timings) = self.timings_later(gpu)? else {
            return Ok(None);
        };
        gpu.wait()?;
        Ok(Some(arrived(timings.take(gpu)?)?))
    }

    /// Starts to read the GPU times of the last picture without blocking. `None` without timing.
    pub fn timings_later(&self, gpu: &Gpu) -> Result<Option<PendingTimings>, RenderError> {
        let clock = self.clock.as_ref();
        Ok(clock.map(|clock| clock.read_later(gpu)).transpose()?)
    }

    /// Reads the picture that was drawn last. Waits for the GPU.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, RenderError> {
        let Some(prepared) = &self.targets else {
            return Ok(Picture::new(0, 0, [0; 4]));
        };
        Ok(read_texture(gpu, &prepared.targets.picture)?)
    }
}
