//! Character in a studio, with one skinning method or several side by side.

use super::file_camera::file_camera;
use super::framing::{Staging, Way, grid_spacing};
use super::joint_names::draw_names;
use super::options::{Backdrop, FloorHeight, ShotOptions};
use super::posed::posed;
use crate::device::gpu::Gpu;
use crate::draw::camera::Camera;
use crate::draw::error::RenderError;
use crate::draw::figure::character::GpuCharacter;
use crate::draw::light::file_lights::driven_lamps;
use crate::draw::light::lighting::Lighting;
use crate::draw::marks::dust::Dust;
use crate::draw::marks::lines::{Line, axes_lines, skeleton_lines};
use crate::draw::marks::stroke_font::{draw_text, text_width};
use crate::draw::stage_curves::StageCurves;
use crate::image::picture::Picture;
use crate::render::environment::Environment;
use crate::render::floor::Floor;
use crate::render::renderer::Renderer;
use crate::render::shading::Shading;
use crate::render::stage::{Background, Stage, View};
use crate::render::timings::Timings;
use glam::{Vec2, Vec3};
use sinew::binding::{self, Target};
use sinew::character::{Driven, StageNames};
use sinew::{Affine, Character, Method, ModelPose, Playable, SkinnedBy};

/// Framed character, ready for pictures at any time of its motion.
#[derive(Debug)]
pub struct Shot {
    options: ShotOptions,
    characters: Vec<GpuCharacter>,
    driven: Driven,
    floor: Floor,
    /// Light of physical shading. Without a map of the options, the first picture takes it from the renderer.
    environment: Option<Environment>,
    view: View,
    way: Way,
    middle: Vec2,
    world_from_model: Affine,
    radius: f32,
    /// Height of the skeleton divided by that of a person.
    stature: f32,
    orbit_rad: f32,
    problems: Vec<RenderError>,
    timings: Option<Timings>,
}

/// Names that curves can be bound to. The key light is the one with shadows.
const STUDIO: StageNames<'static> = StageNames {
    lights: &["key"],
    materials: &[],
};

const SUN_WIDTH_RAD: f32 = 0.09;

impl Shot {
    /// Uploads a character and finds its camera.
    pub fn new(
        gpu: &Gpu,
        character: &Character,
        options: ShotOptions,
    ) -> Result<Self, RenderError> {
        let mut options = options;
        Renderer::check_size(gpu, options.size)?;
        if options.methods.is_empty() {
            options.methods.push(character.method());
        }
        options.skeleton |= character.meshes.is_empty();
        options.fov_y_rad = options.fov_y_rad.clamp(0.01, 3.0);
        options.zoom = options.zoom.clamp(0.01, 1000.0);
        let size = [
            options.size[0].div_ceil(options.methods.len() as u32),
            options.size[1],
        ];
        let staging = Staging::new(character, &options, size[0] as f32 / size[1] as f32)?;
        let radius = staging.radius;
        let mut floor = match options.backdrop {
            Backdrop::Dark => Floor::dark(gpu)?,
            _ => Floor::studio(gpu)?,
        };
        floor.half_size = radius * 16.0;
        let is_physical = options.shading == Shading::Physical;
        let lighting = match (options.backdrop, is_physical) {
            (Backdrop::Dark, true) => Lighting::dark_backdrop(),
            (Backdrop::Dark, false) => Lighting::dark(),
            (_, true) => Lighting::backdrop(),
            (_, false) => Lighting::studio(),
        };
        floor.is_backdrop = is_physical;
        let view = View {
            size,
            camera: staging.camera,
            lighting,
            shading: options.shading,
            tone: options.tone,
            layers: options.layers,
            occlusion: options.occlusion.then_some(0.13 * radius),
            sun_width_rad: SUN_WIDTH_RAD,
            shadow: options.shadow,
            shadow_ball: None,
            shadow_softness: None,
            reflection: options.reflection,
            bloom: if options.bloom { 0.15 } else { 0.0 },
            wireframe: options.wireframe,
            grid: options.grid.then_some(grid_spacing(radius)),
            background: match options.backdrop {
                Backdrop::Studio | Backdrop::Dark => Background::Sky,
                Backdrop::Color(_) | Backdrop::Clear => Background::Clear,
            },
        };
        let world_from_model = Affine::from_translation(staging.on_floor);
        let mut characters = Vec::new();
        for &method in &options.methods {
            let normals = options.normals;
            let mut figure = GpuCharacter::new(gpu, character, SkinnedBy { method, normals })?;
            figure.place(gpu, &world_from_model);
            if options.weight_colors.is_some() {
                figure.set_weight_colors(gpu, character, options.weight_colors)?;
            }
            characters.push(figure);
        }
        let unbound = character.unknown_bindings(&STUDIO);
        let mut problems: Vec<RenderError> = unbound.map(|(_, why)| why.into()).collect();
        if let Some(first) = characters.first() {
            problems.extend(first.problems().iter().cloned());
        }
        let environment = match (options.shading, &options.environment) {
            (Shading::Physical, Some(map)) => Some(Environment::new(gpu, map)?),
            _ => None,
        };
        Ok(Self {
            options,
            characters,
            driven: Driven::new(character),
            floor,
            environment,
            view,
            middle: level(staging.middle),
            way: staging.way,
            world_from_model,
            radius,
            stature: stature(character),
            orbit_rad: 0.0,
            problems,
            timings: None,
        })
    }

