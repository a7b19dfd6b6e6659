//! Setting, moving and deleting of the keys of joints, within the limits of the joints.

use super::key::{Channel, Key, KeyError, OverLimit};
use super::key_sets::TangentKind;
use super::track_keys::check_time;
use crate::clip::keyed::{Clip, ClipSpace};
use crate::clip::track::{Interpolation, Track};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Quat;
use sinew_math::transform::quat;

impl Clip {
    /// Sets a key of a joint. An existing key at that time is replaced; tangents set by hand stay. A channel without
    /// keys gets a cubic track with automatic tangents. The duration grows to include the key.
    ///
    /// ```
    /// use sinew::clip::{Clip, Key, OverLimit};
    /// use sinew_samples::humanoid_character;
    /// use sinew::transform::Axis;
    /// let skeleton = humanoid_character().skeleton;
    /// let knee = skeleton.find("left_lower_leg").unwrap();
    /// let mut kick = Clip::new("kick");
    /// for (time, angle) in [(0.0, 0.1), (0.3, 1.8), (0.5, 0.0)] {
    ///     kick.insert_key(&skeleton, knee, time, Key::Rotation(Axis::X.rotation(angle)), OverLimit::Refuse)?;
    /// }
    /// let backward = Key::Rotation(Axis::X.rotation(-0.5));
    /// let refused = kick.insert_key(&skeleton, knee, 0.6, backward, OverLimit::Refuse);
    /// assert!(refused.unwrap_err().to_string().contains("\"left_lower_leg\" is 0.5"));
    /// # Ok::<(), sinew::clip::KeyError>(())
    /// ```
    pub fn insert_key(
        &mut self,
        skeleton: &Skeleton,
        joint: usize,
        time_secs: f32,
        key: Key,
        over_limit: OverLimit,
    ) -> Result<(), KeyError> {
        if self.space == ClipSpace::Model {
            return Err(KeyError::InModel);
        }
        check_time(time_secs)?;
        let key = within_limits(skeleton, joint, key, over_limit)?;
        let (value, width) = match key {
            Key::Translation(v) | Key::Scale(v) => ([v.x, v.y, v.z, 0.0], 3),
            Key::Rotation(q) => (q.to_array(), 4),
        };
        let value = &value[..width];
        match (self.channel_mut(joint, key.channel()), key) {
            (Some(track), Key::Rotation(rotation)) => {
                *track = with_rotation(track, time_secs, rotation)?;
            }
            (Some(track), _) => {
                track.insert_key(time_secs, value)?;
            }
            (None, _) => {
                let zero = vec![0.0; width];
                let element = [&zero[..], value, &zero[..]].concat();
                let track =
                    Track::new(vec![time_secs], element, width, Interpolation::CubicHermite)?;
                let tracks = self.joint_mut(joint);
                *match key.channel() {
                    Channel::Translation => &mut tracks.translation,
                    Channel::Rotation => &mut tracks.rotation,
                    Channel::Scale => &mut tracks.scale,
                } = Some(track);
            }
        }
        self.duration_secs = self.duration_secs.max(time_secs);
        Ok(())
    }

    /// Sets a key in every channel that has keys or is not at rest. On an error, nothing changes.
    pub fn insert_pose(
        &mut self,
        skeleton: &Skeleton,
        time_secs: f32,
        pose: &LocalPose,
        over_limit: OverLimit,
    ) -> Result<(), KeyError> {
        if pose.len() != skeleton.len() {
            return Err(KeyError::NoSuchJoint {
                joint: pose.len().saturating_sub(1),
                joints: skeleton.len(),
            });
        }
        let mut edited = self.clone();
        for joint in 0..skeleton.len() {
            let (now, rest) = (pose.get(joint), skeleton.rest().get(joint));
            let keys = [
                (
                    Key::Translation(now.translation),
                    now.translation != rest.translation,
                ),
                (Key::Rotation(now.rotation), now.rotation != rest.rotation),
                (Key::Scale(now.scale), now.scale != rest.scale),
            ];
            for (key, has_moved) in keys {
                if has_moved || edited.channel_mut(joint, key.channel()).is_some() {
                    edited.insert_key(skeleton, joint, time_secs, key, over_limit)?;
                }
            }
        }
        *self = edited;
        Ok(())
    }

    /// Moves a key of a joint to another time. Returns its new index.
    pub fn move_key(
        &mut self,
        joint: usize,
        channel: Channel,
        key: usize,
        time_secs: f32,
    ) -> Result<usize, KeyError> {
        let track = self.channel_mut(joint, channel);
        let track = track.ok_or(KeyError::NoTrack { joint, channel })?;
        let index = track.move_key(key, time_secs)?;
        if channel == Channel::Rotation {
            *track = track.on_one_side();
        }
        self.duration_secs = self.duration_secs.max(time_secs);
        Ok(index)
    }

