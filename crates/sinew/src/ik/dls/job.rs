use super::goal::Goal;
use super::options::DlsOptions;
use super::solver::Dls;

/// Solver and goals of a whole body.
#[derive(Debug)]
pub struct DlsJob<'s, 'g> {
    /// Solver of the skeleton.
    pub solver: &'s mut Dls,
    /// Goals, from one to the max number of the solver.
    pub goals: &'g [Goal],
    /// Stop conditions. Default [`DlsOptions::new`].
    pub options: DlsOptions,
}

impl<'s, 'g> DlsJob<'s, 'g> {
    /// Solver and goals with default stop conditions.
    pub const fn new(solver: &'s mut Dls, goals: &'g [Goal]) -> Self {
        Self {
            solver,
            goals,
            options: DlsOptions::new(),
        }
    }

    /// Sets the stop conditions.
    #[must_use]
    pub const fn options(mut self, options: DlsOptions) -> Self {
        self.options = options;
        self
    }
}
