//! Named curves from the motion of a joint.

use super::key::Channel;
use crate::clip::keyed::{Clip, Curve};
use crate::clip::playable::Playable;
use crate::clip::track::{Interpolation, Track};
use crate::skeleton::Skeleton;
use sinew_math::transform::quat;

/// Part of the motion of a joint that a curve can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointPart {
    /// All numbers of a channel.
    Whole(Channel),
    /// One of the numbers of a channel, from 0.
    Component(Channel, usize),
    /// Angle of a joint with one angle, in degrees from rest.
    Angle,
}

impl Clip {
    /// Adds a curve, or replaces the values of the curve of this name.
    pub fn set_curve(&mut self, name: impl Into<String>, track: Track) {
        let name = name.into();
        match self.curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.track = track,
            None => self.curves.push(Curve { name, track }),
        }
    }

    /// Track of a curve with a part of the motion of a joint, at the keys of its channel. `None` if
    /// the channel has no keys, or if the part does not exist.
    pub fn joint_curve(&self, skeleton: &Skeleton, joint: usize, part: JointPart) -> Option<Track> {
        let (values, track): (Vec<f32>, &Track) = match part {
            JointPart::Whole(channel) => return self.track(joint, channel).cloned(),
            JointPart::Component(channel, component) => {
                let track = self.track(joint, channel)?;
                let keys = track.values().chunks_exact(track.width());
                let values: Option<Vec<f32>> =
                    keys.map(|key| key.get(component).copied()).collect();
                (values?, track)
            }
            JointPart::Angle => {
                let track = self.track(joint, Channel::Rotation)?;
                let limit = &skeleton.freedom(joint).rotation;
                if limit.count() != 1 {
                    return None;
                }
                let from_rest = skeleton.rest().get(joint).rotation.conjugate();
                let angle = |time: &f32| {
                    let local = self.sample_joint_at(skeleton, joint, f64::from(*time));
                    limit.angles(quat::mul(from_rest, local.rotation))[0].to_degrees()
                };
                (track.times().iter().map(angle).collect(), track)
            }
        };
        let interpolation = match part {
            JointPart::Angle => Interpolation::Linear,
            _ => track.interpolation(),
        };
        Track::new(track.times().clone(), values, 1, interpolation).ok()
    }
}
