//! Aiming of an axis at a point, for a turret or for a head with neck and spine. Joints rotate from
//! the body outward. Each joint takes its share of the remaining swing and roll, so later joints
//! compensate for the limits of earlier joints. The last joint closes the remaining angle exactly,
//! even if the line of sight does not pass through that joint.

mod general;
mod job;
pub(super) mod quick;

pub use job::{Aim, AimReport, Share, Up};

use super::error::IkError;
use super::frame::{check_joint, check_pose};
use super::weight::partly;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use general::{check, general};
use sinew_math::transform::Affine;

/// Aims an eye at a target. `model_from_parent` maps from the parent of the first joint.
///
/// Each joint makes the shortest rotation towards the target, and then rolls to the up direction. A
/// rotation to a target exactly behind passes through the coordinate axis farthest from `axis`.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Aim, Share, Tip, aim};
/// use sinew::{Affine, Joint, Skeleton, Transform};
/// let (turret, _) = Skeleton::new(vec![Joint::new("turret", None, Transform::IDENTITY)])?;
/// let mut pose = turret.rest().clone();
/// let job = Aim {
///     shares: &[Share { joint: 0, part: 1.0 }],
///     eye: Tip::of(0),
///     axis: Vec3::Z,
///     target_in_model: Vec3::X * 5.0,
///     up: None,
///     weight: 1.0,
/// };
/// assert!(aim(&turret, &mut pose, &Affine::IDENTITY, &job)?.reached);
/// assert!((pose.get(0).rotation * Vec3::Z).distance(Vec3::X) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn aim(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model_from_parent: &Affine,
    job: &Aim<'_>,
) -> Result<AimReport, IkError> {
    check_pose(skeleton, pose)?;
    check_joint(skeleton, job.eye.joint)?;
    if job.weight != 1.0 {
        check(skeleton, job)?;
        let joints = job.shares.iter().map(|share| share.joint);
        return partly(skeleton, pose, joints, job.weight, |pose| {
            let whole = Aim {
                weight: 1.0,
                ..*job
            };
            aim(skeleton, pose, model_from_parent, &whole)
        });
    }
    if quick::rotated(skeleton, pose, model_from_parent, job) {
        return Ok(AimReport {
            reached: true,
            off_rad: 0.0,
            at_limits: 0,
        });
    }
    general(skeleton, pose, model_from_parent, job)
}
