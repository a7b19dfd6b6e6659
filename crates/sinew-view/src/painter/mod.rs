//! Draws document and state. Each pane has a character, which is posed and drawn into a texture.

mod canvas;
mod figure;
mod limits;
mod markers;
mod on_screen;
mod overlay;
mod pace;
mod posed;
mod room;
mod scene;
mod textures;

pub use canvas::Canvas;
pub use on_screen::on_screen;
pub use pace::{Pace, Quality};
pub use posed::Posed;
pub use sinew_gpu::read_texture;
pub use textures::drawn_texture;

use crate::session::Session;
use crate::state::{Overlay, Pass, Surface};
use figure::Figure;
use room::{Room, RoomKind};
use scene::Scene;
use sinew::{Affine, SkinnedBy};
use sinew_gpu::{
    Background, Gpu, PendingTimings, RenderError, Renderer, Shading, Stage, Target, ToneMap, View,
    grid_spacing,
};
use std::sync::Arc;

const SUN_WIDTH_RAD: f32 = 0.09;

/// Number of triangles above which a software adapter is slow.
const MANY_TRIANGLES: usize = 300_000;

/// Draws the panes with a GPU.
#[derive(Debug)]
pub struct Painter {
    gpu: Arc<Gpu>,
    renderer: Renderer,
    room: Option<Room>,
    figures: Vec<Figure>,
    poses: Vec<Posed>,
    is_measured: bool,
    /// Times that are being read.
    timings: Option<PendingTimings>,
}

