//! Layers over a clip: corrections that stay apart from the motion below them.
//!
//! The clip of a character always holds the flattened result, so that every player shows the corrected motion.
//! [`ClipLayers`] keeps what the result was made from.

use super::edit::Channel;
use super::keyed::{Clip, JointTracks};
use super::track::{Interpolation, Track};
use crate::skeleton::Skeleton;
use glam::Quat;
use sinew_math::transform::{Transform, quat};
use std::sync::Arc;

/// Max distance between flattened keys where a source is curved, in seconds.
const STEP_SECS: f32 = 1.0 / 60.0;

/// Max error of the squared length of a flattened rotation.
const UNIT_TOLERANCE: f32 = 1e-6;

const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Layers of a clip, and the motion below them.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "correction")]
pub struct ClipLayers {
    /// Index of the flattened clip in [`crate::Character::clips`].
    pub clip: usize,
    /// Tracks before the layers, of the joints that layers change, ascending. An entry without tracks is a joint that
    /// had none.
    pub base: Vec<JointTracks>,
    /// Layers, each applied to the result of those before it.
    pub layers: Vec<ClipLayer>,
}

/// A layer over a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipLayer {
    /// Name, unique in its clip.
    pub name: String,
    /// True to add to the motion below: translations are offsets in the parent's frame, rotations follow the rotation
    /// below in the joint's frame, scales are factors. False to replace it.
    pub additive: bool,
    /// Weight in [0, 1].
    pub weight: f32,
    /// Joints that the layer may change, ascending. Empty for all that it has tracks for.
    pub joints: Vec<usize>,
    /// Tracks of the layer, ascending by joint, relative to parents.
    pub tracks: Vec<JointTracks>,
}

impl ClipLayer {
    /// True if the layer has an effect on the channel of the joint.
    fn track(&self, joint: usize, channel: Channel) -> Option<&Track> {
        let is_allowed = self.joints.is_empty() || self.joints.contains(&joint);
        let at = self
            .tracks
            .binary_search_by_key(&joint, |tracks| tracks.joint);
        let tracks = &self.tracks[at.ok()?];
        channel_of(tracks, channel).filter(|_| is_allowed && self.weight > 0.0)
    }
}

