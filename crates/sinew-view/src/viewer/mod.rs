//! Whole window: session, panels, and the panes drawn into textures that egui shows.

mod canvases;

use crate::document::{Export, Message, MessageKind};
use crate::filming::Filming;
use crate::link::Link;
use crate::painter::{Pace, Painter, Quality, on_screen};
use crate::panels::{self, FrameNumbers, Notice, NoticeKind, PanelInput, Pictures, Requests};
use crate::session::Session;
use crate::state::{CameraCommand, Command, PanelKind, Preset, State};
use canvases::Canvases;
use egui::{Rect, TextureId, Ui};
use sinew::{Affine, Transform};
use sinew_gpu::{Gpu, RenderError};
use std::path::PathBuf;
use std::sync::Arc;
use web_time::Instant;

/// Session with its panels and pictures, with or without a display.
#[derive(Debug)]
pub struct Viewer {
    session: Session,
    painter: Painter,
    canvases: Canvases,
    pace: Pace,
    /// State for which the pictures were drawn, and its number of edits.
    drawn: Option<(State, u64)>,
    /// True if pictures have fewer pixels during motion.
    is_coarse: bool,
    frame: FrameNumbers,
    failure: Option<String>,
    requests: Requests,
    pane_rects: Vec<Rect>,
    pixels_per_point: f32,
    drawn_layers: u64,
    /// True if the picture has changed between two frames.
    has_worked: bool,
    /// Value of `drawn_layers` when the passes were last timed.
    timed_layers: u64,
    /// Number of averaged pictures that a still pane adds per frame.
    step: u32,
    filming: Option<Filming>,
    wanted: Vec<(Export, PathBuf)>,
    /// Address of the page that shows the viewer, without a fragment.
    address: Option<String>,
}

const TIMED_EVERY: u64 = 30;

/// Number of layers per frame that a GPU draws without a delay of the window.
const HARDWARE_STEP: u32 = 4;

/// Number of pixels that a software adapter draws fast enough for motion.
const QUICK_PIXELS: f32 = 480.0 * 270.0;

const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_millis(20);

const WATCH: std::time::Duration = std::time::Duration::from_millis(500);

