//! Shading models and tone maps.

/// Model of reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Shading {
    /// Phong's sum of ambient, diffuse and specular light. The roughness gives the exponent.
    #[default]
    Phong,
    /// Metallic-roughness model of glTF.
    Physical,
}

/// Curve from light to display values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ToneMap {
    /// Clamps light to white.
    None,
    /// Keeps base colours and compresses highlights (Khronos PBR Neutral).
    Neutral,
    /// Film curve with a shoulder (Narkowicz 2015, a fit of ACES).
    #[default]
    Aces,
}
