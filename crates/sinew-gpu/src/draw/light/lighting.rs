//! Light of a picture: a sun with shadows, a few lamps and a sky.

use glam::Vec3;
use sinew::character::MAX_LIGHTS;

/// Max number of lamps in addition to the sun.
pub const MAX_LAMPS: usize = MAX_LIGHTS;

/// Light of a picture. All colours are linear red, green and blue, 0 or more. Default
/// [`Lighting::studio`].
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// Direction to the sun, in world space. Its length does not matter; 0 means straight above.
    pub to_sun: Vec3,
    /// Light that a white surface facing the sun receives from it. Black: no sun.
    pub sun: [f32; 3],
    /// Lights without shadows, in addition to the sun. Lamps beyond [`MAX_LAMPS`] are ignored.
    pub lamps: Vec<Lamp>,
    /// Colour of the sky straight above.
    pub zenith: [f32; 3],
    /// Colour of the sky at the horizon, and of haze.
    pub horizon: [f32; 3],
    /// Light that the ground reflects upward.
    pub ground: [f32; 3],
    /// Factor on the light that surfaces receive from sky and ground, 0 or more. 0: none.
    pub ambient: f32,
    /// Density of haze, per world unit, 0 or more. 0: no haze.
    pub haze: f32,
    /// Factor on the disc and glow of the sun in the sky, 0 or more. 0 hides them.
    pub sun_glow: f32,
    /// Factor on all light before the tone map, 0 or more. 1 changes nothing.
    pub exposure: f32,
}

/// Light that casts no shadows.
#[doc(alias = "light")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Position of the lamp, or direction to it.
    pub position: LampPosition,
    /// Colour of diffuse reflection.
    pub diffuse: [f32; 3],
    /// Colour of highlights.
    pub specular: [f32; 3],
}

/// Position or direction of a lamp, and its falloff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LampPosition {
    /// Direction to an infinitely distant lamp.
    Far(Vec3),
    /// Position in world space, and the distance at which the lamp has half its strength.
    At(Vec3, f32),
    /// Point light with inverse-square falloff. The colours of the lamp hold at a distance of 1.
    Point {
        /// Position in world space.
        at: Vec3,
        /// Distance at which the light ends, in world units. 0 for no limit.
        range: f32,
    },
    /// Cone of light with inverse-square falloff. The colours of the lamp hold at a distance of 1.
    Spot {
        /// Position in world space.
        at: Vec3,
        /// Distance at which the light ends, in world units. 0 for no limit.
        range: f32,
        /// Direction of the cone, in world space.
        along: Vec3,
        /// Cosine of the angle to the axis at which the light begins to fade.
        inner_cos: f32,
        /// Cosine of the angle to the axis at which the light ends.
        outer_cos: f32,
    },
}

impl Lamp {
    /// Distant lamp with one colour for diffuse reflection and highlights.
    pub fn far(to_lamp: Vec3, color: [f32; 3]) -> Self {
        Self {
            position: LampPosition::Far(to_lamp),
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
    /// No light, for scenes that only an environment or added lamps light.
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

    /// Bright room: a warm key light from the front left, cool ambient light and a rim light.
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

    /// Grey photo studio with a key light from the front left. Combine it with an environment.
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

    /// Dark version of [`Self::backdrop`].
    pub fn dark_backdrop() -> Self {
        Self {
            zenith: [0.012, 0.013, 0.015],
            horizon: [0.022, 0.024, 0.028],
            ground: [0.034, 0.036, 0.04],
            ..Self::backdrop()
        }
    }

    /// Dark room: a strong key light and a cool rim.
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

    /// Forest clearing late in the day: a low warm sun from the left, some haze and a blue sky.
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
