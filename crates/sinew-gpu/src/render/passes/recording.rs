//! State of a picture while its passes are recorded.

use crate::device::gpu::Gpu;
use crate::draw::surface::surfaces::Draw;
use crate::render::frame::views::Frames;
use crate::render::pipelines::light_kind::LightKind;
use crate::render::pipelines::surface::SurfacePipelines;
use crate::render::stage::{Stage, View};
use crate::render::timings::Clock;
use wgpu::CommandEncoder;

pub(in crate::render) struct Recording<'a> {
    pub gpu: &'a Gpu,
    pub encoder: CommandEncoder,
    pub clock: Option<&'a mut Clock>,
    pub surfaces: &'a mut SurfacePipelines,
    pub frames: &'a Frames,
    pub stage: &'a Stage<'a>,
    pub view: &'a View,
    /// Draws of the stage that have triangles.
    pub draws: &'a [Draw<'a>],
    pub light: LightKind,
}

impl Recording<'_> {
    /// Submits the commands so far, and starts a new encoder.
    pub fn submit(&mut self) {
        let next = self.gpu.encoder();
        self.gpu.submit(std::mem::replace(&mut self.encoder, next));
    }
}
