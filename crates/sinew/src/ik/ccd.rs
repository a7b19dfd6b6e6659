//! Cyclic coordinate descent (Wang and Chen 1991). From the tip inward, each joint rotates the tip
//! towards the goal.

use super::chain::{Chain, ChainOptions, ChainReport};
use super::error::IkError;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::Affine;

/// Chain and goal of [`ccd`].
#[derive(Debug)]
#[doc(alias = "ccdik")]
pub struct Ccd<'c> {
    /// Chain that rotates.
    pub chain: &'c mut Chain,
    /// Goal of the tip, in model space.
    pub goal_in_model: Vec3,
    /// Stop conditions. Default [`ChainOptions::new`].
    pub options: ChainOptions,
}

impl<'c> Ccd<'c> {
    /// Chain and goal with default stop conditions.
    pub const fn new(chain: &'c mut Chain, goal_in_model: Vec3) -> Self {
        Self {
            chain,
            goal_in_model,
            options: ChainOptions::new(),
        }
    }

    /// Sets the stop conditions.
    #[must_use]
    pub const fn options(mut self, options: ChainOptions) -> Self {
        self.options = options;
        self
    }
}

/// Moves the tip of a chain to a goal. `model_from_parent` maps from the parent of the chain.
///
/// Each joint makes the shortest rotation within its limits. No step moves the tip away from the
/// goal. Joints near the tip rotate farthest. If limits stop the tip, the solver restarts with
/// joints at other points of their ranges. It keeps such a pose if the tip is then nearer by at
/// least a thousandth of the length of the chain.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Ccd, Chain, Tip, ccd};
/// use sinew::{Affine, Joint, Skeleton, Transform};
/// let bone = Transform::from_translation(Vec3::X);
/// let joints = (0..6).map(|i: usize| Joint::new(format!("{i}"), i.checked_sub(1), bone));
/// let (tail, _) = Skeleton::new(joints.collect())?;
/// let mut chain = Chain::new(&tail, 0, Tip::of(5))?;
/// let mut pose = tail.rest().clone();
/// let goal = Vec3::new(2.0, 2.0, 1.0);
/// let report = ccd(&tail, &mut pose, &Affine::IDENTITY, Ccd::new(&mut chain, goal))?;
/// assert!(report.reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ccd<'c>(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: Ccd<'c>,
) -> Result<ChainReport<'c>, IkError> {
    let sweep = |chain: &mut Chain, goal| chain.descend(goal);
    let (goal, options) = (job.goal_in_model, job.options);
    job.chain
        .solve(skeleton, pose, model_from_parent, goal, &options, sweep)
}
