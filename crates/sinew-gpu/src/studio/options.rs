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
    /// Index of the clip. `None` for the rest pose.
    pub clip: Option<usize>,
    /// Skinning methods, side by side from left to right.
    pub methods: Vec<Method>,
    /// Part of the motion that must fit into the picture.
    pub framed: Framed,
    /// Direction from the figure to the camera. Its length does not matter.
    pub from: Vec3,
    /// Vertical angle of view in radians.
    pub fov_y_rad: f32,
    /// True to frame the figure for a camera that circles it.
    pub turntable: bool,
    /// Magnification, clamped to [0.01, 1000]. 1 fits the framed part.
    pub zoom: f32,
    /// Index of the joint at the centre of the picture. `None` centres the figure.
    pub target: Option<usize>,
    /// Height of the floor.
    pub floor: FloorHeight,
    /// Background of the figure.
    pub backdrop: Backdrop,
    /// Model of reflection.
    pub shading: Shading,
    /// Curve from light to display values.
    pub tone: ToneMap,
    /// Environment light. `None` uses the environment of the backdrop.
    pub environment: Option<EnvironmentMap>,
    /// True to draw bones.
    pub skeleton: bool,
    /// True to write joint names.
    pub names: bool,
    /// True to draw the axes of joints.
    pub axes: bool,
    /// True to draw the edges of triangles.
    pub wireframe: bool,
    /// True to draw a grid on the floor.
    pub grid: bool,
    /// Weights to show as colours. `None` shows the materials.
    pub weight_colors: Option<WeightColors>,
    /// True for shadows.
    pub shadow: bool,
    /// True for ambient occlusion.
    pub occlusion: bool,
    /// Number of averaged pictures, for smooth edges and shadows. 1 for motion, 4 for a still.
    pub layers: u32,
    /// True for reflections in the floor.
    pub reflection: bool,
    /// True for bloom.
    pub bloom: bool,
    /// True to write the name of each skinning method.
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
    /// One colour in sRGB, with the shadow of the figure on it.
    Color([u8; 3]),
    /// Transparent, except for the shadow of the figure.
    Clear,
}

/// Part of a motion that must fit into the picture.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Framed {
    /// The whole motion, with a static camera.
    #[default]
    Motion,
    /// The pose at this time, in seconds.
    Moment(f64),
    /// The whole motion, with a camera that follows the figure.
    Following,
}

/// Height of the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FloorHeight {
    /// The lowest framed point.
    #[default]
    Lowest,
    /// y = 0 in the file.
    Zero,
    /// No floor.
    None,
}
