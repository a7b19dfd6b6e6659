//! Lights of a file.

/// Max number of lights of a character that are drawn. The brightest are chosen.
pub const MAX_LIGHTS: usize = 7;

/// Light at a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name that bindings refer to.
    pub name: String,
    /// Linear red, green and blue.
    pub color: [f32; 3],
    /// Brightness in candela, or in lux for a directional light.
    pub intensity: f32,
    /// Shape and direction.
    pub kind: LightKind,
}

/// Shape of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel light along -Z of the node.
    Directional,
    /// Light from the node in all directions.
    Point {
        /// Distance at which the light ends, in units of the file. Unlimited if `None`.
        range: Option<f32>,
    },
    /// Cone of light around -Z of the node.
    Spot {
        /// Distance at which the light ends, in units of the file. Unlimited if `None`.
        range: Option<f32>,
        /// Angle from the axis at which the light begins to fade, in radians.
        inner_rad: f32,
        /// Angle from the axis at which the light has faded out, in radians.
        outer_rad: f32,
    },
}
