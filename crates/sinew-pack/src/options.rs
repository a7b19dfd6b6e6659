//! Options of packing: the max error of a clip, and the way it is measured.

/// The options of packing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackOptions {
    /// The largest displacement in object space, in the unit of the skeleton: a tenth of a millimetre by
    /// default, for skeletons in metres.
    pub max_error: f32,
    /// The distance of a joint's points from it, along each axis: three centimetres by default.
    pub shell: f32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            max_error: 1e-4,
            shell: 0.03,
        }
    }
}

impl PackOptions {
    /// At most so many metres off, for skeletons in metres; the rest by default.
    ///
    /// ```
    /// use sinew_pack::PackOptions;
    /// assert_eq!(PackOptions::max_error_m(1e-4), PackOptions::default());
    /// ```
    pub fn max_error_m(max_error_m: f32) -> Self {
        Self {
            max_error: max_error_m,
            ..Self::default()
        }
    }
}