impl Painter {
    /// Creates a painter.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(gpu: Arc<Gpu>) -> Result<Self, RenderError> {
        Ok(Self {
            renderer: Renderer::new(&gpu)?,
            gpu,
            room: None,
            figures: Vec::new(),
            poses: Vec::new(),
            is_measured: false,
            timings: None,
        })
    }

    /// Device that draws.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Prepares and shows new characters. True if the picture of a pane changes.
    pub fn update(&mut self, session: &Session) -> bool {
        let panes = &session.state().panes;
        let before = self.figures.len();
        self.figures.truncate(panes.len());
        let mut has_changed = before != panes.len();
        for (index, pane) in panes.iter().enumerate() {
            let Some(file) = session.document().file(pane.file) else {
                continue;
            };
            let by = SkinnedBy {
                method: pane.method,
                normals: session.state().look.normals,
            };
            match self.figures.get_mut(index) {
                Some(figure) => has_changed |= figure.update(&self.gpu, file, by),
                // The stand-in would disappear before the user sees it.
                None if file.is_stand_in && session.is_opening() => break,
                None => self.figures.push(Figure::new(&self.gpu, file, by)),
            }
        }
        has_changed
    }

    /// Waits until all panes can be drawn.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self, session: &Session) {
        self.update(session);
        while self.is_preparing() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.update(session);
        }
    }

    /// True if the character of a pane is still being uploaded.
    pub fn is_preparing(&self) -> bool {
        self.figures.iter().any(Figure::is_preparing)
    }

    /// Reason why the character of a pane cannot be drawn, if it cannot.
    pub fn problem(&self, pane: usize) -> Option<&str> {
        self.figures.get(pane).and_then(Figure::problem)
    }

    /// Draws a pane into a texture.
    ///
    /// # Errors
    /// If the device fails, or if a pose does not match its character.
    pub fn draw(
        &mut self,
        session: &mut Session,
        index: usize,
        canvas: &Canvas,
        quality: &Quality,
    ) -> Result<(), RenderError> {
        let kind = RoomKind::of(session.state());
        let light = session.state().look.environment;
        let is_it = |room: &Room| room.kind == kind && room.light == light;
        if !self.room.as_ref().is_some_and(is_it) {
            self.room = Some(Room::new(&self.gpu, kind, light)?);
        }
        let panes = session.state().panes.len();
        self.poses.truncate(panes);
        self.poses.resize_with(panes, Posed::default);
        let (Some(figure), Some(room), Some(posed)) = (
            self.figures.get_mut(index),
            &mut self.room,
            self.poses.get_mut(index),
        ) else {
            return Ok(());
        };
        figure.pose(&self.gpu, session, index)?;
        posed.update(session, index);
        let state = session.state();
        let Some(file) = state
            .panes
            .get(index)
            .and_then(|pane| session.document().file(pane.file))
        else {
            return Ok(());
        };
        figure.drive(&self.gpu, file, session.playing(index));
        figure.paint(&self.gpu, file, state)?;
        let lift = figure.on_floor();
        let radius = figure.radius();
        let camera = state.camera.camera().moved(lift);
        let size = canvas.size();
        let lines = overlay::lines(&Scene {
            state,
            file,
            posed,
            world_from_model: Affine::from_translation(lift),
            camera: &camera,
            radius,
            rows: size[1] as f32,
            pixel: canvas.pixels_per_point(),
            has_mesh: figure.has_surface(),
        });
        let mut lighting = room.exposed(state.look.exposure_stops);
        let lamps = figure.lamps(file, &posed.model, &Affine::from_translation(lift));
        if !lamps.is_empty() {
            lighting.lamps = lamps;
        }
        let is_still = quality.layers > 1;
        if is_still {
            room.complete(&self.gpu)?;
        }
        room.place(radius, figure.middle() + lift);
        let is_shown = state.look.surface != Surface::Hidden;
        let stage = Stage {
            characters: figure.ready().filter(|_| is_shown).into_iter().collect(),
            floor: Some(&room.floor),
            environment: Some(&room.environment),
            lines: &lines,
            ..Stage::default()
        };
        let has = |pass| state.look.passes.contains(&pass);
        let is_slow = self.gpu.is_software() && file.size.triangles > MANY_TRIANGLES;
        // During motion, slow scenes have no shadows and reflections.
        let has_more = |pass| has(pass) && (is_still || !is_slow);
        let view = View {
            size,
            camera,
            lighting,
            shading: Shading::Physical,
            tone: ToneMap::Neutral,
            layers: quality.layers,
            occlusion: (has(Pass::Occlusion) && is_still).then_some(0.13 * radius),
            sun_width_rad: if is_still { SUN_WIDTH_RAD } else { 0.0 },
            shadow: has_more(Pass::Shadow),
            shadow_ball: None,
            shadow_softness: None,
            reflection: has_more(Pass::Reflection),
            bloom: if has(Pass::Bloom) { 0.15 } else { 0.0 },
            wireframe: state.look.overlays.contains(&Overlay::Wireframe),
            grid: (state.look.overlays.contains(&Overlay::Grid)).then(|| grid_spacing(radius)),
            background: Background::Sky,
        };
        let target = Target {
            view: canvas.drawn(),
            format: Canvas::DRAWN,
        };
        let layers = quality.now.clone();
        self.renderer
            .draw_layers_into(&self.gpu, &stage, &view, &target, layers)
    }

    /// Times the passes of later pictures and reads those of the last one, without waiting: returns their times in
    /// milliseconds once they have arrived, in a later frame. Empty if the GPU cannot measure.
    pub fn pass_times(&mut self) -> Result<Option<Vec<(&'static str, f64)>>, RenderError> {
        let Some(coming) = &mut self.timings else {
            if !self.is_measured {
                self.renderer.measure(&self.gpu)?;
                self.is_measured = true;
                return Ok(Some(Vec::new()));
            }
            self.timings = self.renderer.timings_later(&self.gpu)?;
            return Ok(self.timings.is_none().then(Vec::new));
        };
        let taken = coming.take(&self.gpu);
        if !matches!(taken, Ok(None)) {
            self.timings = None;
        }
        let Some(timings) = taken? else {
            return Ok(None);
        };
        let passes = [
            ("Shadow", timings.shadow_ms),
            ("Reflection", timings.reflection_ms),
            ("Occlusion", timings.occlusion_ms),
            ("Surfaces", timings.main_ms),
            ("Bloom", timings.bloom_ms),
            ("Tone", timings.tone_ms + timings.sum_ms),
        ];
        let drawn = passes.into_iter().filter(|(_, ms)| *ms > 0.0);
        Ok(Some(drawn.collect()))
    }

    /// True if the times of passes are being read.
    pub fn is_timing(&self) -> bool {
        self.timings.is_some()
    }

    /// Pose of the last picture of a pane.
    pub fn posed(&self, pane: usize) -> Option<&Posed> {
        self.poses.get(pane)
    }
}