    /// True if the background is transparent.
    pub fn is_clear(&self) -> bool {
        self.options.backdrop == Backdrop::Clear
    }

    /// Errors of parts that are not drawn as intended.
    pub fn problems(&self) -> &[RenderError] {
        &self.problems
    }

    /// Skinning methods, from left to right.
    pub fn methods(&self) -> impl Iterator<Item = Method> + '_ {
        self.options.methods.iter().copied()
    }

    /// Current camera.
    pub fn camera(&self) -> Camera {
        self.view.camera
    }

    /// Replaces the camera.
    pub fn set_camera(&mut self, camera: Camera) {
        self.view.camera = camera;
    }

    /// Enables timing, if the device supports timestamps.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        self.characters
            .iter_mut()
            .try_for_each(|f| f.measure(gpu))?;
        self.timings = Some(Timings::default());
        Ok(())
    }

    /// GPU times of the last picture, summed over all methods. `None` without timing.
    pub fn timings(&self) -> Option<Timings> {
        self.timings
    }

    /// Sets the rotation of the camera around the figure, in radians.
    pub fn orbit(&mut self, angle_rad: f32) {
        self.orbit_rad = angle_rad;
    }

    /// Names of the studio that curves can be bound to, in addition to those of the character.
    pub fn names() -> StageNames<'static> {
        STUDIO
    }

    /// Draws the picture at a time of the clip, in seconds. The bindings of the character drive
    /// camera, lights, materials and dust. `character` must be the uploaded one.
    pub fn take(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        character: &Character,
        time_secs: f64,
    ) -> Result<Picture, RenderError> {
        let clip = self.options.clip;
        let along = self.way.at(time_secs);
        self.floor.middle = self.middle + level(along);
        let playing = clip.and_then(|clip| character.clips.get(clip));
        let playing = playing.map(|clip| clip as &dyn Playable);
        let curves = StageCurves::new(&character.bindings, playing, time_secs);
        self.driven.update(playing, time_secs);
        let pose = posed(character, clip, time_secs);
        let camera = self.view.camera.orbited(self.orbit_rad).moved(along);
        let through = self
            .options
            .through
            .and_then(|own| self.driven.cameras().get(own));
        let mut view = View {
            camera: match through {
                Some(own) => {
                    file_camera(own, character, &pose, &self.world_from_model, self.radius)
                }
                None => curves.camera(camera, &self.world_from_model),
            },
            ..self.view.clone()
        };
        view.lighting.sun = curves.light("key").color_over(view.lighting.sun);
        let dust = self.dust(character, time_secs);
        let (lines, ink) = (self.lines(character, &pose, &view), self.ink());
        if view.shading == Shading::Physical && !character.lights.is_empty() {
            let from_model = &self.world_from_model;
            view.lighting.lamps = driven_lamps(character, &self.driven, &pose, from_model, &curves);
        }
        if self.environment.is_none() && view.shading == Shading::Physical {
            let dark = self.options.backdrop == Backdrop::Dark;
            self.environment = Some(renderer.studio_light(gpu, dark)?);
        }
        let mut pictures = Vec::new();
        let mut timings = Timings::default();
        for figure in &mut self.characters {
            figure.pose(gpu, character, clip, time_secs)?;
            figure.show_materials(gpu, &self.driven, &curves);
            figure.hide_nodes(|node| self.driven.is_hidden(node));
            let stage = Stage {
                characters: vec![figure],
                floor: (self.options.floor != FloorHeight::None).then_some(&self.floor),
                environment: self.environment.as_ref(),
                lines: &lines,
                dust: dust.as_slice(),
                ..Stage::default()
            };
            let mut picture = renderer.render(gpu, &stage, &view)?;
            if self.timings.is_some() {
                timings.skin_ms += figure.skin_ms(gpu)?.unwrap_or(0.0);
                timings.add(&renderer.timings(gpu)?.unwrap_or_default());
            }
            if let Backdrop::Color(color) = self.options.backdrop {
                picture.fill_behind(color);
            }
            if self.options.names {
                let camera = &view.camera;
                draw_names(
                    &mut picture,
                    character,
                    &pose,
                    &self.world_from_model,
                    camera,
                );
            }
            if self.options.labels {
                label(&mut picture, method_name(figure.method()), ink);
            }
            pictures.push(picture);
        }
        self.timings = self.timings.map(|_| timings);
        if pictures.len() == 1 {
            return Ok(pictures.swap_remove(0));
        }
        // If the width does not divide evenly, the last picture is cropped.
        let [width, height] = self.options.size;
        let mut whole = Picture::new(width, height, [0; 4]);
        for (x, picture) in (0..).step_by(self.view.size[0] as usize).zip(&pictures) {
            whole.paste(picture, x, 0);
        }
        Ok(whole)
    }

    fn dust(&self, character: &Character, time_secs: f64) -> Dust {
        let mut dust = Dust::default();
        let clip = self.options.clip.and_then(|c| character.clips.get(c));
        for event in clip.iter().flat_map(|clip| &clip.events) {
            let at = f64::from(event.time_secs);
            for target in binding::events(&character.bindings, &event.name) {
                if let Target::Dust(joint) = target
                    && let Some(joint) = character.skeleton.find(joint)
                    && Dust::is_seen(time_secs - at)
                {
                    let pose = posed(character, self.options.clip, at);
                    let position = pose.get(joint).translation();
                    let position = self.world_from_model.transform_point(position).with_y(0.0);
                    dust.raise(position, self.stature, (time_secs - at) as f32);
                }
            }
        }
        dust
    }

    fn lines(&self, character: &Character, pose: &ModelPose, view: &View) -> Vec<Line> {
        let rows = view.size[1] as f32;
        let pixel = (rows / 720.0).max(0.35);
        let mut lines = Vec::new();
        if self.options.skeleton {
            let camera = &view.camera;
            let away = (camera.eye - camera.target).length();
            let pixels_per_unit = rows / (2.0 * away * (camera.fov_y_rad / 2.0).tan());
            let skeleton = &character.skeleton;
            lines = skeleton_lines(
                skeleton,
                pose,
                &self.world_from_model,
                pixel,
                pixels_per_unit,
            );
        }
        if self.options.axes {
            let length = self.radius * 0.09;
            lines.extend(axes_lines(pose, &self.world_from_model, length, pixel));
        }
        lines
    }

    /// Colour of labels, in contrast to the backdrop.
    pub fn ink(&self) -> [u8; 4] {
        let dark = match self.options.backdrop {
            Backdrop::Dark => true,
            Backdrop::Color([r, g, b]) => u32::from(r) + u32::from(g) + u32::from(b) < 300,
            // The physical backdrop is mid grey, on which light letters are readable.
            Backdrop::Studio => self.options.shading == Shading::Physical,
            Backdrop::Clear => false,
        };
        if dark {
            [225, 228, 232, 255]
        } else {
            [52, 58, 66, 255]
        }
    }
}

/// Name of a method in labels.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::Rigid => "rigid",
        Method::Linear => "linear blend",
        Method::DualQuat => "dual quaternion",
        Method::Quaternion => "quaternion",
    }
}

/// Writes a line of text into the lower left corner.
pub fn label(picture: &mut Picture, text: &str, ink: [u8; 4]) {
    let margin = picture.height() as f32 * 0.035;
    let width = picture.width() as f32 - 2.0 * margin;
    let expected = (picture.height() as f32 * 0.028).max(7.0);
    let height = expected.min(expected * width / text_width(expected, text).max(1.0));
    let top = picture.height() as f32 - margin - height;
    draw_text(picture, [margin, top], height, ink, text);
}

fn stature(character: &Character) -> f32 {
    const PERSON: f32 = 1.7;
    let rest = character.skeleton.rest_model();
    let heights = rest.iter().map(|joint| joint.translation().y);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    ((high - low) / PERSON).clamp(1e-3, 1e6)
}

fn level(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}