    /// Deletes a key of a joint. After its last key, the channel has no track and is at rest.
    pub fn delete_key(
        &mut self,
        joint: usize,
        channel: Channel,
        key: usize,
    ) -> Result<(), KeyError> {
        let track = self.channel_mut(joint, channel);
        let track = track.ok_or(KeyError::NoTrack { joint, channel })?;
        track.check_key(key)?;
        if track.keys() > 1 {
            track.delete_key(key)?;
            if channel == Channel::Rotation {
                *track = track.on_one_side();
            }
            return Ok(());
        }
        self.set_track(joint, channel, None)
    }

    /// Track of a channel of a joint, if it has keys.
    pub fn track(&self, joint: usize, channel: Channel) -> Option<&Track> {
        let tracks = self.joint(joint)?;
        match channel {
            Channel::Translation => tracks.translation.as_ref(),
            Channel::Rotation => tracks.rotation.as_ref(),
            Channel::Scale => tracks.scale.as_ref(),
        }
    }

    /// Sets or removes the track of a channel. Rotation keys are put in the hemisphere of the key before them. A
    /// joint without tracks loses its entry. The duration grows to include the last key.
    ///
    /// # Errors
    /// If the width of the track is not 3, or 4 for rotations, or a key is before 0.
    pub fn set_track(
        &mut self,
        joint: usize,
        channel: Channel,
        track: Option<Track>,
    ) -> Result<(), KeyError> {
        let width = if channel == Channel::Rotation { 4 } else { 3 };
        if track.as_ref().is_some_and(|track| track.width() != width) {
            return Err(KeyError::BadValue);
        }
        if let Some(track) = &track {
            check_time(track.times()[0])?;
            self.duration_secs = self.duration_secs.max(track.end_secs());
        }
        let track = track.map(|track| {
            if width == 4 {
                track.on_one_side()
            } else {
                track
            }
        });
        let tracks = self.joint_mut(joint);
        match channel {
            Channel::Translation => tracks.translation = track,
            Channel::Rotation => tracks.rotation = track,
            Channel::Scale => tracks.scale = track,
        }
        if tracks.translation.is_none() && tracks.rotation.is_none() && tracks.scale.is_none() {
            self.joints.retain(|tracks| tracks.joint != joint);
        }
        Ok(())
    }

    fn channel_mut(&mut self, joint: usize, channel: Channel) -> Option<&mut Track> {
        let index = self.joints.binary_search_by_key(&joint, |j| j.joint).ok()?;
        let tracks = &mut self.joints[index];
        match channel {
            Channel::Translation => tracks.translation.as_mut(),
            Channel::Rotation => tracks.rotation.as_mut(),
            Channel::Scale => tracks.scale.as_mut(),
        }
    }
}

/// The track with a rotation at a time. Tangents set by hand keep their speed in the frame of the joint.
fn with_rotation(track: &Track, time_secs: f32, rotation: Quat) -> Result<Track, KeyError> {
    let quat = |v: &[f32]| Quat::from_xyzw(v[0], v[1], v[2], v[3]);
    let key = track.times().partition_point(|&time| time < time_secs);
    let rotation = quat::aligned(rotation, quat(track.key(key.saturating_sub(1))));
    let mut edited = track.clone();
    edited.insert_key(time_secs, &rotation.to_array())?;
    let is_there = track.times().get(key) == Some(&time_secs);
    let is_by_hand = is_there && track.tangent_kind(key) != Some(TangentKind::Auto);
    if let Some(slopes) = track.tangents(key).filter(|_| is_by_hand) {
        let by = quat::mul(rotation, quat::conjugate(quat(track.key(key))));
        let [before, after] = slopes.map(|slope| quat::mul(by, quat(slope)).to_array());
        edited.set_tangents(key, &before, &after)?;
    }
    Ok(edited.on_one_side())
}

fn within_limits(
    skeleton: &Skeleton,
    joint: usize,
    key: Key,
    over_limit: OverLimit,
) -> Result<Key, KeyError> {
    let joints = skeleton.len();
    if joint >= joints {
        return Err(KeyError::NoSuchJoint { joint, joints });
    }
    let (freedom, rest) = (skeleton.freedom(joint), skeleton.rest().get(joint));
    let (allowed, by) = match key {
        Key::Rotation(q) => {
            let squared = quat::dot(q, q);
            if (squared - 1.0).abs() > 1e-3 || squared.is_nan() {
                return Err(KeyError::BadValue);
            }
            let allowed = freedom.clamp_rotation(rest.rotation, q);
            (Key::Rotation(allowed), quat::angle_between(allowed, q))
        }
        Key::Translation(t) => {
            if !t.is_finite() {
                return Err(KeyError::BadValue);
            }
            let allowed = freedom.clamp_translation(rest.translation, t);
            let off = [allowed.x - t.x, allowed.y - t.y, allowed.z - t.z];
            let squared = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
            (Key::Translation(allowed), squared.sqrt())
        }
        Key::Scale(s) => {
            if !s.is_finite() {
                return Err(KeyError::BadValue);
            }
            (key, 0.0)
        }
    };
    match over_limit {
        OverLimit::Clamp => Ok(allowed),
        OverLimit::Refuse if by > 1e-5 => Err(KeyError::OverLimit {
            joint: skeleton.name(joint).to_owned(),
            by,
        }),
        OverLimit::Refuse | OverLimit::Allow => Ok(key),
    }
}
