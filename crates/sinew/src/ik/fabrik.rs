//! Forward and backward reaching (Aristidou and Lasenby 2011). From the goal inward, each joint
//! gets a desired position on the line to its neighbour. The joints then rotate towards these
//! positions within their limits. The positions ignore limits, so passes can oscillate. After a
//! pass without progress, the solver makes one sweep of cyclic coordinate descent.

use super::chain::{Chain, ChainOptions, ChainReport};
use super::error::IkError;
use super::frame::{Vec3F64, length, sub};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::add_scaled;

/// Chain and goal of [`fabrik`].
#[derive(Debug)]
pub struct Fabrik<'c> {
    /// Chain that rotates.
    pub chain: &'c mut Chain,
    /// Goal of the tip, in model space.
    pub goal_in_model: Vec3,
    /// Stop conditions. Default [`ChainOptions::new`].
    pub options: ChainOptions,
}

impl<'c> Fabrik<'c> {
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
/// Joints stay near their old positions and make the shortest rotations, so the chain follows its
/// tip like a rope. If limits stop the tip, the solver restarts as [`ccd`](super::ccd()) does.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Chain, Fabrik, Tip, fabrik};
/// use sinew::{Affine, Joint, Skeleton, Transform};
/// let bone = Transform::from_translation(Vec3::X);
/// let joints = (0..6).map(|i: usize| Joint::new(format!("{i}"), i.checked_sub(1), bone));
/// let (tail, _) = Skeleton::new(joints.collect())?;
/// let mut chain = Chain::new(&tail, 0, Tip::of(5))?;
/// let mut pose = tail.rest().clone();
/// let goal = Vec3::new(2.0, 2.0, 1.0);
/// let report = fabrik(&tail, &mut pose, &Affine::IDENTITY, Fabrik::new(&mut chain, goal))?;
/// assert!(report.reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fabrik<'c>(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: Fabrik<'c>,
) -> Result<ChainReport<'c>, IkError> {
    let mut last = f64::INFINITY;
    let sweep = move |chain: &mut Chain, goal| {
        reach(chain, goal);
        let residual = length(sub(goal, chain.at));
        if residual > 0.9 * last {
            chain.descend(goal);
        }
        last = residual;
    };
    let (goal, options) = (job.goal_in_model, job.options);
    job.chain
        .solve(skeleton, pose, model_from_parent, goal, &options, sweep)
}

fn reach(chain: &mut Chain, goal: Vec3F64) {
    let count = chain.links.len();
    chain.expected[count] = goal;
    for nth in (1..count).rev() {
        let (next, here) = (chain.expected[nth + 1], chain.links[nth].origin);
        let bone = length(sub(chain.point_after(nth), here));
        let apart = sub(here, next);
        let off = length(apart);
        chain.expected[nth] = if off > 0.0 {
            add_scaled(next, apart, bone / off)
        } else {
            here
        };
    }
    for nth in 0..count {
        // Joints at one position rotate together, so this aims at the first point away from them.
        let origin = chain.links[nth].origin;
        let away = |k: &usize| length(sub(chain.point_after(*k), origin)) > 1e-9 * chain.length;
        let Some(after) = (nth..count).find(away) else {
            continue;
        };
        let (carried, to) = (chain.point_after(after), chain.expected[after + 1]);
        chain.align(nth, carried, to);
        chain.forward_from(nth);
    }
}
