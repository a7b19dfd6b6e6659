//! The light of a picture: a sun that throws shadows, a few lamps, and a sky.

use glam::Vec3;
use sinew::character::MAX_LIGHTS;

/// Max count of lamps of a picture beside its sun.
pub const MAX_LAMPS: usize = MAX_LIGHTS;

/// The light in a picture; all colours are linear red, green and blue.
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// The way to the sun.
    pub to_sun: Vec3,
    /// The light that it adds to a white surface that faces it.
    pub sun: [f32; 3],
    /// Lights without shadows; those past [`MAX_LAMPS`] are left out.
    pub lamps: Vec<Lamp>,
    /// The sky straight above.
    pub zenith: [f32; 3],
    /// The sky where it meets the ground, and what distance fades into.
    pub horizon: [f32; 3],
    /// The light that the ground throws back.
    pub ground: [f32; 3],
    /// The part of all this that falls on surfaces from everywhere, 0 to 1.
    pub ambient: f32,
    /// The part of light that is lost to haze a unit of distance.
    pub haze: f32,
    /// Brightness of the sun's disc and glow in the sky; 0 hides them.
    pub sun_glow: f32,
    /// Multiplies everything before it is brought into the range of a screen.
    pub exposure: f32,
}

/// A light without shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Its position.
    pub place: LampPosition,
    /// For diffuse reflection.
    pub diffuse: [f32; 3],
    /// For highlights: lights have colours of their own for these.
    pub specular: [f32; 3],
}

/// The position or direction that a lamp's light comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LampPosition {
    /// From far away; the way there.
    Far(Vec3),
    /// From a point, at half its strength at this distance from it.
    At(Vec3, f32),
    /// From a point, less with the square of the distance: its colours are for a distance of 1.
    Point {
        /// Its position.
        at: Vec3,
        /// The distance at which its light ends; 0 for none.
        range: f32,
    },
    /// The same in a cone.
    Spot {
        /// Its position.
        at: Vec3,
        /// The distance at which its light ends; 0 for none.
        range: f32,
        /// The way along which it shines.
        along: Vec3,
        /// The cosine of the angle from there to where it begins to fall off.
        inner_cos: f32,
        /// The cosine of the angle to where it is gone.
        outer_cos: f32,
    },
}

impl Lamp {
    /// A far lamp whose highlights have its colour.
    pub fn far(to_lamp: Vec3, color: [f32; 3]) -> Self {
        Self {
            place: LampPosition::Far(to_lamp),
            diffuse: color,
            specular: color,
        }
    }
}

impl Default for Lighting {
    fn default() -> Self {
        Self::studio()
    }
}

impl Lighting {
    /// No light at all: what there is comes from an environment or from lamps that are put there.
    pub fn none() -> Self {
        Self {
            to_sun: Vec3::Y,
            sun: [0.0; 3],
            lamps: Vec::new(),
            zenith: [0.0; 3],
            horizon: [0.0; 3],
            ground: [0.0; 3],
            ambient: 0.0,
            haze: 0.0,
            sun_glow: 0.0,
            exposure: 1.0,
        }
    }

    /// A bright room: a warm key light from the front left, cool light from all around, and a rim from
    /// behind.
    pub fn studio() -> Self {
        Self {
            to_sun: Vec3::new(-0.5, 1.25, 0.65).normalize(),
            sun: [1.6, 1.48, 1.32],
            lamps: vec![Lamp::far(
                Vec3::new(0.8, 0.5, -0.75).normalize(),
                [0.55, 0.63, 0.75],
            )],
            zenith: [0.62, 0.7, 0.8],
            horizon: [0.72, 0.76, 0.8],
            ground: [0.4, 0.38, 0.36],
            ambient: 0.62,
            haze: 0.0,
            sun_glow: 0.0,
            exposure: 0.75,
        }
    }

    /// A photographer's studio with a seamless grey backdrop, on which white and black figures both read: a key light
    /// from the front left, for shadows; the rest comes from an environment.
    pub fn backdrop() -> Self {
        Self {
            sun: [0.95, 0.9, 0.84],
            lamps: Vec::new(),
            zenith: [0.15, 0.152, 0.156],
            horizon: [0.235, 0.236, 0.24],
            ground: [0.29, 0.29, 0.29],
            exposure: 0.74,
            ..Self::studio()
        }
    }

    /// The same in the dark.
    pub fn dark_backdrop() -> Self {
        Self {
            zenith: [0.012, 0.013, 0.015],
            horizon: [0.022, 0.024, 0.028],
            ground: [0.034, 0.036, 0.04],
            ..Self::backdrop()
        }
    }

    /// A dark room: a strong key light, a cool rim, and little else.
    pub fn dark() -> Self {
        Self {
            sun: [2.0, 1.85, 1.65],
            lamps: vec![Lamp::far(
                Vec3::new(0.8, 0.45, -0.8).normalize(),
                [0.8, 1.0, 1.35],
            )],
            zenith: [0.05, 0.06, 0.08],
            horizon: [0.035, 0.04, 0.05],
            ground: [0.05, 0.05, 0.055],
            ambient: 3.0,
            ..Self::studio()
        }
    }

    /// A clearing late in the day: a low warm sun from the left, some haze, a blue sky.
    pub fn grove() -> Self {
        Self {
            to_sun: Vec3::new(-0.8, 0.7, 0.12).normalize(),
            sun: [5.2, 3.7, 2.1],
            lamps: Vec::new(),
            zenith: [0.1, 0.24, 0.58],
            horizon: [0.5, 0.56, 0.58],
            ground: [0.12, 0.12, 0.08],
            ambient: 0.55,
            haze: 0.02,
            sun_glow: 1.0,
            exposure: 0.8,
        }
    }
}
