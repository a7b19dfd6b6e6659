use crate::draw::camera::{FOV_Y_RAD, direction};
use crate::draw::surface::weight_colors::WeightColors;
use crate::image::environment_map::EnvironmentMap;
use crate::render::shading::{Shading, ToneMap};
use glam::Vec3;
use sinew::Method;

/// Options of a shot.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotOptions {
    /// Width and height of the whole picture in pixels.
    pub size: [u32; 2],
    /// Index of the clip; `None` for the rest pose.
    pub clip: Option<usize>,
    /// Skinning methods, side by side from left to right.
    pub methods: Vec<Method>,
    /// Part of the motion that is kept in the picture.
    pub framed: Framed,
    /// Direction from the figure to the camera.
    pub from: Vec3,
    /// Vertical angle of view in radians.
    pub fov_y_rad: f32,
    /// Leaves room for a camera that goes all the way round.
    pub turntable: bool,
    /// Magnification, 1 as framed; clamped to [0.01, 1000].
    pub zoom: f32,
    /// Joint at the centre of the picture; `None` centres the figure.
    pub target: Option<usize>,
    /// Height of the floor.
    pub floor: FloorHeight,
    /// Background of the figure.
    pub backdrop: Backdrop,
    /// Model of reflection.
    pub shading: Shading,
    /// Curve from light to display values.
    pub tone: ToneMap,
    /// Environment light; `None` for the backdrop's own.
    pub environment: Option<EnvironmentMap>,
    /// Draws bones.
    pub skeleton: bool,
    /// Writes joint names.
    pub names: bool,
    /// Draws the axes of joints.
    pub axes: bool,
    /// Draws the edges of triangles.
    pub wireframe: bool,
    /// Draws a grid on the floor.
    pub grid: bool,
    /// Shows weights as colours.
    pub weight_colors: Option<WeightColors>,
    /// Enables shadows.
    pub shadow: bool,
    /// Enables ambient occlusion.
    pub occlusion: bool,
    /// Number of averaged pictures, for smooth edges and shadows: 1 for motion, 4 for a still.
    pub layers: u32,
    /// Enables reflections in the floor.
    pub reflection: bool,
    /// Enables bloom.
    pub bloom: bool,
    /// Writes the names of methods.
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

/// Background of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backdrop {
    /// Bright room.
    #[default]
    Studio,
    /// Dark room.
    Dark,
    /// One colour, with the figure's shadow on it.
    Color([u8; 3]),
    /// Transparent, apart from the figure's shadow.
    Clear,
}

/// Part of a motion that is kept in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Framed {
    /// All of the motion, with a static camera.
    #[default]
    Motion,
    /// One moment, in seconds.
    Moment(f64),
    /// The figure, with a camera that follows it if it travels.
    Following,
}

/// Height of the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FloorHeight {
    /// At the lowest framed point.
    #[default]
    Lowest,
    /// At y = 0 of the file.
    Zero,
    /// No floor.
    None,
}
