//! Jobs of inverse kinematics that an actor takes.

use crate::ik::{Aim, AimReport, IkError, TwoBone, TwoBoneReport, aim, two_bone};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use sinew_math::transform::Affine;

/// A job that an actor can be told: [`TwoBone`], [`Aim`].
pub trait Solve {
    /// The report of the job.
    type Report;

    /// The joint that turns first, nearest to the body.
    fn first_joint(&self) -> Option<usize>;

    /// Turns joints of a pose; `model_from_parent` is where the parent of the first one stands.
    ///
    /// # Errors
    /// [`IkError`] when the job does not fit the skeleton; the pose is then as it was.
    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<Self::Report, IkError>;
}

impl Solve for TwoBone {
    type Report = TwoBoneReport;

    fn first_joint(&self) -> Option<usize> {
        Some(self.upper)
    }

    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<TwoBoneReport, IkError> {
        two_bone(skeleton, pose, model_from_parent, self)
    }
}

impl Solve for Aim<'_> {
    type Report = AimReport;

    fn first_joint(&self) -> Option<usize> {
        self.shares.first().map(|share| share.joint)
    }

    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
    ) -> Result<AimReport, IkError> {
        aim(skeleton, pose, model_from_parent, self)
    }
}
