//! Two-bone chains in closed form, for arms and legs (Tolani, Goswami and Badler 2000). By the law
//! of cosines, the elbow bends until the hand is as far from the shoulder as the goal. The shoulder
//! then swings the hand to the direction of the goal.

mod general;
mod hinge;
mod job;
mod quick;

pub use job::{TwoBone, TwoBoneReport};

use super::error::IkError;
use super::frame::{check_joint, check_pose};
use super::weight::partly;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use general::general;
use sinew_math::transform::Affine;

/// Moves the tip to the goal. `model_from_parent` is the model transform of the parent of `upper`.
///
/// The elbow keeps its side. A hinge with two solutions uses the nearer solution. The shoulder
/// makes the shortest swing. With a pole, the shoulder then rotates about the line to the goal.
/// Limits apply to the elbow first, then to the shoulder.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Tip, TwoBone, two_bone};
/// use sinew::{Affine, Joint, ModelPose, Skeleton, Transform};
/// let bone = |length| Transform::from_translation(Vec3::X * length);
/// let (arm, _) = Skeleton::new(vec![
///     Joint::new("shoulder", None, Transform::IDENTITY),
///     Joint::new("elbow", Some(0), bone(4.0)),
///     Joint::new("hand", Some(1), bone(3.0)),
/// ])?;
/// let mut pose = arm.rest().clone();
/// let goal = Vec3::new(0.0, 5.0, 0.0);
/// let report = two_bone(&arm, &mut pose, &Affine::IDENTITY, &TwoBone::new(0, 1, Tip::of(2), goal))?;
/// assert!(report.reached);
/// let mut model = ModelPose::identity(3);
/// model.update(arm.hierarchy(), &pose, &Affine::IDENTITY);
/// assert!(model.get(2).translation().distance(goal) < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn two_bone(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &TwoBone,
) -> Result<TwoBoneReport, IkError> {
    check_pose(skeleton, pose)?;
    for joint in [job.upper, job.lower, job.tip.joint] {
        check_joint(skeleton, joint)?;
    }
    if job.weight != 1.0 {
        let joints = [job.upper, job.lower].into_iter();
        return partly(skeleton, pose, joints, job.weight, |pose| {
            two_bone(skeleton, pose, model_from_parent, &job.weight(1.0))
        });
    }
    if quick::bent(skeleton, pose, model_from_parent, job) {
        return Ok(TwoBoneReport {
            reached: true,
            residual: 0.0,
            upper_at_limit: false,
            lower_at_limit: false,
        });
    }
    general(skeleton, pose, model_from_parent, job)
}
