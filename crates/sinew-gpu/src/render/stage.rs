//! Contents of a picture, and its settings.

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

/// Contents of a picture.
#[derive(Clone, Debug, Default)]
pub struct Stage<'a> {
    /// Characters, each in its own pose.
    pub characters: Vec<&'a GpuCharacter>,
    /// Crowds of one rig each.
    pub crowds: Vec<&'a DrawnCrowd>,
    /// Scenes of static and moving nodes.
    pub scenes: Vec<&'a GpuScene>,
    /// Environment light. `None` uses the sky of the lighting.
    pub environment: Option<&'a Environment>,
    /// Floor at y = 0.
    pub floor: Option<&'a Floor>,
    /// Particles of dust in the air.
    pub dust: &'a [DustParticle],
    /// Lines that are drawn over everything.
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

    /// Box around characters, crowds and scenes in world space, as min and max.
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

/// Settings of a picture: camera, light and effects.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Camera in world space.
    pub camera: Camera,
    /// Sun, lamps and sky.
    pub lighting: Lighting,
    /// Model of reflection.
    pub shading: Shading,
    /// Curve from light to display values.
    pub tone: ToneMap,
    /// Number of averaged pictures, each shifted within a pixel. 1 for motion, 4 for a still.
    pub layers: u32,
    /// Radius of ambient occlusion, in world units. `None` for no occlusion.
    pub occlusion: Option<f32>,
    /// Half the angular size of the sun, in radians. If it is above 0, shadow edges widen with the
    /// distance to the object that casts the shadow. Only physical shading uses it.
    pub sun_width_rad: f32,
    /// True for shadows of the sun.
    pub shadow: bool,
    /// Centre and radius of the ball that has shadows, in world space. A small ball has sharp
    /// shadows. By default, the ball contains everything.
    pub shadow_ball: Option<(Vec3, f32)>,
    /// Half width of a shadow edge, in world units, at least a texel. Default: 1 % of the radius of
    /// [`Self::shadow_ball`].
    pub shadow_softness: Option<f32>,
    /// True for reflections in the floor.
    pub reflection: bool,
    /// Fraction of bright light that spreads to nearby pixels. 0 for no bloom.
    pub bloom: f32,
    /// True to draw the edges of triangles over characters.
    pub wireframe: bool,
    /// Distance between the grid lines on the floor, in world units. `None` for no grid.
    pub grid: Option<f32>,
    /// Background of the picture.
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

/// Background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Background {
    /// Sky of the [`Lighting`].
    #[default]
    Sky,
    /// Transparent background.
    Clear,
}
