//! Window without a display. It runs the steps of a script and takes screenshots.

use crate::painter::{drawn_texture, read_texture};
use crate::script::Step;
use crate::session::Session;
use crate::viewer::Viewer;
use egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use sinew_gpu::wgpu::{self, TextureFormat, TextureUsages};
use sinew_gpu::{Gpu, Picture, RenderError};
use std::sync::Arc;

/// Window without a display. Its clock counts frames, so that results are reproducible.
pub struct Headless {
    viewer: Viewer,
    gpu: Arc<Gpu>,
    context: Context,
    renderer: Renderer,
    target: wgpu::Texture,
    size: [u32; 2],
    pixels_per_point: f32,
    time_secs: f64,
    events: Vec<egui::Event>,
    /// Output of the last frame, until it is drawn.
    last: egui::FullOutput,
}

impl std::fmt::Debug for Headless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Headless")
            .field("size", &self.size)
            .field("time_secs", &self.time_secs)
            .finish_non_exhaustive()
    }
}

/// Error of a script step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The step refers to a file, clip, joint or node that does not exist.
    #[error("{0}")]
    Missing(String),
    /// The device failed to draw.
    #[error(transparent)]
    Render(#[from] RenderError),
}

const FRAME_SECS: f64 = 1.0 / 60.0;

const MAX_FRAMES: u32 = 400;

impl Headless {
    /// Creates a window of `size` pixels.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(
        session: Session,
        gpu: Arc<Gpu>,
        size: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<Self, RenderError> {
        let format = TextureFormat::Rgba8Unorm;
        let renderer = Renderer::new(&gpu.device, format, RendererOptions::PREDICTABLE);
        let max = gpu.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, max));
        let target = drawn_texture(&gpu, "window", size, TextureUsages::empty(), &[]);
        Ok(Self {
            viewer: Viewer::new(session, gpu.clone())?,
            gpu,
            context: Context::default(),
            renderer,
            target,
            size,
            pixels_per_point: pixels_per_point.clamp(0.25, 8.0),
            time_secs: 0.0,
            events: Vec::new(),
            last: egui::FullOutput::default(),
        })
    }

    /// The viewer of this window.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// Sets the number of antialiasing layers of a screenshot, at least 1. Default 16.
    pub fn set_layers(&mut self, layers: u32) {
        self.viewer.set_layers(layers);
    }

    /// Queues an input event for the next frame.
    pub fn send(&mut self, event: egui::Event) {
        self.events.push(event);
    }

    /// Runs one step of a script.
    ///
    /// # Errors
    /// If the device fails, or the step refers to something that does not exist.
    pub fn step(&mut self, step: &Step) -> Result<(), StepError> {
        match step {
            Step::Do(command) => {
                self.settle();
                if let Some(missing) = self.viewer.session().missing(command) {
                    return Err(StepError::Missing(missing));
                }
                self.viewer.run(command.clone());
            }
            Step::Wait { secs } => {
                self.settle();
                while self.viewer.is_filming() {
                    self.advance(0.0)?;
                }
                let frames = (secs / FRAME_SECS).round().clamp(0.0, 1e5) as u32;
                for _ in 0..frames {
                    self.advance(FRAME_SECS)?;
                }
            }
        }
        Ok(())
    }

    fn settle(&mut self) {
        self.viewer.wait();
    }

    /// Advances time by `secs` seconds and shows one frame.
    ///
    /// # Errors
    /// If the device fails.
    pub fn frame(&mut self, secs: f64) -> Result<(), RenderError> {
        self.advance(secs)?;
        self.paint()
    }

    /// Runs one frame and draws the panes that changed, but not the window around them.
    fn advance(&mut self, secs: f64) -> Result<(), RenderError> {
        self.time_secs += secs;
        for id in self.last.textures_delta.free.drain() {
            self.renderer.free_texture(&id);
        }
        let points = Vec2::new(self.size[0] as f32, self.size[1] as f32) / self.pixels_per_point;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            time: Some(self.time_secs),
            predicted_dt: secs as f32,
            focused: true,
            events: std::mem::take(&mut self.events),
            max_texture_side: Some(self.gpu.device.limits().max_texture_dimension_2d as usize),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(self.pixels_per_point);
        let (viewer, renderer) = (&mut self.viewer, &mut self.renderer);
        self.last = self.context.run_ui(input, |ui| viewer.show(ui, renderer));
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        for (id, deltas) in self.last.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(device, queue, id, &delta);
            }
        }
        self.gpu.check()?;
        Ok(())
    }

    fn paint(&mut self) -> Result<(), RenderError> {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let per_point = self.last.pixels_per_point;
        let shapes = std::mem::take(&mut self.last.shapes);
        let shapes = self.context.tessellate(shapes, per_point);
        let screen = ScreenDescriptor {
            size_in_pixels: self.size,
            pixels_per_point: per_point,
        };
        let mut encoder = self.gpu.encoder();
        let renderer = &mut self.renderer;
        let before = renderer.update_buffers(device, queue, &mut encoder, &shapes, &screen);
        let view = self.target.create_view(&Default::default());
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.renderer
            .render(&mut pass.forget_lifetime(), &shapes, &screen);
        queue.submit(before);
        self.gpu.submit(encoder);
        self.gpu.check()?;
        Ok(())
    }

    /// Takes a screenshot of the whole window at its final quality.
    ///
    /// # Errors
    /// If the device fails.
    pub fn screenshot(&mut self) -> Result<Picture, RenderError> {
        self.settle();
        self.viewer.refine_at_once();
        // Panels need a few frames to find their sizes.
        for _ in 0..3 {
            self.advance(0.0)?;
        }
        while self.viewer.is_filming() {
            self.advance(0.0)?;
        }
        for _ in 0..MAX_FRAMES {
            if self.viewer.is_done() {
                break;
            }
            self.advance(0.0)?;
        }
        self.advance(0.0)?;
        self.paint()?;
        Ok(read_texture(&self.gpu, &self.target)?)
    }
}
