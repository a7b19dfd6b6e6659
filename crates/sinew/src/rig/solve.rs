use crate::ik::{
    Aim, AimReport, Ccd, ChainReport, DlsJob, DlsReport, Fabrik, Feet, IkError, TwoBone,
    TwoBoneReport, aim, ccd, dls, fabrik, place_feet, two_bone,
};
use crate::pose::{LocalPose, ModelPose, PoseMismatch};
use crate::skeleton::Skeleton;
use sinew_math::transform::Affine;

/// Job of inverse kinematics: [`TwoBone`], [`Aim`], [`Ccd`], [`Fabrik`], [`DlsJob`] or [`Feet`]. A
/// reference to a `Copy` job is also a job.
///
/// ```
/// use glam::Vec3;
/// use sinew::ik::{Ccd, Chain, Dls, DlsJob, Goal, Tip, TwoBone};
/// use sinew::{Method, Rig};
/// let rig = Rig::new(&sinew_samples::mannequin::Mannequin::default().build(), Method::DualQuat)?;
/// let [chest, shoulder, elbow, hand] =
///     ["chest", "left_upper_arm", "left_lower_arm", "left_hand"].map(|name| rig.skeleton().find(name).unwrap());
/// let mut hero = rig.actor();
/// let at = Vec3::new(0.35, 1.3, 0.3);
/// hero.solve(&TwoBone::new(shoulder, elbow, Tip::of(hand), at))?;
/// let mut arm = Chain::new(rig.skeleton(), chest, Tip::of(hand))?;
/// assert!(hero.solve(Ccd::new(&mut arm, at))?.reached);
/// let mut body = Dls::new(rig.skeleton(), 1);
/// assert!(hero.solve(DlsJob::new(&mut body, &[Goal::position(hand, at)]))?.reached);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "ik")]
pub trait Solve {
    /// Report of the job.
    type Report;

    /// Moves joints of `pose`. `model` must be the forward kinematics of `pose` with an identity
    /// `model_from_root`. It is updated to the new pose.
    ///
    /// # Errors
    /// [`IkError`] if the job does not fit. The pose is then unchanged, but `model` is out of date.
    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<Self::Report, IkError>;
}

impl<J: Solve + Copy> Solve for &J {
    type Report = J::Report;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<J::Report, IkError> {
        (*self).solve(skeleton, pose, model)
    }
}

impl Solve for TwoBone {
    type Report = TwoBoneReport;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<TwoBoneReport, IkError> {
        solve_below(Some(self.upper), skeleton, pose, model, |pose, parent| {
            two_bone(skeleton, pose, parent, &self)
        })
    }
}

impl Solve for Aim<'_> {
    type Report = AimReport;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<AimReport, IkError> {
        let first = self.shares.first().map(|share| share.joint);
        solve_below(first, skeleton, pose, model, |pose, parent| {
            aim(skeleton, pose, parent, &self)
        })
    }
}

impl<'c> Solve for Ccd<'c> {
    type Report = ChainReport<'c>;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<ChainReport<'c>, IkError> {
        let first = self.chain.joints().next();
        solve_below(first, skeleton, pose, model, |pose, parent| {
            ccd(skeleton, pose, parent, self)
        })
    }
}

impl<'c> Solve for Fabrik<'c> {
    type Report = ChainReport<'c>;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<ChainReport<'c>, IkError> {
        let first = self.chain.joints().next();
        solve_below(first, skeleton, pose, model, |pose, parent| {
            fabrik(skeleton, pose, parent, self)
        })
    }
}

impl<'s> Solve for DlsJob<'s, '_> {
    type Report = DlsReport<'s>;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<DlsReport<'s>, IkError> {
        let root = Affine::IDENTITY;
        let report = dls(skeleton, pose, &root, self)?;
        model.update(skeleton.hierarchy(), pose, &root)?;
        Ok(report)
    }
}

impl Solve for Feet<'_> {
    /// Upward movement of the pelvis, in units of the model.
    type Report = f32;

    fn solve(
        self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) -> Result<f32, IkError> {
        place_feet(skeleton, pose, model, self)
    }
}

/// Runs `solve` with the transform above the first joint, and updates the model pose below it.
fn solve_below<R>(
    first: Option<usize>,
    skeleton: &Skeleton,
    pose: &mut LocalPose,
    model: &mut ModelPose,
    solve: impl FnOnce(&mut LocalPose, &Affine) -> Result<R, IkError>,
) -> Result<R, IkError> {
    PoseMismatch::check(model.len(), skeleton.len())?;
    let first = first.filter(|&joint| joint < skeleton.len());
    let parent = first.and_then(|joint| skeleton.parent(joint));
    let model_from_parent = parent.map_or(Affine::IDENTITY, |parent| *model.get(parent));
    let report = solve(pose, &model_from_parent)?;
    if let Some(first) = first {
        model.update_below(first, skeleton.hierarchy(), pose, &Affine::IDENTITY)?;
    }
    Ok(report)
}
