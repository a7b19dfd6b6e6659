use crate::draw::camera::{FOV_Y_RAD, direction};
use crate::draw::surface::weight_colors::WeightColors;
use crate::image::environment_map::EnvironmentMap;
use crate::render::shading::{Shading, ToneMap};
use glam::Vec3;
use sinew::{Method, Normals};

/// Options of a shot.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShotOptions {
    /// Width and height of the whole picture in pixels, each at least 1. The max depends on the
    /// adapter. Default 960 × 720.
    pub size: [u32; 2],
    /// Index of the clip. `None` for the rest pose. Default: none.
    pub clip: Option<usize>,
    /// Skinning methods, side by side from left to right. An empty list means the method of the
    /// character ([`sinew::Character::method`]), as by default.
    pub methods: Vec<Method>,
    /// Kind of normals. With exact ones, the CPU skins each frame. Default: skinned.
    pub normals: Normals,
    /// Part of the motion that must fit into the picture. Default: the whole motion.
    pub framed: Framed,
    /// Direction from the figure to the camera, in world space. Its length does not matter. Default:
    /// to the front of the figure, slightly to its left and up.
    pub from: Vec3,
    /// Vertical angle of view in radians, clamped to [0.01, 3]. Default 0.5.
    pub fov_y_rad: f32,
    /// True to frame the figure for a camera that circles it. Default false.
    pub turntable: bool,
    /// Index of the camera of the file through which the picture is drawn. It overrides the framing. Default: none.
    pub through: Option<usize>,
    /// Magnification, clamped to [0.01, 1000]. 1 fits the framed part. Default 1.
    pub zoom: f32,
    /// Index of the joint at the centre of the picture. `None` centres the figure. Default: none.
    pub target: Option<usize>,
    /// Height of the floor. Default: at the lowest framed point.
    pub floor: FloorHeight,
    /// Background of the figure. Default: bright room.
    pub backdrop: Backdrop,
    /// Model of reflection. Default: physical.
    pub shading: Shading,
    /// Curve from light to display values. Default: neutral.
    pub tone: ToneMap,
    /// Environment light of physical shading. `None` uses the environment of the backdrop. Default:
    /// none.
    pub environment: Option<EnvironmentMap>,
    /// True to draw bones. Characters without meshes always show them. Default false.
    pub skeleton: bool,
    /// True to write joint names. Default false.
    pub names: bool,
    /// True to draw the axes of joints. Default false.
    pub axes: bool,
    /// True to draw the edges of triangles. Default false.
    pub wireframe: bool,
    /// True to draw a grid on the floor. Default false.
    pub grid: bool,
    /// Weights to show as colours. `None` shows the materials. Default: none.
    pub weight_colors: Option<WeightColors>,
    /// True for shadows. Default true.
    pub shadow: bool,
    /// True for ambient occlusion. Default true.
    pub occlusion: bool,
    /// Number of averaged pictures, for smooth edges and shadows: 1 for motion, 4 for a still. From 1
    /// to 256; other numbers are clamped. Default 1.
    pub layers: u32,
    /// True for reflections in the floor. Default false.
    pub reflection: bool,
    /// True for bloom: a glow around bright parts. Default false.
    pub bloom: bool,
    /// True to write the name of each skinning method. Default false.
    pub labels: bool,
}

