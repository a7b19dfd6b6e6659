//! Everything that a picture shows, and the settings by which it is seen.

use super::environment::Environment;
use super::floor::Floor;
use super::shading::{Shading, ToneMap};
use crate::device::gpu::Gpu;
use crate::draw::camera::Camera;
use crate::draw::crowd::drawn::DrawnCrowd;
use crate::draw::figure::character::GpuCharacter;
use crate::draw::light::lighting::Lighting;
use crate::draw::marks::dust::DustParticle;
use crate::draw::marks::lines::Line;
use crate::draw::scene::GpuScene;
use crate::draw::surface::surfaces::Draw;
use glam::Vec3;

/// The contents of a picture.
#[derive(Clone, Debug, Default)]
pub struct Stage<'a> {
    /// Characters.
    pub characters: Vec<&'a GpuCharacter>,
    /// Crowds.
    pub crowds: Vec<&'a DrawnCrowd>,
    /// Scenes.
    pub scenes: Vec<&'a GpuScene>,
    /// Light from all around; without it, that of the lighting's sky.
    pub environment: Option<&'a Environment>,
    /// The floor that everything stands on, at y = 0.
    pub floor: Option<&'a Floor>,
    /// Dust in the air.
    pub dust: &'a [DustParticle],
    /// Lines over all of it.
    pub lines: &'a [Line],
}

impl<'a> Stage<'a> {
    pub(super) fn draws(&self, gpu: &Gpu, view: &View) -> Vec<Draw<'a>> {
        let characters = self.characters.iter().flat_map(|f| f.draws());
        let crowds = self.crowds.iter();
        let crowds = crowds.flat_map(|c| c.draws(gpu, &view.camera, view.size));
        let scenes = self.scenes.iter().flat_map(|p| p.draws());
        let all = characters.chain(crowds).chain(scenes);
        all.filter(|d| !d.is_empty()).collect()
    }

    /// The box around all of it but the floor, as its lowest and highest corner.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let characters = self.characters.iter().filter_map(|f| f.bounds());
        let crowds = self.crowds.iter().filter_map(|c| c.bounds());
        let scenes = self.scenes.iter().filter_map(|p| p.bounds());
        characters
            .chain(crowds)
            .chain(scenes)
            .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }
}

/// The settings of a picture: camera, light, effects.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The camera.
    pub camera: Camera,
    /// The light.
    pub lighting: Lighting,
    /// The model by which surfaces throw light back.
    pub shading: Shading,
    /// The curve from light to the values that a screen shows.
    pub tone: ToneMap,
    /// Count of pictures, each moved by a part of a pixel, that are laid over each other: 1 for what moves, 4 for
    /// a still.
    pub layers: u32,
    /// Distance within which near surfaces keep light from everywhere away from a position; not at all without.
    pub occlusion: Option<f32>,
    /// The sun's width as seen from here, as half its angle in radians: shadows have edges that grow with the distance
    /// from what throws them. 0 for edges that are everywhere as wide. For physical shading.
    pub sun_width_rad: f32,
    /// The sun throws shadows.
    pub shadow: bool,
    /// The middle and the radius of the ball in which it does; without it, all that there is. The smaller,
    /// the sharper.
    pub shadow_ball: Option<(Vec3, f32)>,
    /// The reach of a shadow's edge to either side; without it, a hundredth of that ball's radius.
    /// At least a texel of the shadow map.
    pub shadow_softness: Option<f32>,
    /// The floor mirrors.
    pub reflection: bool,
    /// The part of bright light that spreads; 0 for none.
    pub bloom: f32,
    /// The edges of triangles are drawn over characters.
    pub wireframe: bool,
    /// The distance between the lines of a grid on the floor; no grid without.
    pub grid: Option<f32>,
    /// The background.
    pub background: Background,
}

impl Default for View {
    fn default() -> Self {
        Self {
            size: [640, 480],
            camera: Camera::default(),
            lighting: Lighting::default(),
            shading: Shading::default(),
            tone: ToneMap::default(),
            layers: 1,
            occlusion: None,
            sun_width_rad: 0.0,
            shadow: true,
            shadow_ball: None,
            shadow_softness: None,
            reflection: true,
            bloom: 0.15,
            wireframe: false,
            grid: None,
            background: Background::Sky,
        }
    }
}

/// The background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Background {
    /// The lighting's own sky.
    #[default]
    Sky,
    /// Nothing: the picture is clear there.
    Clear,
}
