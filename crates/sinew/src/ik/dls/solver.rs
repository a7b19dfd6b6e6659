use super::goal::{Goal, Kind, Target};
use super::options::{DlsOptions, GoalReport};
use super::step::Step;
use super::tree::Tree;
use crate::ik::error::IkError;
use crate::ik::frame::Above;
use crate::skeleton::Skeleton;

/// Solver for one skeleton. Solving does not allocate.
#[derive(Clone, Debug)]
#[doc(alias = "full body ik")]
#[doc(alias = "jacobian")]
pub struct Dls {
    pub(super) tree: Tree,
    step: Step,
    pub(super) targets: Vec<Target>,
    max_goals: usize,
    pub(super) reports: Vec<GoalReport>,
    pub(super) at_limits: Vec<usize>,
    pub(super) size: f64,
}

impl Dls {
    /// Solver for up to `max_goals` goals. Initially, all joints rotate, and joints slide if
    /// their slide has a range.
    pub fn new(skeleton: &Skeleton, max_goals: usize) -> Self {
        let tree = Tree::new(skeleton, max_goals);
        Self {
            step: Step::new(tree.max_columns(), max_goals),
            targets: Vec::with_capacity(max_goals),
            reports: Vec::with_capacity(max_goals),
            at_limits: Vec::with_capacity(skeleton.len()),
            max_goals,
            tree,
            size: 0.0,
        }
    }

    /// Sets the resistance of a joint to rotation, from 0.01 to infinity (fixed). Default 1. With
    /// 4, the joint rotates a quarter as far.
    ///
    /// # Errors
    /// If the joint does not exist.
    pub fn set_stiffness(&mut self, joint: usize, stiffness: f32) -> Result<(), IkError> {
        self.tree.set_mobility(joint, mobility(stiffness))
    }

    /// Sets the resistance of a joint to sliding along the axes of its
    /// [`Freedom`](crate::skeleton::limits::Freedom). Default 1 for a slide with a range, and infinity
    /// (no slide) for slides without limits.
    ///
    /// # Errors
    /// If the joint does not exist.
    pub fn set_slide_stiffness(&mut self, joint: usize, stiffness: f32) -> Result<(), IkError> {
        self.tree.set_slide_mobility(joint, mobility(stiffness))
    }

    pub(super) fn descend(
        &mut self,
        above: &Above,
        options: &DlsOptions,
        iterations: &mut u32,
    ) -> f64 {
        let Self {
            tree,
            step,
            targets,
            ..
        } = self;
        tree.forward();
        let mut error = tree.linearise(targets, step);
        // Far goals need more damping, because large first steps end in wrong local minima.
        let far = (error.sqrt() / self.size).clamp(1e-3, 1.0);
        let scale = step.scale();
        let (mut damping, mut growth) = (far * scale, 2.0);
        for _ in 0..options.max_iterations {
            if is_reached(tree, targets, above, self.size, options) {
                break;
            }
            let promised = step.solve(damping);
            // No gain to first order, within the rounding of squares.
            if promised <= 1e-9 * error {
                break;
            }
            *iterations += 1;
            tree.advance(step.steps());
            tree.forward();
            let now = tree.error(targets);
            if now < error {
                let gain = 2.0 * (error - now) / promised - 1.0;
                damping *= (1.0 - gain * gain * gain).max(1.0 / 5.0);
                damping = damping.max(1e-9 * scale);
                growth = 2.0;
                error = tree.linearise(targets, step);
            } else {
                tree.reject();
                damping *= growth;
                growth *= 2.0;
                if damping > 1e9 * scale {
                    break;
                }
            }
        }
        tree.forward();
        error
    }

    /// Moves the joints to the best of a few fixed random states.
    pub(super) fn begin_elsewhere(&mut self, restart: u32) {
        const RESTARTS: u64 = 8;
        let mut best = (f64::INFINITY, 0);
        for nth in 0..RESTARTS {
            let seed = u64::from(restart) * RESTARTS + nth;
            self.tree.scatter(seed);
            self.tree.forward();
            let error = self.tree.error(&self.targets);
            if error < best.0 {
                best = (error, seed);
            }
        }
        self.tree.scatter(best.1);
    }

    /// Updates the report of every goal. Returns true if all goals are met.
    pub(super) fn report(&mut self, above: &Above, options: &DlsOptions) -> bool {
        self.reports.clear();
        for target in &self.targets {
            let residual = self.tree.residual(target, above);
            self.reports.push(GoalReport {
                reached: residual <= allowed(target.kind, self.size, options),
                residual: residual as f32,
            });
        }
        self.reports.iter().all(|goal| goal.reached)
    }

    pub(super) fn check(&self, skeleton: &Skeleton, goals: &[Goal]) -> Result<(), IkError> {
        if self.tree.len() != skeleton.len() {
            return Err(IkError::OtherSkeleton {
                pose: self.tree.len(),
                skeleton: skeleton.len(),
            });
        }
        if goals.is_empty() || goals.len() > self.max_goals {
            return Err(IkError::Nothing {
                what: "the solver needs at least one goal, and at most as many goals as it was made for",
            });
        }
        goals.iter().try_for_each(|goal| goal.check(skeleton))
    }
}

fn is_reached(
    tree: &Tree,
    targets: &[Target],
    above: &Above,
    size: f64,
    options: &DlsOptions,
) -> bool {
    let is_met = |t: &Target| tree.residual(t, above) <= allowed(t.kind, size, options);
    targets.iter().all(is_met)
}

fn allowed(kind: Kind, size: f64, options: &DlsOptions) -> f64 {
    match kind {
        Kind::Position => f64::from(options.tolerance) * size,
        Kind::Orientation | Kind::LookAt => f64::from(options.tolerance_rad),
    }
}

fn mobility(stiffness: f32) -> f64 {
    1.0 / f64::from(stiffness.max(0.01))
}
