//! Uniforms and bind groups of the main view, the mirrored view and the view of the sun.

use super::group;
use super::shadow_map::{self, ShadowMap};
use super::uniform::FrameUniform;
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::light::lighting::MAX_LAMPS;
use crate::render::environment::Environment;
use crate::render::pipelines::light_kind::LightKind;
use crate::render::shading::Shading;
use crate::render::stage::{Stage, View};
use crate::render::targets::Targets;
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages};

#[derive(Debug)]
pub(in crate::render) struct Frames {
    layout: BindGroupLayout,
    main: Buffer,
    mirror: Buffer,
    sun: Buffer,
    /// Last bind groups: main view for surfaces, main view for the floor, mirrored view.
    groups: Option<[BindGroup; 3]>,
    pub sun_group: BindGroup,
    /// Bind group with only the uniform of the main view.
    pub near_group: BindGroup,
}

impl Frames {
    pub fn new(gpu: &Gpu, layout: &BindGroupLayout) -> Result<Self, GpuError> {
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let uniform = || gpu.buffer("frame", usage, size_of::<FrameUniform>() as u64);
        let (main, mirror, sun) = (uniform()?, uniform()?, uniform()?);
        let alone = bind::layout(gpu, "sun", &[bind::UNIFORM]);
        Ok(Self {
            layout: layout.clone(),
            groups: None,
            near_group: bind::group(gpu, &alone, &[main.as_entire_binding()]),
            sun_group: bind::group(gpu, &alone, &[sun.as_entire_binding()]),
            main,
            mirror,
            sun,
        })
    }

    pub fn groups(&self) -> &[BindGroup; 3] {
        self.groups
            .as_ref()
            .expect("bound before anything is drawn")
    }

    /// Binds the environment and the targets of a picture.
    pub fn bind(
        &mut self,
        gpu: &Gpu,
        shadow: &ShadowMap,
        environment: &Environment,
        targets: &Targets,
    ) {
        let group = |frame: &Buffer, pictures| {
            group::group(gpu, &self.layout, frame, shadow, environment, pictures)
        };
        // No pass may read its own target.
        let groups = [
            group(&self.main, [&targets.behind, &targets.occlusion]),
            group(&self.main, [&targets.mirror, &targets.occlusion]),
            group(&self.mirror, [&targets.behind, &targets.occlusion]),
        ];
        self.groups = Some(groups);
    }

    /// Writes the uniforms of all views. Returns the kind of light for the pipelines.
    pub fn prepare(
        &self,
        gpu: &Gpu,
        stage: &Stage<'_>,
        view: &View,
        mirrors: bool,
    ) -> (LightKind, FrameUniform) {
        let is_physical = view.shading == Shading::Physical;
        let mut light = LightKind {
            lamps: 1 + view.lighting.lamps.len().min(MAX_LAMPS) as u32,
            shadow_taps: 0,
            shading: view.shading,
            environment: stage.environment.is_some() && is_physical,
            occlusion: view.occlusion.is_some_and(|radius| radius > 0.0) && is_physical,
        };
        let mut main = FrameUniform::new(&view.camera, &view.lighting, view.size);
        main.occlusion_radius = view.occlusion.unwrap_or(0.0);
        if view.shadow {
            let (middle, radius) = view.shadow_ball.unwrap_or_else(|| {
                let [low, high] = stage.bounds().unwrap_or_default();
                ((low + high) / 2.0, (high - low).length() / 2.0)
            });
            let clip_from_world = shadow_map::clip_from_world(view.lighting.to_sun, middle, radius);
            let sun = FrameUniform {
                clip_from_world,
                ..main
            };
            let softness = view.shadow_softness.unwrap_or(0.01 * radius);
            let width = if is_physical { view.sun_width_rad } else { 0.0 };
            light.shadow_taps =
                shadow_map::look_up(&mut main, clip_from_world, radius, softness, width);
            write(gpu, &self.sun, &sun);
        }
        write(gpu, &self.main, &main);
        if mirrors {
            write(gpu, &self.mirror, &main.mirrored(&view.camera));
        }
        (light, main)
    }

    /// Shifts the main view for a layer. Samples differ between layers, so each layer needs few.
    pub fn jitter(&self, gpu: &Gpu, main: &FrameUniform, layer: u32, layers: u32) {
        let moved = FrameUniform {
            seed: layer as f32,
            blocker_taps: 6,
            shadow_taps: 6,
            occlusion_taps: 10,
            ..main.jittered(within_pixel(layer, layers))
        };
        write(gpu, &self.main, &moved);
    }
}

fn write(gpu: &Gpu, buffer: &Buffer, frame: &FrameUniform) {
    gpu.queue.write_buffer(buffer, 0, bytemuck::bytes_of(frame));
}

/// Offset of a layer from the centre of the pixel: Hammersley points within half a pixel.
fn within_pixel(layer: u32, layers: u32) -> [f32; 2] {
    let (mut k, mut part, mut reversed) = (layer, 0.5, 0.0);
    while k > 0 {
        reversed += part * (k % 2) as f32;
        part /= 2.0;
        k /= 2;
    }
    let half = 0.5 / layers as f32;
    [layer as f32 / layers as f32, reversed].map(|at| 0.5 * (at + half - 0.5))
}
