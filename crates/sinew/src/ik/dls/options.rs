/// Stop conditions of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsOptions {
    /// Max steps, and again for every restart; default 60. If limits hold goals back, 4 to 20 times as many are
    /// added, more for smaller problems.
    pub max_iterations: u32,
    /// Tolerance of positions, in lengths of the longest chain; default 1e-4.
    pub tolerance: f32,
    /// Tolerance of orientations and lines of sight, in radians; default 1e-3.
    pub tolerance_rad: f32,
    /// Max restarts from other, fixed poses if goals are missed; default 0. Results may be far from the input.
    pub restarts: u32,
}

impl Default for DlsOptions {
    fn default() -> Self {
        Self {
            max_iterations: 60,
            tolerance: 1e-4,
            tolerance_rad: 1e-3,
            restarts: 0,
        }
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
    /// Result per goal, in the order given.
    pub goals: &'s [GoalReport],
    /// Joints at a limit, from the body outward.
    pub at_limits: &'s [usize],
}
