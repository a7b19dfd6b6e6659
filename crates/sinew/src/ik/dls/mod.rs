//! Damped least squares on the whole tree: many goals at once, limits as bounds.
//!
//! Each turn is stated by as many numbers as it has degrees of freedom, so that limits are bounds on
//! numbers (`angles`). A step solves the linearised goals with damping (Levenberg 1944, Marquardt
//! 1963; the damping follows the gain as Nielsen 1999 has it), in as many unknowns as the goals
//! have; numbers at a bound that want to pass it are held (Bertsekas 1982), and those that would pass
//! it on the way are stopped there and the rest solved again (Baerlocher and Boulic 2004). Where limits leave
//! it in a corner, `escape` looks for a way out.

mod escape;
mod exchange;
mod goal;
mod linearise;
mod step;
mod tree;

pub use goal::{Goal, GoalKind};

use super::IkError;
use super::frame::{Above, check_pose};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use goal::{Kind, Target};
use sinew_math::transform::Affine;
use step::Step;
use tree::Tree;

/// The conditions on which the solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsOptions {
    /// At most so many steps, and again for every restart; and four to twenty times as many, the more the
    /// smaller the problem, to look for a way out where limits hold goals back.
    pub max_iterations: u32,
    /// How near positions have to come, in lengths of the longest chain.
    pub tolerance: f32,
    /// How near orientations and lines of sight have to come.
    pub tolerance_rad: f32,
    /// How often to begin again from another pose within the limits, the same ones every time, when
    /// the goals were not met. A solution found so may be far from the incoming pose; hence none by
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
    /// Whether it is met.
    pub reached: bool,
    /// By how much it is not: a distance in the model, or an angle in radians.
    pub residual: f32,
}

/// The report of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DlsReport<'s> {
    /// Whether all goals are met.
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

/// The solver of one skeleton: made once, it takes no memory when it solves.
#[derive(Clone, Debug)]
pub struct Dls {
    tree: Tree,
    step: Step,
    targets: Vec<Target>,
    max_goals: usize,
    reports: Vec<GoalReport>,
    at_limits: Vec<usize>,
    size: f64,
}

/// Rows that each goal takes.
const ROWS: usize = 3;

impl Dls {
    /// For a skeleton and at most so many goals. All joints turn, none slides.
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

    /// How hard a joint turns: 1 is usual, a joint of 4 turns a quarter as far for the same gain,
    /// and one of infinite stiffness is left as it is. From 0.01 up.
    ///
    /// # Errors
    /// When the skeleton has no such joint.
    pub fn set_stiffness(&mut self, joint: usize, stiffness: f32) -> Result<(), IkError> {
        self.tree.set_mobility(joint, mobility(stiffness))
    }

    /// How hard a joint slides along the axes that its [`Freedom`](crate::skeleton::limits::Freedom)
    /// allows; infinite to begin with, which means that it does not. Slides have no limits.
    ///
    /// # Errors
    /// When the skeleton has no such joint.
    pub fn set_slide_stiffness(&mut self, joint: usize, stiffness: f32) -> Result<(), IkError> {
        self.tree.set_slide_mobility(joint, mobility(stiffness))
    }

