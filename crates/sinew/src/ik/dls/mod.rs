//! Damped least squares on the whole tree, for many goals at once and with limits as bounds. Each
//! step solves the linearised goals with damping (Levenberg 1944, Marquardt 1963; Nielsen 1999 for
//! the change of damping). Coordinates at a bound are held (Bertsekas 1982). Coordinates that would
//! pass a bound stop at the bound, and the step is solved again for the others (Baerlocher and
//! Boulic 2004). If limits block progress, the module `escape` restarts joints.

mod escape;
mod exchange;
mod goal;
mod job;
mod linearise;
mod options;
mod slides;
mod solver;
mod step;
mod tree;

pub use goal::{Goal, GoalKind};
pub use job::DlsJob;
pub use options::{DlsOptions, DlsReport, GoalReport};
pub use solver::Dls;

use super::error::IkError;
use super::frame::{Above, check_pose};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use goal::{Kind, Target};
use sinew_math::transform::Affine;

/// Rotates joints to meet the goals, or to minimise the weighted squares of the errors.
/// `model_from_root` is the transform of the root frame of the skeleton, usually the identity.
///
/// Small steps lead from the input pose to a solution. Each step minimises the sum of squared
/// angles times stiffness. If limits block progress, the solver restarts joints at other points of
/// their ranges. It keeps a restart that gains a thousandth of the longest chain. Joints without a
/// goal below them and joints of infinite stiffness do not move. A slide with a range counts as an
/// angle: a slide by the length of the longest chain is as stiff as a rotation by 1 rad.
///
/// ```
/// use glam::Vec3;
/// use sinew::Affine;
/// use sinew::ik::{Dls, DlsJob, Goal, GoalKind, dls};
/// use sinew_samples::humanoid_character;
/// let skeleton = humanoid_character().skeleton;
/// let arm = skeleton.find("left_lower_arm").unwrap();
/// let mut solver = Dls::new(&skeleton, 2);
/// let mut pose = skeleton.rest().clone();
/// let hand = Goal {
///     joint: arm,
///     kind: GoalKind::Position { offset: Vec3::NEG_Y * 0.25, at: Vec3::new(0.3, 1.3, 0.3) },
///     weight: 1.0,
/// };
/// let report = dls(&skeleton, &mut pose, &Affine::IDENTITY, DlsJob::new(&mut solver, &[hand]))?;
/// println!("{report:?}");
/// # Ok::<(), sinew::ik::IkError>(())
/// ```
///
/// # Errors
/// [`IkError`] if pose, solver or goals do not fit the skeleton. The pose is then unchanged.
pub fn dls<'s>(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_root: &Affine,
    job: DlsJob<'s, '_>,
) -> Result<DlsReport<'s>, IkError> {
    let DlsJob {
        solver,
        goals,
        options,
    } = job;
    solver.solve(skeleton, pose, model_from_root, goals, &options)
}

impl Dls {
    fn solve(
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
        self.tree.read(skeleton, pose, &self.targets)?;
        self.size = self.tree.size;
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
}
