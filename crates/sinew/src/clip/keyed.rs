use super::track::Track;
use std::sync::Arc;

/// Frame that the transforms of a clip are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ClipSpace {
    /// Keys hold `parent_from_joint`.
    #[default]
    Local,
    /// Keys hold `model_from_joint`.
    Model,
}

/// Tracks of one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointTracks {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    /// Translations, three numbers per key.
    pub translation: Option<Track>,
    /// Rotations, four numbers per key: x, y, z, w.
    pub rotation: Option<Track>,
    /// Scales, three numbers per key.
    pub scale: Option<Track>,
}

/// Morph weights of one mesh instance over time.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "blend shape")]
#[doc(alias = "shape key")]
pub struct MorphTrack {
    /// Index in [`crate::Character::nodes`] of the node with the mesh.
    pub node: usize,
    /// One number per target and key.
    pub weights: Track,
}

/// Named continuous signal, for example for a camera, a light or a texture offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name that bindings refer to.
    pub name: String,
    /// Values over time, with any number of values per key.
    pub track: Track,
}

/// Named moment of a clip, for example a footstep or a sound.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "notify")]
#[doc(alias = "animation event")]
pub struct Event {
    /// Seconds from the start of the clip.
    pub time_secs: f32,
    /// Name that bindings refer to.
    pub name: String,
}

/// Editable clip.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "animation")]
#[doc(alias = "action")]
#[doc(alias = "animation sequence")]
pub struct Clip {
    /// Name of the clip.
    pub name: String,
    /// Frame that the transforms are relative to.
    pub space: ClipSpace,
    /// Tracks of joints, in ascending order of joints. A joint has at most one entry.
    pub joints: Vec<JointTracks>,
    /// Morph weights of mesh instances.
    pub morphs: Vec<MorphTrack>,
    /// Continuous signals.
    pub curves: Vec<Curve>,
    /// Events, ascending in time.
    pub events: Vec<Event>,
    /// Duration in seconds. It is not before the last key or event.
    pub duration_secs: f32,
}

impl Clip {
    /// Clip of duration 0 without tracks.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Tracks of a joint. Adds an entry if the joint has none.
    pub fn joint_mut(&mut self, joint: usize) -> &mut JointTracks {
        let index = match self.joints.binary_search_by_key(&joint, |j| j.joint) {
            Ok(index) => index,
            Err(index) => {
                let tracks = JointTracks {
                    joint,
                    ..JointTracks::default()
                };
                self.joints.insert(index, tracks);
                index
            }
        };
        &mut self.joints[index]
    }

    /// Tracks of a joint, if it has any.
    pub fn joint(&self, joint: usize) -> Option<&JointTracks> {
        let index = self.joints.binary_search_by_key(&joint, |j| j.joint).ok()?;
        Some(&self.joints[index])
    }

    /// Inserts an event at its time and extends the duration if needed.
    pub fn add_event(&mut self, time_secs: f32, name: impl Into<String>) {
        let event = Event {
            time_secs,
            name: name.into(),
        };
        let index = self.events.partition_point(|e| e.time_secs <= time_secs);
        self.events.insert(index, event);
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

    /// Sets the duration to the time of the last key or event.
    pub fn fit_duration(&mut self) {
        let keys = self.tracks().map(Track::end_secs);
        let events = self.events.iter().map(|e| e.time_secs);
        self.duration_secs = keys.chain(events).fold(0.0, f32::max);
    }

    /// Size of the keys in memory, in bytes. Times that tracks share count once.
    pub fn bytes(&self) -> usize {
        let arrays = self.tracks().flat_map(|t| [t.times(), t.values()]);
        let mut arrays: Vec<(usize, usize)> = arrays
            .map(|a| (Arc::as_ptr(a).addr(), size_of_val(&***a)))
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays.iter().map(|a| a.1).sum()
    }

    /// Size as vertex animation, in bytes: one position per vertex and distinct key time.
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

    /// Number of scalar channels of all tracks.
    pub fn channels(&self) -> usize {
        self.tracks().map(Track::width).sum()
    }
}
