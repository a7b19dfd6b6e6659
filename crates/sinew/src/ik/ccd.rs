//! Cyclic coordinate descent (Wang and Chen 1991): each joint in turn, from the tip inward, points the
//! tip at the goal as well as its limits allow.

use super::chain::{Chain, ChainOptions, ChainReport};
use super::error::IkError;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::Affine;

/// Turns the joints of a chain so that its tip comes to a goal. `model_from_parent` is where the parent
/// of the chain's first joint stands in the model.
///
/// Each joint makes the shortest turn to the best that its limits allow, and no step takes the tip
/// farther away; so of all solutions it finds one down the slope from the incoming pose, in which the
/// joints near the tip have turned the most. Where limits hold it in a corner, away from the goal, it goes on
/// from other ends of the joints' ranges, and jumps if that brings the tip nearer by a thousandth of the chain.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Chain, ChainOptions, Tip, ccd};
/// use sinew::{Affine, Joint, Skeleton, Transform};
/// let bone = Transform::from_translation(Vec3::X);
/// let joints = (0..6).map(|i: usize| Joint::new(format!("{i}"), i.checked_sub(1), bone));
/// let (tail, _) = Skeleton::new(joints.collect())?;
/// let mut chain = Chain::new(&tail, 0, Tip::of(5))?;
/// let mut pose = tail.rest().clone();
/// let goal = Vec3::new(2.0, 2.0, 1.0);
/// let report = ccd(&mut chain, &tail, &mut pose, &Affine::IDENTITY, goal, &ChainOptions::default())?;
/// assert!(report.reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ccd<'c>(
    chain: &'c mut Chain,
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    goal_in_model: Vec3,
    options: &ChainOptions,
) -> Result<ChainReport<'c>, IkError> {
    let sweep = |chain: &mut Chain, goal| chain.descend(goal);
    chain.solve(
        skeleton,
        pose,
        model_from_parent,
        goal_in_model,
        options,
        sweep,
    )
}
