//! The whole window: session, panels, and the panes drawn into textures that egui shows.

use crate::export::{Export, Job};
use crate::painter::{Canvas, Pace, Painter, Quality, on_screen};
use crate::panels::{self, Asked, FrameNumbers, Notice, NoticeAnswer, NoticeKind, Pictures};
use crate::session::Session;
use crate::state::{Command, Preset, State};
use egui::{Rect, TextureId, Ui};
use sinew::{Affine, Transform};
use sinew_gpu::wgpu::FilterMode;
use sinew_gpu::{Gpu, RenderError};
use std::path::Path;
use std::sync::Arc;
use web_time::Instant;

/// A session in a window, or in what stands for one.
#[derive(Debug)]
pub struct Viewer {
    session: Session,
    painter: Painter,
    canvases: Vec<Shown>,
    pace: Pace,
    /// What the pictures were drawn of.
    drawn: Option<State>,
    /// Whether pictures are drawn with fewer pixels while something moves.
    is_coarse: bool,
    numbers: FrameNumbers,
    /// What went wrong while drawing.
    failure: Option<String>,
    asked: Asked,
    /// Where the panes are.
    places: Vec<Rect>,
    pixels_per_point: f32,
    writing: Option<Job>,
    /// What was written, or why it was not.
    done: Vec<(String, String)>,
}

/// A pane's canvas, and how egui knows it.
#[derive(Debug)]
struct Shown {
    canvas: Canvas,
    texture: TextureId,
}

/// How many pixels a software adapter draws in time while something moves.
const QUICK_PIXELS: f32 = 400_000.0;

