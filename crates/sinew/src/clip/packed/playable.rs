use super::clip::PackedClip;
use crate::clip::keyed::{Curve, Event, MorphTrack};
use crate::clip::mismatch::ClipMismatch;
use crate::clip::playable::Playable;
use crate::pose::{JointSet, LocalPose};
use crate::skeleton::Skeleton;
use sinew_math::transform::Transform;

impl Playable for PackedClip<'_> {
    fn name(&self) -> &str {
        PackedClip::name(self)
    }

    fn duration_secs(&self) -> f32 {
        PackedClip::duration_secs(self)
    }

    fn events(&self) -> &[Event] {
        PackedClip::events(self)
    }

    fn curves(&self) -> &[Curve] {
        PackedClip::curves(self)
    }

    fn morphs(&self) -> &[MorphTrack] {
        PackedClip::morphs(self)
    }

    fn sample_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        self.check(skeleton)?;
        self.sample(time_secs, pose);
        Ok(())
    }

    fn sample_joints_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        requested: &JointSet,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        self.check(skeleton)?;
        // A pose or joint set of the wrong size is a mistake of the caller. Nothing is written.
        let _ = self.sample_masked(time_secs, requested, pose);
        Ok(())
    }

    fn sample_joint_at(&self, _skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform {
        self.sample_joint(joint, time_secs)
    }

    fn joints(&self) -> usize {
        PackedClip::joints(self)
    }

    fn fits(&self, skeleton: &Skeleton) -> bool {
        PackedClip::joints(self) == skeleton.len()
    }

    fn key_times(&self, _joint: usize) -> Vec<f32> {
        let time = |frame: usize| self.motion.frame_secs(frame) as f32;
        (0..self.frames()).map(time).collect()
    }
}

impl PackedClip<'_> {
    fn check(&self, skeleton: &Skeleton) -> Result<(), ClipMismatch> {
        let (found, expected) = (PackedClip::joints(self), skeleton.len());
        match found == expected {
            true => Ok(()),
            false => Err(ClipMismatch { found, expected }),
        }
    }
}
