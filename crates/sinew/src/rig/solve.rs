use crate::ik::{Aim, AimReport, IkError, TwoBone, TwoBoneReport, aim, two_bone};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use sinew_math::transform::Affine;

/// Job of inverse kinematics for an actor: [`TwoBone`], [`Aim`].
pub trait Solve {
    /// Report of the job.
    type Report;

    /// First joint of the chain, nearest to the root.
    fn first_joint(&self) -> Option<usize>;

    /// Rotates joints of `pose`. `model_from_parent` is the map of the first joint's parent.
    ///
    /// # Errors
    /// [`IkError`] if the job does not fit the skeleton; the pose is then unchanged.
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