impl ShotOptions {
    /// Default options.
    pub fn new() -> Self {
        Self {
            size: [960, 720],
            clip: None,
            methods: Vec::new(),
            normals: Normals::Skinned,
            framed: Framed::Motion,
            from: direction(0.55, 0.18),
            fov_y_rad: FOV_Y_RAD,
            turntable: false,
            through: None,
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

    /// Sets [`ShotOptions::size`].
    #[must_use]
    pub fn size(mut self, size: [u32; 2]) -> Self {
        self.size = size;
        self
    }

    /// Sets [`ShotOptions::clip`].
    #[must_use]
    pub fn clip(mut self, clip: Option<usize>) -> Self {
        self.clip = clip;
        self
    }

    /// Sets [`ShotOptions::methods`].
    #[must_use]
    pub fn methods(mut self, methods: Vec<Method>) -> Self {
        self.methods = methods;
        self
    }

    /// Sets [`ShotOptions::normals`].
    #[must_use]
    pub fn normals(mut self, normals: Normals) -> Self {
        self.normals = normals;
        self
    }

    /// Sets [`ShotOptions::framed`].
    #[must_use]
    pub fn framed(mut self, framed: Framed) -> Self {
        self.framed = framed;
        self
    }

    /// Sets [`ShotOptions::from`].
    #[must_use]
    pub fn from(mut self, from: Vec3) -> Self {
        self.from = from;
        self
    }

    /// Sets [`ShotOptions::fov_y_rad`].
    #[must_use]
    pub fn fov_y_rad(mut self, fov_y_rad: f32) -> Self {
        self.fov_y_rad = fov_y_rad;
        self
    }

    /// Sets [`ShotOptions::turntable`].
    #[must_use]
    pub fn turntable(mut self, turntable: bool) -> Self {
        self.turntable = turntable;
        self
    }

    /// Sets [`ShotOptions::through`].
    #[must_use]
    pub fn through(mut self, through: Option<usize>) -> Self {
        self.through = through;
        self
    }

    /// Sets [`ShotOptions::zoom`].
    #[must_use]
    pub fn zoom(mut self, zoom: f32) -> Self {
        self.zoom = zoom;
        self
    }

    /// Sets [`ShotOptions::target`].
    #[must_use]
    pub fn target(mut self, target: Option<usize>) -> Self {
        self.target = target;
        self
    }

    /// Sets [`ShotOptions::floor`].
    #[must_use]
    pub fn floor(mut self, floor: FloorHeight) -> Self {
        self.floor = floor;
        self
    }

    /// Sets [`ShotOptions::backdrop`].
    #[must_use]
    pub fn backdrop(mut self, backdrop: Backdrop) -> Self {
        self.backdrop = backdrop;
        self
    }

    /// Sets [`ShotOptions::shading`].
    #[must_use]
    pub fn shading(mut self, shading: Shading) -> Self {
        self.shading = shading;
        self
    }

    /// Sets [`ShotOptions::tone`].
    #[must_use]
    pub fn tone(mut self, tone: ToneMap) -> Self {
        self.tone = tone;
        self
    }

    /// Sets [`ShotOptions::environment`].
    #[must_use]
    pub fn environment(mut self, environment: Option<EnvironmentMap>) -> Self {
        self.environment = environment;
        self
    }

    /// Sets [`ShotOptions::skeleton`].
    #[must_use]
    pub fn skeleton(mut self, skeleton: bool) -> Self {
        self.skeleton = skeleton;
        self
    }

    /// Sets [`ShotOptions::names`].
    #[must_use]
    pub fn names(mut self, names: bool) -> Self {
        self.names = names;
        self
    }

    /// Sets [`ShotOptions::axes`].
    #[must_use]
    pub fn axes(mut self, axes: bool) -> Self {
        self.axes = axes;
        self
    }

    /// Sets [`ShotOptions::wireframe`].
    #[must_use]
    pub fn wireframe(mut self, wireframe: bool) -> Self {
        self.wireframe = wireframe;
        self
    }

    /// Sets [`ShotOptions::grid`].
    #[must_use]
    pub fn grid(mut self, grid: bool) -> Self {
        self.grid = grid;
        self
    }

    /// Sets [`ShotOptions::weight_colors`].
    #[must_use]
    pub fn weight_colors(mut self, weight_colors: Option<WeightColors>) -> Self {
        self.weight_colors = weight_colors;
        self
    }

    /// Sets [`ShotOptions::shadow`].
    #[must_use]
    pub fn shadow(mut self, shadow: bool) -> Self {
        self.shadow = shadow;
        self
    }

    /// Sets [`ShotOptions::occlusion`].
    #[must_use]
    pub fn occlusion(mut self, occlusion: bool) -> Self {
        self.occlusion = occlusion;
        self
    }

    /// Sets [`ShotOptions::layers`].
    #[must_use]
    pub fn layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }

    /// Sets [`ShotOptions::reflection`].
    #[must_use]
    pub fn reflection(mut self, reflection: bool) -> Self {
        self.reflection = reflection;
        self
    }

    /// Sets [`ShotOptions::bloom`].
    #[must_use]
    pub fn bloom(mut self, bloom: bool) -> Self {
        self.bloom = bloom;
        self
    }

    /// Sets [`ShotOptions::labels`].
    #[must_use]
    pub fn labels(mut self, labels: bool) -> Self {
        self.labels = labels;
        self
    }
}

impl Default for ShotOptions {
    fn default() -> Self {
        Self::new()
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
