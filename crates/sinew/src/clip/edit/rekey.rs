use super::key::{Channel, Key, KeyError, OverLimit};
use crate::clip::keyed::Clip;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;

impl Clip {
    /// Replaces rotation keys of some joints by keys at the times of `frames`. Keys before the
    /// first and after the last of these times stay. On an error, nothing changes.
    ///
    /// ```
    /// use sinew::clip::{Clip, OverLimit};
    /// use sinew::transform::Axis;
    /// use sinew_samples::tube_character;
    /// let skeleton = tube_character().skeleton;
    /// let arm = 1;
    /// let pose = |angle_rad| {
    ///     let mut pose = skeleton.rest().clone();
    ///     pose.set_rotation(arm, Axis::X.rotation(angle_rad));
    ///     pose
    /// };
    /// let mut clip = Clip::new("wave");
    /// let frames: Vec<_> = (0..4_u8).map(|n| (0.25 * f32::from(n), pose(0.2))).collect();
    /// clip.replace_rotations(&skeleton, &[arm], &frames, OverLimit::Refuse)?;
    /// let other = [(0.0, pose(0.1)), (0.375, pose(0.3))];
    /// clip.replace_rotations(&skeleton, &[arm], &other, OverLimit::Refuse)?;
    /// let track = clip.joint(arm).unwrap().rotation.as_ref().unwrap();
    /// assert_eq!(track.times()[..], [0.0, 0.375, 0.5, 0.75]);
    /// # Ok::<(), sinew::clip::KeyError>(())
    /// ```
    pub fn replace_rotations(
        &mut self,
        skeleton: &Skeleton,
        joints: &[usize],
        frames: &[(f32, LocalPose)],
        over_limit: OverLimit,
    ) -> Result<(), KeyError> {
        self.replace(skeleton, joints, frames, over_limit, Channel::Rotation)
    }

    /// As [`Clip::replace_rotations`], for translations, such as those of joints that slide.
    ///
    /// # Errors
    /// If a joint does not exist or a key cannot be inserted. The clip is then unchanged.
    pub fn replace_translations(
        &mut self,
        skeleton: &Skeleton,
        joints: &[usize],
        frames: &[(f32, LocalPose)],
        over_limit: OverLimit,
    ) -> Result<(), KeyError> {
        self.replace(skeleton, joints, frames, over_limit, Channel::Translation)
    }

    fn replace(
        &mut self,
        skeleton: &Skeleton,
        joints: &[usize],
        frames: &[(f32, LocalPose)],
        over_limit: OverLimit,
        channel: Channel,
    ) -> Result<(), KeyError> {
        let times = frames.iter().map(|frame| frame.0);
        let (first, last) = times.fold((f32::INFINITY, f32::NEG_INFINITY), |span, time| {
            (span.0.min(time), span.1.max(time))
        });
        let mut edited = self.clone();
        for &joint in joints {
            edited.delete_keys(joint, channel, first, last)?;
            for (time, pose) in frames {
                if joint >= pose.len() {
                    let joints = pose.len();
                    return Err(KeyError::NoSuchJoint { joint, joints });
                }
                let local = pose.get(joint);
                let key = match channel {
                    Channel::Translation => Key::Translation(local.translation),
                    Channel::Rotation => Key::Rotation(local.rotation),
                    Channel::Scale => Key::Scale(local.scale),
                };
                edited.insert_key(skeleton, joint, *time, key, over_limit)?;
            }
        }
        *self = edited;
        Ok(())
    }

    fn delete_keys(
        &mut self,
        joint: usize,
        channel: Channel,
        first: f32,
        last: f32,
    ) -> Result<(), KeyError> {
        let track = self.track(joint, channel);
        let times = track.map_or(Vec::new(), |track| track.times().to_vec());
        let within = times.iter().enumerate().rev();
        let within = within.filter(|(_, time)| (first..=last).contains(*time));
        for (key, _) in within {
            self.delete_key(joint, channel, key)?;
        }
        Ok(())
    }
}
