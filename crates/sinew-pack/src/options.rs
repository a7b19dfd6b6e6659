//! Options of packing: the max error, and the points it is measured at.

/// Options of packing. Lengths are in the unit of the skeleton.
#[doc(alias = "compression")]
#[doc(alias = "tolerance")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PackOptions {
    /// Max displacement in object space, in skeleton units. Default 1e-4: 0.1 mm in metres.
    pub max_error: f32,
    /// Distance of measured points from their joint along each axis. Default 0.03: 3 cm in metres.
    pub shell: f32,
}

impl PackOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            max_error: 1e-4,
            shell: 0.03,
        }
    }

    /// Default options with another max error, in metres, for skeletons in metres.
    ///
    /// ```
    /// use sinew_pack::PackOptions;
    /// assert_eq!(PackOptions::max_error_m(1e-4), PackOptions::default());
    /// ```
    pub const fn max_error_m(max_error_m: f32) -> Self {
        Self {
            max_error: max_error_m,
            ..Self::new()
        }
    }

    /// Sets [`PackOptions::max_error`].
    #[must_use]
    pub const fn max_error(mut self, max_error: f32) -> Self {
        self.max_error = max_error;
        self
    }

    /// Sets [`PackOptions::shell`].
    #[must_use]
    pub const fn shell(mut self, shell: f32) -> Self {
        self.shell = shell;
        self
    }
}

impl Default for PackOptions {
    fn default() -> Self {
        Self::new()
    }
}
