//! The options of a shot.

use crate::draw::camera::{FOV_Y_RAD, direction};
use crate::draw::surface::weight_colors::WeightColors;
use crate::image::environment_map::EnvironmentMap;
use crate::render::shading::{Shading, ToneMap};
use glam::Vec3;
use sinew::Method;

/// The options of a shot.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotOptions {
    /// Width and height of the whole picture in pixels.
    pub size: [u32; 2],
    /// Index of the clip; the rest pose without one.
    pub clip: Option<usize>,
    /// From left to right.
    pub methods: Vec<Method>,
    /// The part of the motion that is kept in the picture.
    pub framed: Framed,
    /// From the figure to the camera.
    pub from: Vec3,
    /// From the lower to the upper edge of the picture.
    pub fov_y_rad: f32,
    /// Room for a camera that turns all the way round.
    pub turntable: bool,
    /// Factor of the size, 1 as framed; from 0.01 to 1000.
    pub zoom: f32,
    /// The joint in the middle of the picture; without it, the middle of all.
    pub target: Option<usize>,
    /// The height of the floor.
    pub floor: FloorHeight,
    /// The background.
    pub backdrop: Backdrop,
    /// The model by which surfaces throw light back.
    pub shading: Shading,
    /// The curve from light to the values that a screen shows.
    pub tone: ToneMap,
    /// Light from all around; without it, that of the backdrop.
    pub environment: Option<EnvironmentMap>,
    /// Draws bones.
    pub skeleton: bool,
    /// Writes the names of joints beside them.
    pub names: bool,
    /// Draws the axes of joints.
    pub axes: bool,
    /// Draws the edges of triangles.
    pub wireframe: bool,
    /// Draws lines on the floor.
    pub grid: bool,
    /// Shows weights as colours.
    pub weight_colors: Option<WeightColors>,
    /// The sun throws shadows.
    pub shadow: bool,
    /// Near surfaces keep light from everywhere away.
    pub occlusion: bool,
    /// Count of pictures that are laid over each other, for smooth edges and shadows: 1 for what moves, 4 for a still.
    pub layers: u32,
    /// The floor mirrors.
    pub reflection: bool,
    /// Bright light spreads.
    pub bloom: bool,
    /// Writes the names of methods into the picture.
    pub labels: bool,
}

impl Default for ShotOptions {
    fn default() -> Self {
        Self {
            size: [960, 720],
            clip: None,
            methods: vec![Method::DualQuat],
            framed: Framed::Motion,
            from: direction(0.55, 0.18),
            fov_y_rad: FOV_Y_RAD,
            turntable: false,
            zoom: 1.0,
            target: None,
            floor: FloorHeight::Lowest,
            backdrop: Backdrop::Studio,
            shading: Shading::Physical,
            tone: ToneMap::Neutral,
            environment: None,
            skeleton: false,
            names: false,
            axes: false,
            wireframe: false,
            grid: false,
            weight_colors: None,
            shadow: true,
            occlusion: true,
            layers: 1,
            reflection: false,
            bloom: false,
            labels: false,
        }
    }
}

/// The background of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backdrop {
    /// A bright room.
    #[default]
    Studio,
    /// A dark one.
    Dark,
    /// One colour, with the figure's shadow on it.
    Color([u8; 3]),
    /// Nothing: clear but for the figure's shadow.
    Clear,
}

/// The part of a motion that is kept in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Framed {
    /// All of the motion, by a camera that stands still.
    #[default]
    Motion,
    /// One moment of it, in seconds.
    Moment(f64),
    /// The figure, by a camera that goes along with it when it moves away from its position.
    Following,
}

/// The height of the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FloorHeight {
    /// At the lowest point of what is framed.
    #[default]
    Lowest,
    /// At y = 0 of the file.
    Zero,
    /// There is no floor.
    None,
}
