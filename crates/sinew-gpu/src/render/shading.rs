//! The way of light: from surfaces to the camera, and from the camera to a screen.

/// The model by which surfaces throw light back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Shading {
    /// Phong's sum of ambient, diffuse and specular light, with roughness as its exponent.
    #[default]
    Phong,
    /// glTF's own model of metal and roughness.
    Physical,
}

/// The curve from light to the values that a screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ToneMap {
    /// As it is; light above the range of a screen is cut off.
    None,
    /// Colours as their makers chose them, and highlights that do not run out (Khronos PBR Neutral).
    Neutral,
    /// A film's shoulder (Narkowicz 2015, a fit of ACES).
    #[default]
    Aces,
}
