//! The trait of all that can be played: anything that has a length, events, and a pose for every time.
//!
//! Players, graphs and root motion ask for no more, so that a packed clip is played as it is. The inner loops are
//! the clip's own; what is called through here is called once per clip and frame.

use super::keyed::{Clip, Curve, Event, MorphTrack};
use super::sample::{sample, sample_joint};
use crate::pose::{JointSet, LocalPose};
use crate::skeleton::Skeleton;
use sinew_math::transform::Transform;
use std::fmt;
use std::sync::Arc;

/// A clip that can be played: [`Clip`], [`PackedClip`](super::packed::PackedClip), or a caller's own. Sampling keeps no state.
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
///     clip.sample_into(&person.skeleton, player.clip_time_secs(clip), &mut pose);
///     assert_eq!(pose.len(), person.skeleton.len());
/// }
/// # Ok::<(), sinew_pack::PackError>(())
/// ```
pub trait Playable: fmt::Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Its length.
    fn duration_secs(&self) -> f32;

    /// Its events, ascending by time.
    fn events(&self) -> &[Event];

    /// Signals that move along with it.
    fn curves(&self) -> &[Curve];

    /// Morph weights of meshes over its time.
    fn morphs(&self) -> &[MorphTrack];

    /// Writes the whole pose at a time within the clip. A pose of another size is made to fit; otherwise nothing
    /// is allocated.
    fn sample_into(&self, skeleton: &Skeleton, time_secs: f64, pose: &mut LocalPose);

    /// Writes the joints that are wanted and leaves the others as they are. Pose and `wanted` have the skeleton's joints;
    /// a clip that does not fit it writes nothing.
    fn sample_joints_into(
        &self,
        skeleton: &Skeleton,
        time_secs: f64,
        wanted: &JointSet,
        pose: &mut LocalPose,
    ) {
        for joint in (0..pose.len()).filter(|&joint| wanted.contains(joint)) {
            pose.set(joint, self.sample_joint_at(skeleton, joint, time_secs));
        }
    }

    /// One joint of what [`Playable::sample_into`] writes.
    fn sample_joint_at(&self, skeleton: &Skeleton, joint: usize, time_secs: f64) -> Transform;

    /// Min number of joints of a skeleton that it can move.
    fn joints(&self) -> usize;

    /// True when it can move this skeleton, by its number of joints.
    fn fits(&self, skeleton: &Skeleton) -> bool {
        self.joints() <= skeleton.len()
    }

    /// The times between which a joint moves evenly: its keys or frames. For tools: it allocates.
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

    fn sample_into(&self, skeleton: &Skeleton, time_secs: f64, pose: &mut LocalPose) {
        sample(self, skeleton, time_secs, pose);
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

/// Passes every call on to what it points to.
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

            fn sample_into(&self, skeleton: &Skeleton, time_secs: f64, pose: &mut LocalPose) {
                (**self).sample_into(skeleton, time_secs, pose);
            }

            fn sample_joints_into(
                &self,
                skeleton: &Skeleton,
                time_secs: f64,
                wanted: &JointSet,
                pose: &mut LocalPose,
            ) {
                (**self).sample_joints_into(skeleton, time_secs, wanted, pose);
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
