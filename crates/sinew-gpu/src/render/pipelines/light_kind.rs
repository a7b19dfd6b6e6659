use crate::render::shading::Shading;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(in crate::render) struct LightKind {
    /// Number of lamps, including the sun.
    pub lamps: u32,
    /// Number of taps per shadow, 0 without shadows.
    pub shadow_taps: u32,
    pub shading: Shading,
    /// True if the stage has an environment map.
    pub environment: bool,
    /// True if ambient occlusion is enabled.
    pub occlusion: bool,
}

impl LightKind {
    /// Values of the constants of a shader from `lit_shader`.
    pub fn constants(self) -> [(&'static str, f64); 5] {
        let on = |flag: bool| f64::from(u8::from(flag));
        [
            ("lamp_count", f64::from(self.lamps)),
            ("shadow_taps", f64::from(self.shadow_taps)),
            ("is_phong", on(self.shading == Shading::Phong)),
            ("has_environment", on(self.environment)),
            ("has_occlusion_map", on(self.occlusion)),
        ]
    }
}
