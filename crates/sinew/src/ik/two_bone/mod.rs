//! Two bones by the law of cosines and a swing: an arm or a leg in closed form.
//!
//! Bend the elbow until the hand is as far from the shoulder as the goal is, then
//! swing the shoulder by the angle between the two directions, about their cross product. Directions are
//! normalised first, the reach is clamped (and eased, where
//! asked), opposite directions have an axis, the side of the elbow is chosen, and elbows that are
//! hinges turn about their own axis even when that is not square to the bones. No sine or cosine is
//! computed of an angle: all turns go by their sines and cosines (Tolani, Goswami and Badler 2000).

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

/// Turns `upper` and `lower` so that the tip comes as near to the goal as they allow.
/// `model_from_parent` is where the parent of `upper` stands in the model.
///
/// Of all solutions: the elbow keeps its side (a hinge with two takes the one nearer to where it
/// was), and the shoulder makes the shortest swing, after which it turns about the line to the goal
/// when there is a pole. Limits are applied to the elbow first, then to the shoulder.
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
