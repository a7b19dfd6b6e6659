//! Trait of clips that can be played. Calls through the trait happen once per clip and frame.

use super::keyed::{Clip, Curve, Event, MorphTrack};
use super::mismatch::ClipMismatch;
use super::sample::{sample, sample_joint};
use crate::pose::{JointSet, LocalPose};
use crate::skeleton::Skeleton;
use sinew_math::transform::Transform;
use std::fmt;
use std::sync::Arc;

/// Clip that can be played: [`Clip`], [`PackedClip`](super::packed::PackedClip), or another type.
///
/// ```
/// use sinew::{LocalPose, Playable, Player, Wrap};
/// use sinew_pack::{PackOptions, pack};
/// let person = sinew_samples::humanoid_character();
/// let packed = pack(&person.skeleton, &person.clips[0], &PackOptions::default())?.clip;
/// let either: [&dyn Playable; 2] = [&person.clips[0], &packed];
/// let mut pose = LocalPose::identity(0);
/// for clip in either {
///     let mut player = Player::new(Wrap::Loop);
///     player.advance(clip, 0.25, |_event| {});
///     clip.sample_into(&person.skeleton, player.clip_time_secs(clip), &mut pose)?;
///     assert_eq!(pose.len(), person.skeleton.len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Playable: fmt::Debug + Send + Sync {
    /// Name of the clip.
    fn name(&self) -> &str;

    /// Duration in seconds.
    fn duration_secs(&self) -> f32;

    /// Events, ascending in time.
    fn events(&self) -> &[Event];

    /// Continuous signals.
    fn curves(&self) -> &[Curve];

    /// Morph weights of mesh instances.
    fn morphs(&self) -> &[MorphTrack];

    /// Writes the whole pose at a time within the clip, in seconds. Allocates only if the number of
    /// joints changes.
    ///
    /// # Errors
    /// If the clip is for another skeleton. A [`Clip`] still writes the joints that exist. A packed
    /// clip writes nothing.
    fn sample_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch>;

    /// Writes only the joints in `requested`. The pose and `requested` must fit the skeleton.
    ///
    /// # Errors
    /// If the clip was made for another skeleton. The pose then does not change.
    fn sample_joints_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        requested: &JointSet,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        if !self.fits(skeleton) {
            return Err(ClipMismatch {
                found: self.joints(),
                expected: skeleton.len(),
            });
        }
        for joint in (0..pose.len()).filter(|&joint| requested.contains(joint)) {
            pose.set(joint, self.sample_joint_at(skeleton, joint, time_secs));
        }
        Ok(())
    }

    /// Transform of one joint, as in [`Playable::sample_into`].
    fn sample_joint_at(&self, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform;

    /// Min number of joints that a skeleton needs for this clip.
    fn joints(&self) -> usize;

    /// True if this clip can move the skeleton.
    fn fits(&self, skeleton: &Skeleton) -> bool {
        self.joints() <= skeleton.len()
    }

    /// Times of the keys or frames of a joint, in seconds. For tools, because it allocates.
    fn key_times(&self, joint: usize) -> Vec<f32>;
}

impl Playable for Clip {
    fn name(&self) -> &str {
        &self.name
    }

    fn duration_secs(&self) -> f32 {
        self.duration_secs
    }

    fn events(&self) -> &[Event] {
        &self.events
    }

    fn curves(&self) -> &[Curve] {
        &self.curves
    }

    fn morphs(&self) -> &[MorphTrack] {
        &self.morphs
    }

    fn sample_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        pose: &mut LocalPose,
    ) -> Result<(), ClipMismatch> {
        sample(self, skeleton, time_secs, pose)
    }

    fn sample_joint_at(&self, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform {
        sample_joint(self, skeleton, joint, time_secs)
    }

    fn joints(&self) -> usize {
        self.joints.iter().map(|t| t.joint + 1).max().unwrap_or(0)
    }

    fn key_times(&self, joint: usize) -> Vec<f32> {
        let tracks = self.joint(joint).into_iter();
        let tracks = tracks.flat_map(|t| [&t.translation, &t.rotation, &t.scale]);
        let times = tracks.flatten().flat_map(|track| track.times().iter());
        times.copied().collect()
    }
}

macro_rules! playable_through {
    ($pointer:ty) => {
        impl<C: Playable + ?Sized> Playable for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn duration_secs(&self) -> f32 {
                (**self).duration_secs()
            }

            fn events(&self) -> &[Event] {
                (**self).events()
            }

            fn curves(&self) -> &[Curve] {
                (**self).curves()
            }

            fn morphs(&self) -> &[MorphTrack] {
                (**self).morphs()
            }

            fn sample_into(
                &self,
                skeleton: &Skeleton,
                time_secs: f64,
                pose: &mut LocalPose,
            ) -> Result<(), ClipMismatch> {
                (**self).sample_into(skeleton, time_secs, pose)
            }

            fn sample_joints_into(
                &self,
                skeleton: &Skeleton,
                time_secs: f64,
                requested: &JointSet,
                pose: &mut LocalPose,
            ) -> Result<(), ClipMismatch> {
                (**self).sample_joints_into(skeleton, time_secs, requested, pose)
            }

            fn sample_joint_at(
                &self,
                skeleton: &Skeleton,
                joint: usize,
                time_secs: f64,
            ) -> Transform {
                (**self).sample_joint_at(skeleton, joint, time_secs)
            }

            fn joints(&self) -> usize {
                (**self).joints()
            }

            fn fits(&self, skeleton: &Skeleton) -> bool {
                (**self).fits(skeleton)
            }

            fn key_times(&self, joint: usize) -> Vec<f32> {
                (**self).key_times(joint)
            }
        }
    };
}

playable_through!(&C);
playable_through!(Arc<C>);