    /// Turns joints so that goals are met, or missed by as little as can be (in weighted squares).
    /// `model_from_root` is where the frame that the root stands in stands in the model, usually the
    /// identity.
    ///
    /// Of all solutions it goes to the one that steps from the incoming pose lead to, each of which is
    /// the smallest that does its part, in squares of angles times stiffness. Where that ends in a corner,
    /// held by limits away from a goal, it looks from the other ends of the joints' ranges, and jumps if
    /// that comes nearer by a thousandth of the longest chain. Joints that no goal hangs from, and
    /// stiff ones, are left as they are.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_samples::humanoid_character;
    /// use sinew::ik::{Dls, DlsOptions, Goal, GoalKind};
    /// use sinew::Affine;
    /// let skeleton = humanoid_character().skeleton;
    /// let arm = skeleton.find("left_lower_arm").unwrap();
    /// let mut dls = Dls::new(&skeleton, 2);
    /// let mut pose = skeleton.rest().clone();
    /// let hand = Goal {
    ///     joint: arm,
    ///     kind: GoalKind::Position { offset: Vec3::NEG_Y * 0.25, at: Vec3::new(0.3, 1.3, 0.3) },
    ///     weight: 1.0,
    /// };
    /// let report = dls.solve(&skeleton, &mut pose, &Affine::IDENTITY, &[hand], &DlsOptions::default())?;
    /// println!("{report:?}");
    /// # Ok::<(), sinew::ik::IkError>(())
    /// ```
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_root: &Affine,
        goals: &[Goal],
        options: &DlsOptions,
    ) -> Result<DlsReport<'_>, IkError> {
        check_pose(skeleton, pose)?;
        self.check(skeleton, goals)?;
        let above = Above::new(skeleton, 0, model_from_root)?;
        self.targets.clear();
        let targets = goals
            .iter()
            .map(|goal| Target::new(goal, &above, model_from_root));
        self.targets.extend(targets);
        self.size = self.tree.read(skeleton, pose, &self.targets)?;
        for target in &mut self.targets {
            if target.kind != Kind::Position {
                target.weight *= self.size / 3.0;
            }
        }
        let (mut iterations, mut restarts) = (0, 0);
        let mut error = self.descend(&above, options, &mut iterations);
        self.tree.keep();
        let mut reached = self.report(&above, options);
        if !reached && iterations < options.max_iterations {
            error = self.escape(&above, options, &mut iterations, error);
            reached = self.report(&above, options);
        }
        while !reached && restarts < options.restarts {
            restarts += 1;
            self.begin_elsewhere(restarts);
            let other = self.descend(&above, options, &mut iterations);
            reached = self.report(&above, options);
            if reached || other < error {
                error = other;
                self.tree.keep();
            }
        }
        self.tree.go_back();
        self.tree.forward();
        let reached = self.report(&above, options);
        self.tree.write(pose, &mut self.at_limits);
        Ok(DlsReport {
            reached,
            iterations,
            restarts,
            goals: &self.reports,
            at_limits: &self.at_limits,
        })
    }

    /// Steps until the goals are met or nothing is left to gain; the sum of squares that is left.
    fn descend(&mut self, above: &Above, options: &DlsOptions, iterations: &mut u32) -> f64 {
        let Self {
            tree,
            step,
            targets,
            ..
        } = self;
        tree.forward();
        let mut error = tree.linearise(targets, step);
        // Far goals are gone to with care, near ones at once: bold first steps end up in wrong corners.
        let far = (error.sqrt() / self.size).clamp(1e-3, 1.0);
        let scale = step.scale();
        let (mut damping, mut growth) = (far * scale, 2.0);
        for _ in 0..options.max_iterations {
            if is_reached(tree, targets, above, self.size, options) {
                break;
            }
            let promised = step.solve(damping);
            // Nothing to gain to first order, to what squares of numbers can show.
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

    /// Puts the joints at the best of a few places, the same ones every time.
    fn begin_elsewhere(&mut self, restart: u32) {
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

    /// Fills the report of every goal; whether all are met.
    fn report(&mut self, above: &Above, options: &DlsOptions) -> bool {
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

    fn check(&self, skeleton: &Skeleton, goals: &[Goal]) -> Result<(), IkError> {
        if self.tree.len() != skeleton.len() {
            return Err(IkError::OtherSkeleton {
                pose: self.tree.len(),
                skeleton: skeleton.len(),
            });
        }
        if goals.is_empty() || goals.len() > self.max_goals {
            return Err(IkError::Nothing {
                what: "there are no goals, or more than the solver was made for",
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
