//! The kind of light that a pipeline is made for.

use crate::render::shading::Shading;

/// The properties of a picture's light that decide which pipelines draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(in crate::render) struct LightKind {
    /// Count of lamps, with the sun.
    pub lamps: u32,
    /// Samples to look one shadow up; 0 without shadows.
    pub shadow_taps: u32,
    pub shading: Shading,
    /// There is an environment map.
    pub environment: bool,
    /// There is a map of the light from everywhere that reaches each position.
    pub open: bool,
}

impl LightKind {
    /// Constants of a shader made by `lit_shader`.
    pub fn constants(self) -> [(&'static str, f64); 5] {
        let on = |flag: bool| f64::from(u8::from(flag));
        [
            ("lamp_count", f64::from(self.lamps)),
            ("shadow_taps", f64::from(self.shadow_taps)),
            ("is_phong", on(self.shading == Shading::Phong)),
            ("has_environment", on(self.environment)),
            ("has_open_map", on(self.open)),
        ]
    }
}