impl ClipLayers {
    /// Joints that any layer changes, ascending.
    pub fn joints(&self) -> Vec<usize> {
        let tracks = self.layers.iter().flat_map(|layer| {
            let tracks = layer.tracks.iter();
            tracks.filter(|tracks| {
                CHANNELS
                    .iter()
                    .any(|&c| layer.track(tracks.joint, c).is_some())
            })
        });
        let mut joints: Vec<usize> = tracks.map(|tracks| tracks.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    /// Writes the flattened tracks into the clip. Joints that no layer changes keep their tracks. A joint that a layer
    /// changes for the first time moves its tracks to [`ClipLayers::base`]; a joint that none changes any more gets
    /// them back. The duration grows to include the layers.
    pub fn flatten_into(&mut self, skeleton: &Skeleton, clip: &mut Clip) {
        self.flatten(skeleton, clip, None);
    }

    /// Same as [`Self::flatten_into`], faster after a small change: joints whose tracks are the same arrays as in earlier
    /// layers keep their tracks of the clip that those layers gave.
    pub fn flatten_changes_into(
        &mut self,
        skeleton: &Skeleton,
        clip: &mut Clip,
        (before, given): (&Self, &Clip),
    ) {
        self.flatten(skeleton, clip, Some((before, given)));
    }

    fn flatten(&mut self, skeleton: &Skeleton, clip: &mut Clip, earlier: Option<(&Self, &Clip)>) {
        let joints = self.joints();
        for &joint in &joints {
            if let Err(at) = self.base.binary_search_by_key(&joint, |base| base.joint) {
                let own = clip.joint(joint).cloned();
                let empty = JointTracks {
                    joint,
                    ..JointTracks::default()
                };
                self.base.insert(at, own.unwrap_or(empty));
            }
        }
        let (kept, left): (Vec<JointTracks>, Vec<JointTracks>) = std::mem::take(&mut self.base)
            .into_iter()
            .partition(|base| joints.binary_search(&base.joint).is_ok());
        self.base = kept;
        for tracks in left {
            put(clip, tracks);
        }
        for joint in joints {
            if joint < skeleton.len() {
                put(clip, self.flattened_after(skeleton, joint, earlier));
            }
        }
        let ends = clip.tracks().map(Track::end_secs);
        clip.duration_secs = ends.fold(clip.duration_secs, f32::max);
    }

    /// True if the channel of the joint has the same sources as in other layers: the same arrays, kinds and weights.
    fn shares(&self, other: &Self, joint: usize, channel: Channel) -> bool {
        let is_same = |pair: [Option<&Track>; 2]| match pair {
            [Some(a), Some(b)] => {
                Arc::ptr_eq(a.times(), b.times())
                    && Arc::ptr_eq(a.values(), b.values())
                    && a.interpolation() == b.interpolation()
            }
            [a, b] => a.is_none() && b.is_none(),
        };
        let base = |layers: &Self| {
            let at = layers.base.binary_search_by_key(&joint, |base| base.joint);
            at.ok()
        };
        let [Some(own), Some(others)] = [base(self), base(other)] else {
            return false;
        };
        let [own, others] = [&self.base[own], &other.base[others]];
        let layers = self.layers.iter().zip(&other.layers);
        self.layers.len() == other.layers.len()
            && is_same([own, others].map(|base| channel_of(base, channel)))
            && layers.into_iter().all(|(a, b)| {
                a.additive == b.additive
                    && a.weight == b.weight
                    && is_same([a, b].map(|layer| layer.track(joint, channel)))
            })
    }

    /// True if flattening these layers gives the tracks of the clip, to the bit.
    pub fn gives(&self, skeleton: &Skeleton, clip: &Clip) -> bool {
        let joints = self.joints();
        let is_base = joints.iter().eq(self.base.iter().map(|base| &base.joint));
        let is_same = |&joint: &usize| {
            if self.is_finer(joint, clip) {
                return false;
            }
            let made = self.flattened(skeleton, joint);
            match clip.joint(joint) {
                Some(tracks) => *tracks == made,
                None => CHANNELS.iter().all(|&c| channel_of(&made, c).is_none()),
            }
        };
        is_base
            && joints
                .iter()
                .all(|joint| *joint < skeleton.len() && is_same(joint))
    }

    /// True if the flattened tracks of the joint have far more keys than those of the clip. Times of a broken file may
    /// ask for more keys than memory can hold.
    fn is_finer(&self, joint: usize, clip: &Clip) -> bool {
        let at = self.base.binary_search_by_key(&joint, |base| base.joint);
        CHANNELS.iter().any(|&channel| {
            let below = at.ok().and_then(|at| channel_of(&self.base[at], channel));
            let above = self.layers.iter().filter_map(|l| l.track(joint, channel));
            let mut above = above.peekable();
            // Without a layer above it, the track below is used as it is.
            if above.peek().is_none() {
                return false;
            }
            let (times, is_curved) = key_times(below.into_iter().chain(above));
            let parts = times.windows(2).map(|pair| parts(pair[0], pair[1]));
            let count = if is_curved { parts.sum() } else { times.len() };
            let tracks = clip.joint(joint);
            let own = tracks.and_then(|tracks| channel_of(tracks, channel));
            // Far from time 0, neighbouring times are rounded to the same key.
            count > 4 * own.map_or(0, Track::keys)
        })
    }

    fn flattened(&self, skeleton: &Skeleton, joint: usize) -> JointTracks {
        self.flattened_after(skeleton, joint, None)
    }

    fn flattened_after(
        &self,
        skeleton: &Skeleton,
        joint: usize,
        earlier: Option<(&Self, &Clip)>,
    ) -> JointTracks {
        let empty = JointTracks {
            joint,
            ..JointTracks::default()
        };
        let base = self.base.binary_search_by_key(&joint, |base| base.joint);
        let base = base.map_or(&empty, |at| &self.base[at]);
        let rest = skeleton.rest().get(joint);
        let flat = |channel: Channel| match earlier {
            Some((before, given)) if self.shares(before, joint, channel) => given
                .joint(joint)
                .and_then(|tracks| channel_of(tracks, channel))
                .cloned(),
            _ => self.channel(base, rest, channel),
        };
        JointTracks {
            joint,
            translation: flat(Channel::Translation),
            rotation: flat(Channel::Rotation),
            scale: flat(Channel::Scale),
        }
    }

    fn channel(&self, base: &JointTracks, rest: Transform, channel: Channel) -> Option<Track> {
        let below = channel_of(base, channel);
        let above: Vec<(&ClipLayer, &Track)> = self
            .layers
            .iter()
            .filter_map(|layer| Some((layer, layer.track(base.joint, channel)?)))
            .collect();
        if above.is_empty() {
            return below.cloned();
        }
        let sources = || below.into_iter().chain(above.iter().map(|above| above.1));
        let is_step = sources().all(|track| track.interpolation() == Interpolation::Step);
        let times = times(sources());
        let mut values = Vec::with_capacity(times.len() * 4);
        for &time in &times {
            let time = f64::from(time);
            let mut value =
                below.map_or_else(|| rest_value(rest, channel), |t| at(t, channel, time));
            for (layer, track) in &above {
                value = over(value, at(track, channel, time), layer, channel);
            }
            if channel == Channel::Rotation {
                value = unit(value);
            }
            values.extend_from_slice(&value[..width(channel)]);
        }
        let interpolation = match (is_step, channel) {
            (true, _) => Interpolation::Step,
            (false, Channel::Rotation) => Interpolation::Slerp,
            (false, _) => Interpolation::Linear,
        };
        // Rounding of finite numbers far apart may overflow; the motion below then stays.
        let made = Track::new(times, values, width(channel), interpolation);
        made.ok().or_else(|| below.cloned())
    }
}

fn put(clip: &mut Clip, tracks: JointTracks) {
    let joint = tracks.joint;
    let is_empty = CHANNELS.iter().all(|&c| channel_of(&tracks, c).is_none());
    if is_empty {
        clip.joints.retain(|tracks| tracks.joint != joint);
    } else {
        *clip.joint_mut(joint) = tracks;
    }
}

fn channel_of(tracks: &JointTracks, channel: Channel) -> Option<&Track> {
    match channel {
        Channel::Translation => tracks.translation.as_ref(),
        Channel::Rotation => tracks.rotation.as_ref(),
        Channel::Scale => tracks.scale.as_ref(),
    }
    .filter(|track| track.width() == width(channel))
}

fn width(channel: Channel) -> usize {
    if channel == Channel::Rotation { 4 } else { 3 }
}

fn rest_value(rest: Transform, channel: Channel) -> [f32; 4] {
    let [x, y, z] = match channel {
        Channel::Translation => rest.translation.to_array(),
        Channel::Scale => rest.scale.to_array(),
        Channel::Rotation => return rest.rotation.to_array(),
    };
    [x, y, z, 0.0]
}

fn at(track: &Track, channel: Channel, time_secs: f64) -> [f32; 4] {
    let mut value = [0.0; 4];
    match (channel, track.sample_rotation(time_secs)) {
        (Channel::Rotation, Some(rotation)) => value = rotation.to_array(),
        _ => track.sample_components(time_secs, &mut value[..3]),
    }
    value
}

/// The rotation, normalised if its length is off by more than rounding, as with keys from integers. Files keep rotations
/// of unit length to the bit.
fn unit(rotation: [f32; 4]) -> [f32; 4] {
    let q = Quat::from_array(rotation);
    if (quat::dot(q, q) - 1.0).abs() > UNIT_TOLERANCE {
        quat::normalized(q).to_array()
    } else {
        rotation
    }
}

/// A layer's value over the value below it.
fn over(below: [f32; 4], value: [f32; 4], layer: &ClipLayer, channel: Channel) -> [f32; 4] {
    let weight = layer.weight;
    let mix = |a: f32, b: f32| a + (b - a) * weight;
    if channel == Channel::Rotation {
        let (below, value) = (Quat::from_array(below), Quat::from_array(value));
        return if layer.additive {
            let part = quat::slerp(Quat::IDENTITY, value, weight);
            quat::normalized(quat::mul(below, part)).to_array()
        } else if weight == 1.0 {
            value.to_array()
        } else {
            quat::slerp(below, value, weight).to_array()
        };
    }
    let mut out = below;
    for (out, value) in out.iter_mut().zip(value) {
        *out = match (layer.additive, channel) {
            (true, Channel::Scale) => *out * mix(1.0, value),
            (true, _) => *out + weight * value,
            (false, _) => mix(*out, value),
        };
    }
    out
}

/// Times of the keys of all sources, and times between them where a source is curved.
fn times<'a>(sources: impl Iterator<Item = &'a Track>) -> Vec<f32> {
    let (times, is_curved) = key_times(sources);
    if !is_curved {
        return times;
    }
    let mut fine = Vec::with_capacity(times.len());
    for pair in times.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let parts = parts(from, to);
        let between = (0..parts).map(|part| from + (to - from) * (part as f32 / parts as f32));
        fine.extend(between);
    }
    fine.extend(times.last());
    fine.dedup();
    fine
}

/// Number of steps between two keys where a source is curved.
fn parts(from: f32, to: f32) -> usize {
    ((to - from) / STEP_SECS).ceil().clamp(1.0, 100_000.0) as usize
}

/// Times of the keys of all sources, and true if a source is curved.
fn key_times<'a>(sources: impl Iterator<Item = &'a Track>) -> (Vec<f32>, bool) {
    let mut times: Vec<f32> = Vec::new();
    let mut is_curved = false;
    for track in sources {
        times.extend_from_slice(track.times());
        let interpolation = track.interpolation();
        is_curved |= !matches!(
            interpolation,
            Interpolation::Step | Interpolation::Linear | Interpolation::Slerp
        );
    }
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    (times, is_curved)
}
