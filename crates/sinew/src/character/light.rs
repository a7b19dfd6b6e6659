//! Lights that a file brings along.

/// How many lights of a character are drawn at most, the brightest of them.
pub const MAX_LIGHTS: usize = 7;

/// A light on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Its name.
    pub name: String,
    /// Linear red, green and blue.
    pub color: [f32; 3],
    /// How bright: candela, or lux where it shines from far away.
    pub intensity: f32,
    /// Where it shines from, and where to.
    pub kind: LightKind,
}

/// The shape of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From far away, along its node's -Z.
    Directional,
    /// From its node to all sides, up to a distance where one is given.
    Point {
        /// Where it ends.
        range: Option<f32>,
    },
    /// From its node in a cone round -Z.
    Spot {
        /// Where it ends.
        range: Option<f32>,
        /// From the middle to where it begins to fall off.
        inner_rad: f32,
        /// From the middle to where it is gone.
        outer_rad: f32,
    },
}
