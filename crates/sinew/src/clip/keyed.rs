//! An editable clip: tracks of keys for joints, morph weights and curves, and events.

use super::track::Track;
use std::sync::Arc;

/// The frame that the transforms of a clip are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ClipSpace {
    /// Keys hold `parent_from_joint`.
    #[default]
    Local,
    /// Keys hold `model_from_joint`.
    Model,
}

/// The tracks of one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointTracks {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    /// Three numbers a key.
    pub translation: Option<Track>,
    /// Four numbers a key: x, y, z, w.
    pub rotation: Option<Track>,
    /// Three numbers a key.
    pub scale: Option<Track>,
}

/// The morph weights of one mesh instance over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// Index of the node that carries the mesh, in [`crate::Character::nodes`].
    pub node: usize,
    /// One number a target a key.
    pub weights: Track,
}

/// A named signal that moves smoothly along with the motion: a camera, a light, a texture offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The name that the engine knows it by.
    pub name: String,
    /// Any width.
    pub track: Track,
}

/// A discrete signal in a clip: a footstep, a sound, a puff of dust.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its time from the clip's start.
    pub time_secs: f32,
    /// The name that the engine knows it by.
    pub name: String,
}

/// An editable clip.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Clip {
    /// Its name.
    pub name: String,
    /// The frame of its transforms: the parent's or the model's.
    pub space: ClipSpace,
    /// At most one entry a joint, in ascending order of joints.
    pub joints: Vec<JointTracks>,
    /// Morph weights.
    pub morphs: Vec<MorphTrack>,
    /// Continuous extra channels.
    pub curves: Vec<Curve>,
    /// Discrete signals, ascending in time.
    pub events: Vec<Event>,
    /// Its length: at least the last key of every track and the last event.
    pub duration_secs: f32,
}

impl Clip {
    /// A clip without tracks.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// The tracks of a joint, made when there are none.
    pub fn joint_mut(&mut self, joint: usize) -> &mut JointTracks {
        let place = match self.joints.binary_search_by_key(&joint, |j| j.joint) {
            Ok(place) => place,
            Err(place) => {
                let tracks = JointTracks {
                    joint,
                    ..JointTracks::default()
                };
                self.joints.insert(place, tracks);
                place
            }
        };
        &mut self.joints[place]
    }

    /// The tracks of a joint, if it has any.
    pub fn joint(&self, joint: usize) -> Option<&JointTracks> {
        let place = self.joints.binary_search_by_key(&joint, |j| j.joint).ok()?;
        Some(&self.joints[place])
    }

    /// Adds an event, in its place in time.
    pub fn add_event(&mut self, time_secs: f32, name: impl Into<String>) {
        let event = Event {
            time_secs,
            name: name.into(),
        };
        let place = self.events.partition_point(|e| e.time_secs <= time_secs);
        self.events.insert(place, event);
        self.duration_secs = self.duration_secs.max(time_secs);
    }

    /// Every track of the clip.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> {
        let joints = self
            .joints
            .iter()
            .flat_map(|j| [&j.translation, &j.rotation, &j.scale])
            .flatten();
        let morphs = self.morphs.iter().map(|m| &m.weights);
        joints
            .chain(morphs)
            .chain(self.curves.iter().map(|c| &c.track))
    }

    /// Sets the duration to the last key or event.
    pub fn fit_duration(&mut self) {
        let keys = self.tracks().map(Track::end_secs);
        let events = self.events.iter().map(|e| e.time_secs);
        self.duration_secs = keys.chain(events).fold(0.0, f32::max);
    }

    /// Memory of its keys, in bytes; times shared between tracks count once.
    pub fn bytes(&self) -> usize {
        let arrays = self.tracks().flat_map(|t| [t.times(), t.values()]);
        let mut arrays: Vec<(usize, usize)> = arrays
            .map(|a| (Arc::as_ptr(a).addr(), size_of_val(&***a)))
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays.iter().map(|a| a.1).sum()
    }

    /// Memory of the same motion as vertex animation, in bytes: a position for each of `vertices` at every
    /// time at which a track has a key.
    pub fn bytes_as_vertices(&self, vertices: usize) -> usize {
        let mut times: Vec<f32> = self
            .tracks()
            .flat_map(|t| t.times().iter().copied())
            .collect();
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
        let frame = vertices.saturating_mul(size_of::<glam::Vec3>());
        times.len().saturating_mul(frame)
    }

    /// The number of scalar channels: rows of the uncompressed stream.
    pub fn channels(&self) -> usize {
        self.tracks().map(Track::width).sum()
    }
}
