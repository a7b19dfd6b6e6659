use super::clip::PackedClip;
use super::motion::{Channel, Kind};
use crate::clip::keyed::{Clip, JointTracks};
use crate::clip::track::{Interpolation, Track, TrackError};
use sinew_math::transform::Transform;
use std::sync::Arc;

impl PackedClip<'_> {
    /// Converts to an editable clip with the same error. Packed tracks get one key per frame,
    /// constant tracks one key. Other tracks keep their original keys.
    pub fn unpack(&self) -> Result<Clip, TrackError> {
        let motion = &self.motion;
        let mut clip = Clip::new(self.name());
        clip.events.clone_from(&self.extras.events);
        clip.curves.clone_from(&self.extras.curves);
        clip.morphs.clone_from(&self.extras.morphs);
        clip.duration_secs = self.duration_secs();
        for motion in self.motions() {
            let times = Arc::new(motion.frame_times());
            let mut packed: Vec<_> = motion
                .channels(Kind::Packed)
                .map(|c| (c, Vec::new()))
                .collect();
            let mut pose = self.motion.still.clone();
            for frame in 0..times.len() {
                self.sample(motion.frame_secs(frame), &mut pose);
                for ((joint, channel), values) in &mut packed {
                    channel.put(&pose.get(*joint), values);
                }
            }
            for ((joint, channel), values) in packed {
                let track = channel.track(times.clone(), values)?;
                *channel.slot(clip.joint_mut(joint)) = Some(track);
            }
        }
        let at_start = Arc::new(vec![0.0]);
        for (joint, channel) in motion.channels(Kind::Constant) {
            let mut values = Vec::new();
            channel.put(&motion.still.get(joint), &mut values);
            let track = channel.track(at_start.clone(), values)?;
            *channel.slot(clip.joint_mut(joint)) = Some(track);
        }
        for raw in &motion.raw {
            *raw.channel.slot(clip.joint_mut(raw.joint)) = Some(raw.track.clone());
        }
        // Rounding or another program can put the last key past the stated duration.
        let declared = clip.duration_secs;
        clip.fit_duration();
        clip.duration_secs = clip.duration_secs.max(declared);
        Ok(clip)
    }
}

impl Channel {
    fn put(self, transform: &Transform, values: &mut Vec<f32>) {
        match self {
            Self::Translation => values.extend(transform.translation.to_array()),
            Self::Rotation => values.extend(transform.rotation.to_array()),
            Self::Scale => values.extend(transform.scale.to_array()),
        }
    }

    fn track(self, times: Arc<Vec<f32>>, values: Vec<f32>) -> Result<Track, TrackError> {
        match self {
            Self::Rotation => Track::new(times, values, 4, Interpolation::Slerp),
            _ => Track::new(times, values, 3, Interpolation::Linear),
        }
    }

    fn slot(self, tracks: &mut JointTracks) -> &mut Option<Track> {
        match self {
            Self::Translation => &mut tracks.translation,
            Self::Rotation => &mut tracks.rotation,
            Self::Scale => &mut tracks.scale,
        }
    }
}