impl Viewer {
    /// Creates a viewer that draws with a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(session: Session, gpu: Arc<Gpu>) -> Result<Self, RenderError> {
        let is_software = gpu.is_software();
        let frame = FrameNumbers {
            adapter: gpu.name(),
            ..FrameNumbers::default()
        };
        Ok(Self {
            session,
            painter: Painter::new(gpu)?,
            canvases: Canvases::default(),
            pace: Pace::default(),
            drawn: None,
            is_coarse: false,
            frame,
            failure: None,
            requests: Requests::default(),
            pane_rects: Vec::new(),
            pixels_per_point: 1.0,
            drawn_layers: 0,
            has_worked: false,
            timed_layers: 0,
            step: if is_software { 1 } else { HARDWARE_STEP },
            filming: None,
            wanted: Vec::new(),
            address: None,
        })
    }

    /// Document and state.
    pub fn session(&self) -> &Session {
        &self.session
    }

    #[cfg(all(feature = "window", target_family = "wasm"))]
    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Position of a joint in the first pane, in points.
    #[cfg(all(feature = "window", target_family = "wasm"))]
    pub(crate) fn joint_on_screen(&self, joint: usize) -> Option<egui::Pos2> {
        let pane = self.pane_rects.first()?;
        let at = *self.joints(0, pane.aspect_ratio()).get(joint)?;
        at.map(|at| pane.lerp_inside(egui::vec2(at.x, at.y)))
    }

    /// Rectangles of the panes, in points.
    #[cfg(all(feature = "window", target_family = "wasm"))]
    pub(crate) fn panes(&self) -> &[Rect] {
        &self.pane_rects
    }

    #[cfg(all(feature = "window", target_family = "wasm"))]
    pub(crate) fn set_address(&mut self, address: String) {
        self.address = Some(address);
    }

    /// Runs a command.
    pub fn run(&mut self, command: impl Into<Command>) {
        self.session.run(command);
    }

    /// True if the window may close. Asks about unsaved edits otherwise.
    #[cfg(all(feature = "window", not(target_family = "wasm")))]
    pub(crate) fn may_quit(&mut self) -> bool {
        self.session.may_quit()
    }

    /// True if the user wants the window to close, and all questions are answered.
    #[cfg(all(feature = "window", not(target_family = "wasm")))]
    pub(crate) fn is_quitting(&self) -> bool {
        self.session.is_quitting()
    }

    #[cfg(all(feature = "window", not(target_family = "wasm")))]
    pub(crate) fn discard_edits(&mut self) {
        self.session.discard_all();
    }

    /// Reason why drawing stopped, if it did.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Returns the requests of the panels to the window since the last call.
    pub(crate) fn take_requests(&mut self) -> Requests {
        std::mem::take(&mut self.requests)
    }

    /// From now on, refines a still pane in one frame. For screenshots.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn refine_at_once(&mut self) {
        self.step = u32::MAX;
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn set_layers(&mut self, layers: u32) {
        self.pace = Pace::with_layers(layers);
    }

    /// Waits until everything requested can be drawn. The clock does not advance.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self) {
        self.session.advance(0.0);
        while self.session.is_busy() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.session.advance(0.0);
        }
        self.painter.wait(&self.session);
    }

    /// True if the pictures have their final quality and no work remains.
    pub fn is_done(&self) -> bool {
        let panes = self.session.state().panes.len();
        self.pace.is_done(panes)
            && !self.painter.is_preparing()
            && !self.painter.is_timing()
            && !self.session.is_busy()
            && !self.is_filming()
    }

    /// Runs steps of what is coming, between two frames. True if there is more to do.
    #[cfg(all(feature = "window", target_family = "wasm"))]
    pub(crate) fn work(&mut self) -> bool {
        if self.is_coming() {
            self.has_worked |= self.session.advance(0.0) | self.painter.update(&self.session);
        }
        self.is_coming()
    }

    /// True if a file is being opened, or its character is on its way to the GPU.
    pub(crate) fn is_coming(&self) -> bool {
        self.session.is_opening() || self.painter.is_preparing()
    }

    /// Number of layers drawn so far.
    pub fn drawn_layers(&self) -> u64 {
        self.drawn_layers
    }

    /// True while a picture is being written.
    pub fn is_filming(&self) -> bool {
        self.filming.is_some() || !self.wanted.is_empty()
    }

    /// Draws the next frame of the requested pictures if the last one has arrived. True if the panes change.
    fn film(&mut self) -> bool {
        self.wanted.extend(self.session.take_picture_requests());
        if self.filming.is_none() && !self.pane_rects.is_empty() && !self.wanted.is_empty() {
            let wanted = self.wanted.remove(0);
            let per_point = self.pixels_per_point;
            let pane_rects = self.pane_rects.iter();
            let panes: Vec<_> = pane_rects
                .map(|p| ([p.width(), p.height()], per_point))
                .collect();
            let filming = Filming::new(&mut self.session, &self.painter, wanted, &panes);
            self.filming = Some(filming);
        }
        let Some(filming) = &mut self.filming else {
            return false;
        };
        let drawn = filming.drawn();
        let outcome = filming.step(&mut self.session, &mut self.painter);
        let has_changed = filming.drawn() != drawn || outcome.is_some();
        if let Some(outcome) = outcome {
            let file = filming.path().display().to_string();
            self.session.notify(match outcome {
                Ok(text) => Message {
                    kind: MessageKind::Notice,
                    file,
                    text,
                    way_out: String::new(),
                },
                Err(text) => Message {
                    kind: MessageKind::Problem,
                    file,
                    text,
                    way_out: "Choose another location.".to_owned(),
                },
            });
            self.filming = None;
        }
        has_changed
    }

    fn notices(&self) -> Vec<Notice> {
        let loading = self.session.loading().map(|loading| Notice {
            kind: NoticeKind::Loading(loading.stage.fraction),
            title: format!("Opening {}", loading.name),
            text: loading.stage.name.to_owned(),
        });
        let mut notices: Vec<Notice> = loading.collect();
        let messages = self.session.messages().iter().enumerate();
        notices.extend(messages.map(|(at, message)| Notice {
            kind: match message.kind {
                MessageKind::Problem => NoticeKind::Problem(at),
                MessageKind::Notice => NoticeKind::Done(at),
            },
            title: format!("{}: {}", message.file, message.text),
            text: message.way_out.clone(),
        }));
        if let Some(filming) = &self.filming {
            notices.push(Notice {
                kind: NoticeKind::Filming(filming.fraction()),
                title: format!("Writing {}", filming.path().display()),
                text: "The window ignores commands until the file is written.".to_owned(),
            });
        }
        notices
    }

    /// Shows one frame: advances time, shows panels, and draws the panes that changed.
    pub fn show(&mut self, ui: &mut Ui, textures: &mut egui_wgpu::Renderer) {
        let begun = Instant::now();
        let elapsed = ui.input(|input| input.stable_dt);
        let was_busy = self.session.is_busy();
        let is_new = self.session.advance(f64::from(elapsed));
        let input = self.panel_input();
        panels::dress(ui, self.session.state());
        let shown = panels::show(ui, &self.session, self, &input);
        // A command during export would change the picture.
        if !self.is_filming() {
            for command in shown.commands {
                self.session.run(command);
            }
        }
        self.pane_rects = shown.panes.iter().map(|over| over.rect).collect();
        self.pixels_per_point = ui.ctx().pixels_per_point();
        self.fit_camera();
        self.requests.open_dialog |= shown.requests.open_dialog;
        if shown.requests.stop_filming
            && let Some(filming) = self.filming.take()
        {
            filming.restore(&mut self.session);
        }
        let is_filmed = self.film();
        let files = self.session.document().files().iter();
        let seen = (
            seen(self.session.state()),
            files.map(|file| file.edits).sum(),
        );
        let has_changed = self.painter.update(&self.session)
            | std::mem::take(&mut self.has_worked)
            | is_filmed
            | (is_new && was_busy)
            | (self.drawn.as_ref() != Some(&seen));
        self.drawn = Some(seen);
        self.frame.cpu_ms = begun.elapsed().as_secs_f64() * 1e3;
        self.draw(has_changed, textures);
        for over in &shown.panes {
            over.draw(ui, &self.session, self);
        }
        let is_playing = self.session.state().playback.is_playing;
        self.frame.frame_ms = if is_playing {
            0.9 * self.frame.frame_ms + 0.1 * f64::from(elapsed) * 1e3
        } else {
            0.0
        };
        let is_flashing = !self.session.state().playback.fired.is_empty();
        let is_turning = self.session.state().camera.turntable_rad_per_sec != 0.0;
        if is_playing || is_turning || is_flashing || has_changed {
            ui.ctx().request_repaint();
        } else if self.is_coming() {
            ui.ctx().request_repaint_after(LOOK_AGAIN);
        } else if !self.is_done() {
            ui.ctx().request_repaint();
        } else if self.has_watched_files() {
            ui.ctx().request_repaint_after(WATCH);
        }
    }

    fn has_watched_files(&self) -> bool {
        let files = self.session.document().files();
        files.iter().any(|file| file.path.is_some())
    }

    fn panel_input(&mut self) -> PanelInput {
        let state = self.session.state();
        let command_line = if state.window.panels.contains(&PanelKind::Export) {
            let size = self.frame.picture;
            match &self.address {
                Some(address) => format!("{address}#{}", Link::to(&mut self.session).text()),
                None => self.session.command_line("picture.png", size),
            }
        } else {
            String::new()
        };
        PanelInput {
            frame: self.frame.clone(),
            notices: self.notices(),
            command_line,
        }
    }

    /// Updates the aspect ratio of the camera. Before the first picture, frames everything.
    fn fit_camera(&mut self) {
        let Some(aspect) = self.pane_rects.first().map(Rect::aspect_ratio) else {
            return;
        };
        if (aspect - self.session.state().camera.aspect).abs() > 1e-3 {
            self.session.run(CameraCommand::Aspect { aspect });
        }
        if self.drawn.is_none() {
            let preset = Preset::Home;
            self.session.run(CameraCommand::Preset { preset });
        }
    }

    fn draw(&mut self, has_changed: bool, textures: &mut egui_wgpu::Renderer) {
        let pane_rects = std::mem::take(&mut self.pane_rects);
        self.draw_in(&pane_rects, has_changed, textures);
        self.pane_rects = pane_rects;
    }

    fn draw_in(
        &mut self,
        pane_rects: &[Rect],
        has_changed: bool,
        textures: &mut egui_wgpu::Renderer,
    ) {
        let is_software = self.painter.gpu().is_software();
        let panes = self.session.state().panes.len();
        let per_point = self.pixels_per_point;
        let quality = if has_changed {
            self.pace.moved();
            None
        } else if (is_software && self.is_coming()) || self.is_filming() {
            // The picture will be replaced soon, so it is not refined.
            None
        } else {
            self.pace.still(panes.min(pane_rects.len()), self.step)
        };
        let pixels: f32 = pane_rects
            .iter()
            .map(|p| p.area() * per_point * per_point)
            .sum();
        let is_still = quality.is_some() || (!has_changed && !self.is_coarse);
        self.is_coarse = !is_still && is_software && pixels > QUICK_PIXELS;
        let scale = if self.is_coarse {
            per_point * (QUICK_PIXELS / pixels).sqrt()
        } else {
            per_point
        };
        let gpu = self.painter.gpu();
        let is_resized = self.canvases.fit(gpu, pane_rects, scale, textures);
        let mut work: Vec<(usize, Quality)> = quality.into_iter().collect();
        if has_changed || (is_resized && work.is_empty()) {
            work = (0..panes.min(pane_rects.len()))
                .map(|pane| (pane, Quality::moving()))
                .collect();
        } else if is_resized && let Some((better, _)) = work.first().cloned() {
            // The other panes are refined later.
            let others = (0..panes.min(pane_rects.len())).filter(|&pane| pane != better);
            let others: Vec<_> = others.map(|pane| (pane, Quality::moving())).collect();
            work.splice(0..0, others);
        }
        let mut failure = None;
        let draws = !work.is_empty();
        for (pane, quality) in work {
            let Some(canvas) = self.canvases.canvas(pane) else {
                continue;
            };
            if let Err(error) = self.painter.draw(&mut self.session, pane, canvas, &quality) {
                failure = Some(error.to_string());
            }
            self.frame.layers = quality.now.end;
            self.drawn_layers += u64::from(quality.now.end - quality.now.start);
        }
        self.time_passes(draws);
        if draws {
            self.failure = failure;
        }
        if let Some(canvas) = self.canvases.canvas(0) {
            self.frame.picture = canvas.size();
        }
    }

    /// Times the passes while their panel is open, at intervals.
    fn time_passes(&mut self, draws: bool) {
        let panels = &self.session.state().window.panels;
        let is_due = self.drawn_layers >= self.timed_layers + TIMED_EVERY;
        let is_wanted = panels.contains(&PanelKind::Numbers);
        let starts = draws && is_wanted && (is_due || self.frame.passes.is_empty());
        if !starts && !self.painter.is_timing() {
            return;
        }
        if let Some(passes) = self.painter.pass_times().unwrap_or_default() {
            self.timed_layers = self.drawn_layers;
            self.frame.passes = passes;
        }
    }
}

/// Part of a state that affects pictures, without panels and fired events.
fn seen(state: &State) -> State {
    let mut seen = state.clone();
    seen.playback.fired.clear();
    seen.window.panels.clear();
    seen.question = None;
    seen
}

impl Pictures for Viewer {
    fn texture(&self, pane: usize) -> Option<TextureId> {
        self.canvases.texture(pane)
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
