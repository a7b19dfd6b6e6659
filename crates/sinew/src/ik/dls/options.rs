//! Conditions on which the solver stops, and what it reports.

/// The conditions on which the solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsOptions {
    /// Max number of steps, and again for every restart; and four to twenty times as many, the more the
    /// smaller the problem, to look for a way out where limits hold goals back.
    pub max_iterations: u32,
    /// Distance within which a position counts as met, in lengths of the longest chain.
    pub tolerance: f32,
    /// Angle within which an orientation or a line of sight counts as met.
    pub tolerance_rad: f32,
    /// Max number of times to begin again from another pose within the limits, the same ones every time,
    /// when the goals were not met. A solution found so may be far from the incoming pose; hence none by
    /// default.
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

/// The report of one goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalReport {
    /// True when it is met.
    pub reached: bool,
    /// By how much it is not: a distance in the model, or an angle in radians.
    pub residual: f32,
}

/// The report of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsReport<'s> {
    /// True when all goals are met.
    pub reached: bool,
    /// Steps that were tried, those of restarts included.
    pub iterations: u32,
    /// Restarts that were made.
    pub restarts: u32,
    /// Each goal, in the order given.
    pub goals: &'s [GoalReport],
    /// The joints that stand at a limit now, from the body outward.
    pub at_limits: &'s [usize],
}
