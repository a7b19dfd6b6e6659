use super::error::IkError;
use super::frame::{check_joint, name, not_finite};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Quat;
use sinew_math::transform::quat;

const MAX_JOINTS: usize = 64;

/// Solves and then applies the fraction `weight` of the rotations. The report is for weight 1.
#[inline(never)]
pub(super) fn partly<R>(
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    joints: impl Iterator<Item = usize> + Clone,
    weight: f32,
    solve: impl FnOnce(&mut LocalPose) -> Result<R, IkError>,
) -> Result<R, IkError> {
    let first = joints.clone().next().unwrap_or(0);
    check_joint(skeleton, first)?;
    if !weight.is_finite() {
        return Err(not_finite(skeleton, first, "weight"));
    }
    if !(0.0..=1.0).contains(&weight) {
        return Err(IkError::OutOfRange {
            joint: name(skeleton, first),
            what: "weight",
            max: 1.0,
        });
    }
    let mut came = [Quat::IDENTITY; MAX_JOINTS];
    for (came, joint) in came.iter_mut().zip(joints.clone()) {
        check_joint(skeleton, joint)?;
        *came = pose.get(joint).rotation;
    }
    let report = solve(pose)?;
    for (came, joint) in came.into_iter().zip(joints) {
        let whole = pose.get(joint).rotation;
        pose.set_rotation(joint, quat::slerp(came, whole, weight));
    }
    Ok(report)
}
