//! Options of cleaning.

/// Steps of cleaning. Each can be left out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CleanOptions {
    /// True to replace spikes. Default true.
    pub spikes: bool,
    /// True to fill gaps. Default true.
    pub gaps: bool,
    /// True to filter noise. Default true.
    pub filter: bool,
    /// Cut-off of the filter in hertz, for all joints. Default: found for each joint.
    pub cutoff_hz: Option<f64>,
    /// True to keep joints within their limits. Default true.
    pub limits: bool,
    /// True to hold standing feet, and to move the hips to suit. Default true.
    pub feet: bool,
    /// Height of the floor, in units of the file. Feet that stand lower are raised. Default: none.
    pub floor: Option<f64>,
    /// Times, in seconds, between which the motion changes. It changes gradually over 0.15 s inside
    /// each end. Default: the whole clip.
    pub range_secs: Option<[f32; 2]>,
}

impl CleanOptions {
    /// Default options: every step, on the whole clip.
    pub const fn new() -> Self {
        Self {
            spikes: true,
            gaps: true,
            filter: true,
            cutoff_hz: None,
            limits: true,
            feet: true,
            floor: None,
            range_secs: None,
        }
    }

    /// Options without any step, to add steps to.
    pub const fn none() -> Self {
        Self {
            spikes: false,
            gaps: false,
            filter: false,
            limits: false,
            feet: false,
            ..Self::new()
        }
    }

    /// Sets [`CleanOptions::spikes`].
    #[must_use]
    pub const fn spikes(mut self, spikes: bool) -> Self {
        self.spikes = spikes;
        self
    }

    /// Sets [`CleanOptions::gaps`].
    #[must_use]
    pub const fn gaps(mut self, gaps: bool) -> Self {
        self.gaps = gaps;
        self
    }

    /// Sets [`CleanOptions::filter`].
    #[must_use]
    pub const fn filter(mut self, filter: bool) -> Self {
        self.filter = filter;
        self
    }

    /// Sets [`CleanOptions::cutoff_hz`].
    #[must_use]
    pub const fn cutoff_hz(mut self, cutoff_hz: Option<f64>) -> Self {
        self.cutoff_hz = cutoff_hz;
        self
    }

    /// Sets [`CleanOptions::limits`].
    #[must_use]
    pub const fn limits(mut self, limits: bool) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`CleanOptions::feet`].
    #[must_use]
    pub const fn feet(mut self, feet: bool) -> Self {
        self.feet = feet;
        self
    }

    /// Sets [`CleanOptions::floor`].
    #[must_use]
    pub const fn floor(mut self, floor: Option<f64>) -> Self {
        self.floor = floor;
        self
    }

    /// Sets [`CleanOptions::range_secs`].
    #[must_use]
    pub const fn range_secs(mut self, range_secs: Option<[f32; 2]>) -> Self {
        self.range_secs = range_secs;
        self
    }
}

impl Default for CleanOptions {
    fn default() -> Self {
        Self::new()
    }
}