impl Viewer {
    /// A viewer that draws by a device.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn new(session: Session, gpu: Arc<Gpu>) -> Result<Self, RenderError> {
        let numbers = FrameNumbers {
            adapter: gpu.name(),
            ..FrameNumbers::default()
        };
        Ok(Self {
            session,
            painter: Painter::new(gpu)?,
            canvases: Vec::new(),
            pace: Pace::default(),
            drawn: None,
            is_coarse: false,
            numbers,
            failure: None,
            asked: Asked::default(),
            places: Vec::new(),
            pixels_per_point: 1.0,
            writing: None,
            done: Vec::new(),
        })
    }

    /// What is open and how it is looked at.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Carries out a command.
    pub fn run(&mut self, command: &Command) {
        self.session.run(command);
    }

    /// Why nothing more can be drawn.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// What the panels asked of the window since the last look.
    pub(crate) fn take_asked(&mut self) -> Asked {
        std::mem::take(&mut self.asked)
    }

    /// Waits until everything that was asked for can be drawn, while no time passes.
    pub fn wait(&mut self) {
        while self.session.is_busy() {
            self.session.advance(0.0);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        self.painter.wait(&self.session);
    }

    /// Whether the pictures are as good as they get, and nothing is on its way.
    pub fn is_done(&self) -> bool {
        let panes = self.session.state().panes.len();
        self.pace.is_done(panes) && !self.painter.is_preparing() && !self.session.is_busy()
    }

    /// Begins to write a file; one at a time.
    pub fn export(&mut self, what: Export, path: &Path) {
        if self.writing.is_some() {
            return;
        }
        let per_point = self.pixels_per_point;
        let panes: Vec<_> = self
            .places
            .iter()
            .map(|place| ([place.width(), place.height()], per_point))
            .collect();
        let job = Job::new(&mut self.session, &self.painter, what, path, &panes);
        self.writing = Some(job);
    }

    /// Whether a file is being written.
    pub fn is_exporting(&self) -> bool {
        self.writing.is_some()
    }

    /// Files that were written, and those that were not with the reason.
    pub fn exported(&self) -> &[(String, String)] {
        &self.done
    }

    fn go_on_writing(&mut self) -> bool {
        let Some(job) = &mut self.writing else {
            return false;
        };
        if let Some(outcome) = job.step(&mut self.session, &mut self.painter) {
            let path = job.path().display().to_string();
            self.done.push(match outcome {
                Ok(()) => (format!("Wrote {path}"), String::new()),
                Err(why) => (format!("Cannot write {path}"), why),
            });
            self.writing = None;
        }
        true
    }

    fn answer(&mut self, asked: &Asked) {
        if let Some((what, path)) = &asked.export {
            self.export(*what, path);
        }
        for answer in &asked.answers {
            match answer {
                NoticeAnswer::CancelOpening => self.session.run(&Command::CancelOpening),
                NoticeAnswer::CancelWriting => {
                    if let Some(mut job) = self.writing.take() {
                        job.cancel(&mut self.session);
                    }
                }
                NoticeAnswer::DismissMessage(message) => {
                    let message = *message;
                    self.session.run(&Command::DismissMessage { message });
                }
                NoticeAnswer::DismissDone(at) => {
                    if *at < self.done.len() {
                        self.done.remove(*at);
                    }
                }
            }
        }
    }

    /// What there is to tell.
    fn notices(&self) -> Vec<Notice> {
        let loading = self.session.loading().map(|loading| Notice {
            kind: NoticeKind::Loading(loading.stage.fraction),
            title: format!("Opening {}", loading.name),
            text: loading.stage.name.to_owned(),
        });
        let mut notices: Vec<Notice> = loading.collect();
        let messages = self.session.messages().iter().enumerate();
        notices.extend(messages.map(|(at, message)| Notice {
            kind: NoticeKind::Message(at),
            title: format!("{}: {}", message.file, message.text),
            text: message.way_out.clone(),
        }));
        if let Some(job) = &self.writing {
            notices.push(Notice {
                kind: NoticeKind::Writing(job.fraction()),
                title: format!("Writing {}", job.path().display()),
                text: String::new(),
            });
        }
        let done = self.done.iter().enumerate();
        notices.extend(done.map(|(at, (title, text))| Notice {
            kind: NoticeKind::Done(at),
            title: title.clone(),
            text: text.clone(),
        }));
        notices
    }

    /// One frame: time passes, panels are shown, panes are drawn where they changed.
    pub fn show(&mut self, ui: &mut Ui, textures: &mut egui_wgpu::Renderer) {
        let begun = Instant::now();
        let elapsed = ui.input(|input| input.stable_dt);
        let mut has_changed = self.session.advance(f64::from(elapsed));
        has_changed |= self.painter.update(&self.session);
        let window = &self.session.state().window;
        panels::dress(ui, window.theme, window.zoom);
        let notices = self.notices();
        let shown = panels::show(ui, &self.session, self, &self.numbers, &notices);
        for command in &shown.commands {
            self.session.run(command);
        }
        has_changed |= !shown.commands.is_empty();
        self.places = shown.panes.clone();
        self.pixels_per_point = ui.ctx().pixels_per_point();
        self.fit_camera(&shown.panes);
        self.answer(&shown.asked);
        self.asked.open_dialog |= shown.asked.open_dialog;
        has_changed |= self.go_on_writing();
        has_changed |= self.painter.update(&self.session);
        has_changed |= self.drawn.as_ref() != Some(self.session.state());
        self.numbers.cpu_ms = begun.elapsed().as_secs_f64() * 1e3;
        self.draw(ui, &shown.panes, has_changed, textures);
        self.numbers.frame_ms = match self.session.state().playback.is_playing {
            true => 0.9 * self.numbers.frame_ms + 0.1 * f64::from(elapsed) * 1e3,
            false => 0.0,
        };
        let is_moving = self.session.state().playback.is_playing || has_changed;
        if is_moving || !self.is_done() {
            ui.ctx().request_repaint();
        }
    }

    /// Tells the session how wide panes are, and before the first picture brings everything into it.
    fn fit_camera(&mut self, places: &[Rect]) {
        let Some(aspect) = places.first().map(Rect::aspect_ratio) else {
            return;
        };
        if (aspect - self.session.state().camera.aspect).abs() > 1e-3 {
            self.session.run(&Command::Aspect { aspect });
        }
        if self.drawn.is_none() {
            let preset = Preset::Home;
            self.session.run(&Command::Preset { preset });
        }
    }

    fn draw(
        &mut self,
        ui: &Ui,
        places: &[Rect],
        has_changed: bool,
        textures: &mut egui_wgpu::Renderer,
    ) {
        let is_software = self.painter.gpu().is_software();
        let panes = self.session.state().panes.len();
        let per_point = ui.ctx().pixels_per_point();
        let quality = match has_changed {
            true => {
                self.pace.moved();
                None
            }
            false => self.pace.still(panes.min(places.len()), is_software),
        };
        let pixels: f32 = places
            .iter()
            .map(|p| p.area() * per_point * per_point)
            .sum();
        let is_still = quality.is_some() || (!has_changed && !self.is_coarse);
        self.is_coarse = !is_still && is_software && pixels > QUICK_PIXELS;
        let scale = match self.is_coarse {
            true => per_point * (QUICK_PIXELS / pixels).sqrt(),
            false => per_point,
        };
        let is_resized = self.fit(places, scale, textures);
        let mut work: Vec<(usize, Quality)> = quality.into_iter().collect();
        if has_changed || (is_resized && work.is_empty()) {
            work = (0..panes.min(places.len()))
                .map(|pane| (pane, Quality::moving()))
                .collect();
        } else if is_resized && let Some((better, _)) = work.first().cloned() {
            // The others wait for their turn.
            let others = (0..panes.min(places.len())).filter(|&pane| pane != better);
            let others: Vec<_> = others.map(|pane| (pane, Quality::moving())).collect();
            work.splice(0..0, others);
        }
        for (pane, quality) in work {
            let canvas = &self.canvases[pane].canvas;
            if let Err(error) = self.painter.draw(&mut self.session, pane, canvas, &quality) {
                self.failure = Some(error.to_string());
            }
            self.numbers.layers = quality.now.end;
        }
        self.drawn = Some(self.session.state().clone());
        if let Some(shown) = self.canvases.first() {
            self.numbers.picture = shown.canvas.size();
        }
    }

    /// Makes canvases as large as their places. Whether any is new.
    fn fit(&mut self, places: &[Rect], scale: f32, textures: &mut egui_wgpu::Renderer) -> bool {
        let gpu = self.painter.gpu().clone();
        for gone in self.canvases.drain(places.len().min(self.canvases.len())..) {
            textures.free_texture(&gone.texture);
        }
        let mut is_new = false;
        for (pane, place) in places.iter().enumerate() {
            let points = [place.width(), place.height()];
            let wanted = Canvas::size_for(&gpu, points, scale);
            match self.canvases.get_mut(pane) {
                Some(shown) if shown.canvas.size() == wanted => {}
                Some(shown) => {
                    shown.canvas = Canvas::new(&gpu, points, scale);
                    let view = shown.canvas.shown();
                    let (device, id) = (&gpu.device, shown.texture);
                    let filter = FilterMode::Linear;
                    textures.update_egui_texture_from_wgpu_texture(device, view, filter, id);
                    is_new = true;
                }
                None => {
                    let canvas = Canvas::new(&gpu, points, scale);
                    let (device, view) = (&gpu.device, canvas.shown());
                    let texture =
                        textures.register_native_texture(device, view, FilterMode::Linear);
                    self.canvases.push(Shown { canvas, texture });
                    is_new = true;
                }
            }
        }
        is_new
    }
}

impl Pictures for Viewer {
    fn texture(&self, pane: usize) -> Option<TextureId> {
        self.canvases.get(pane).map(|shown| shown.texture)
    }

    fn joints(&self, pane: usize, aspect: f32) -> Vec<Option<glam::Vec2>> {
        let Some(posed) = self.painter.posed(pane) else {
            return Vec::new();
        };
        let camera = self.session.state().camera.camera();
        let clip_from_world = camera.clip_from_world(aspect);
        let joints = posed.model.as_slice().iter();
        joints
            .map(|joint| on_screen(&clip_from_world, joint.translation()))
            .collect()
    }

    fn joint(&self, joint: usize) -> Option<(Transform, Affine)> {
        let posed = self.painter.posed(0)?;
        (joint < posed.local.len()).then(|| (posed.local.get(joint), *posed.model.get(joint)))
    }

    fn problem(&self, pane: usize) -> Option<String> {
        let of_pane = self.painter.problem(pane).map(str::to_owned);
        of_pane.or_else(|| self.failure.clone())
    }

    fn is_preparing(&self) -> bool {
        self.painter.is_preparing()
    }
}
