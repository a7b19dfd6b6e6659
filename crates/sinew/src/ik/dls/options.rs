/// Stop conditions of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DlsOptions {
    /// Max number of steps, counted anew for every restart. Default 60. If limits block goals, the
    /// solver adds 4 to 20 times as many, more for smaller problems.
    pub max_iterations: u32,
    /// Tolerance of positions, in lengths of the longest chain. Default 1e-4.
    pub tolerance: f32,
    /// Tolerance of orientations and lines of sight, in radians. Default 1e-3.
    pub tolerance_rad: f32,
    /// Max number of restarts from fixed, distant poses if goals are missed. Default 0.
    pub restarts: u32,
}

impl DlsOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            max_iterations: 60,
            tolerance: 1e-4,
            tolerance_rad: 1e-3,
            restarts: 0,
        }
    }

    /// Sets [`DlsOptions::max_iterations`].
    #[must_use]
    pub const fn max_iterations(mut self, max_iterations: u32) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Sets [`DlsOptions::tolerance`].
    #[must_use]
    pub const fn tolerance(mut self, tolerance: f32) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`DlsOptions::tolerance_rad`].
    #[must_use]
    pub const fn tolerance_rad(mut self, tolerance_rad: f32) -> Self {
        self.tolerance_rad = tolerance_rad;
        self
    }

    /// Sets [`DlsOptions::restarts`].
    #[must_use]
    pub const fn restarts(mut self, restarts: u32) -> Self {
        self.restarts = restarts;
        self
    }
}

impl Default for DlsOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Result for one goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalReport {
    /// True if the goal is met.
    pub reached: bool,
    /// Remaining error: a distance in model space, or an angle in radians.
    pub residual: f32,
}

/// Result of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsReport<'s> {
    /// True if all goals are met.
    pub reached: bool,
    /// Number of steps tried, including restarts.
    pub iterations: u32,
    /// Number of restarts.
    pub restarts: u32,
    /// Result per goal, in the order of the job.
    pub goals: &'s [GoalReport],
    /// Joints at a limit, from the body outward.
    pub at_limits: &'s [usize],
}
