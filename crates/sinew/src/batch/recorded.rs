//! A state machine that plays from its start, kept as a clip.

use super::error::BatchError;
use super::frames::{Frames, Translations};
use crate::character::Character;
use crate::clip::{Clip, Curve, Event, Interpolation, MorphTrack, Track};
use crate::graph::{Graph, GraphPlayer, PlayError};
use crate::pose::LocalPose;
use crate::root_motion::Placement;
use sinew_math::transform::{Axis, quat};
use thiserror::Error;

/// Max number of frames of a recording.
const MAX_FRAMES: f64 = 100_000.0;

/// Weight above which an event of a blended clip is kept.
const HEARD: f32 = 0.5;

/// Value that a parameter gets at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Name of the parameter.
    pub parameter: String,
    /// Value from then on.
    pub value: f32,
    /// Seconds from the start.
    pub at_secs: f64,
}

/// State that a layer entered.
#[derive(Clone, Debug, PartialEq)]
pub struct Entered {
    /// Seconds from the start, up to one frame late.
    pub time_secs: f64,
    /// Name of the layer. `None` for the base layer.
    pub layer: Option<String>,
    /// Name of the state.
    pub state: String,
}

/// Poses and states of a state machine over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Poses, morph weights, curves and events, with a key per frame.
    pub clip: Clip,
    /// States in the order in which they were entered, the initial states first.
    pub entered: Vec<Entered>,
}

/// Error of [`Graph::record`].
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Number of frames that is not from 1 to 100 000.
    #[error("{duration_secs} s at {fps} frames per second is not from 1 to 100000 frames")]
    Frames {
        /// Duration in seconds.
        duration_secs: f64,
        /// Frames per second.
        fps: f64,
    },
    /// Unknown parameter, or a number that is not finite.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Poses that are not finite.
    #[error(transparent)]
    Clip(#[from] BatchError),
}

impl Graph {
    /// Plays the graph from its start, sets parameters at their times, and keeps each frame as a key
    /// of a clip. With root motion ([`Graph::with_root_joint`]), the clip travels. `character` is the
    /// one whose clips are played.
    ///
    /// # Errors
    /// [`RecordError`] for too many frames, an unknown parameter, or numbers that are not finite.
    pub fn record(
        &self,
        character: &Character,
        settings: &[Setting],
        duration_secs: f64,
        fps: f64,
    ) -> Result<Recording, RecordError> {
        let frames = (duration_secs * fps).round();
        if !(1.0..=MAX_FRAMES).contains(&frames) {
            return Err(RecordError::Frames { duration_secs, fps });
        }
        let mut settings = settings.to_vec();
        settings.sort_by(|a, b| a.at_secs.total_cmp(&b.at_secs));
        let mut recorder = Recorder::new(self, character);
        for setting in &settings {
            // Also those after the end must be right.
            let now = recorder.player.get(&setting.parameter).unwrap_or(0.0);
            recorder.player.set(&setting.parameter, now)?;
        }
        let mut left = settings.iter().peekable();
        for frame in 0..=frames as u64 {
            let end = frame as f64 / fps;
            while let Some(setting) = left.next_if(|setting| setting.at_secs <= end) {
                recorder.advance(setting.at_secs)?;
                recorder.player.set(&setting.parameter, setting.value)?;
            }
            recorder.advance(end)?;
            recorder.keep()?;
        }
        recorder.finish()
    }
}

struct Recorder<'a> {
    character: &'a Character,
    player: GraphPlayer,
    layers: Vec<Option<String>>,
    now_secs: f64,
    placement: Placement,
    pose: LocalPose,
    times: Vec<f32>,
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    scales: Vec<[f32; 3]>,
    /// Nodes whose morph weights a clip moves, with the weights of all frames.
    morphs: Vec<(usize, Vec<f32>)>,
    curves: Vec<(String, usize, Vec<f32>)>,
    events: Vec<Event>,
    entered: Vec<Entered>,
}

impl<'a> Recorder<'a> {
    fn new(graph: &Graph, character: &'a Character) -> Self {
        let clips = graph.clips().iter();
        let tracks = clips.flat_map(|clip| clip.morphs());
        let mut nodes: Vec<usize> = tracks.map(|track| track.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let curves = graph.curves().iter();
        let above = graph.layers().map(|layer| Some(layer.to_owned()));
        Self {
            character,
            player: graph.player(),
            layers: std::iter::once(None).chain(above).collect(),
            now_secs: 0.0,
            placement: Placement::identity(Axis::Y),
            pose: LocalPose::identity(graph.skeleton().len()),
            times: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            morphs: nodes.into_iter().map(|node| (node, Vec::new())).collect(),
            curves: curves
                .map(|curve| (curve.name.clone(), curve.width, Vec::new()))
                .collect(),
            events: Vec::new(),
            entered: Vec::new(),
        }
    }

    fn advance(&mut self, until_secs: f64) -> Result<(), RecordError> {
        let dt_secs = (until_secs - self.now_secs).max(0.0);
        self.now_secs = self.now_secs.max(until_secs);
        let (events, now) = (&mut self.events, self.now_secs as f32);
        self.player.update(dt_secs, |event| {
            if event.weight > HEARD {
                events.push(Event {
                    time_secs: now,
                    name: event.name.to_owned(),
                });
            }
        })?;
        let step = self.player.root_step();
        self.placement = match self.placement.up == step.up {
            true => self.placement.then(&step),
            false => step,
        };
        for layer in &self.layers {
            let state = match layer {
                None => self.player.state(),
                Some(layer) => self.player.layer_state(layer).unwrap_or_default(),
            };
            let mut before = self.entered.iter().rev();
            let last = before.find(|entered| entered.layer == *layer);
            if last.is_none_or(|last| last.state != state) {
                self.entered.push(Entered {
                    time_secs: self.now_secs,
                    layer: layer.clone(),
                    state: state.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), RecordError> {
        self.player.pose_into(&mut self.pose)?;
        let placement = self.placement.to_transform();
        let mut root = self.pose.get(0);
        root.translation =
            quat::rotate(placement.rotation, root.translation) + placement.translation;
        root.rotation = quat::mul(placement.rotation, root.rotation);
        self.pose.set(0, root);
        self.times.push(self.now_secs as f32);
        for joint in 0..self.pose.len() {
            let local = self.pose.get(joint);
            self.translations.push(local.translation.to_array());
            self.rotations.push(local.rotation.to_array());
            self.scales.push(local.scale.to_array());
        }
        for (node, weights) in &mut self.morphs {
            let rest = self.character.rest_morph_weights(*node);
            let mesh = self.character.nodes[*node].mesh;
            let targets = mesh.map_or(0, |mesh| self.character.meshes[mesh].morph_targets());
            let mut now = vec![0.0; targets];
            self.player.morph_weights(*node, rest, &mut now);
            weights.extend(now);
        }
        for (name, width, values) in &mut self.curves {
            let mut now = vec![0.0; *width];
            self.player.curve(name, &mut now)?;
            values.extend(now);
        }
        Ok(())
    }

    fn finish(self) -> Result<Recording, RecordError> {
        let frames = Frames {
            rotations: &self.rotations,
            translations: Translations::All(&self.translations),
            scales: Some(&self.scales),
        };
        let joints = self.pose.len();
        let mut clip = Clip::from_frames("machine", self.times.clone(), joints, &frames)?;
        let track = |values: Vec<f32>| {
            let width = values.len() / self.times.len();
            let track = Track::new(self.times.clone(), values, width, Interpolation::Linear);
            track.map_err(BatchError::Times)
        };
        for (node, weights) in self.morphs.into_iter().filter(|(_, all)| !all.is_empty()) {
            let weights = track(weights)?;
            clip.morphs.push(MorphTrack { node, weights });
        }
        for (name, _, values) in self.curves {
            let track = track(values)?;
            clip.curves.push(Curve { name, track });
        }
        clip.events = self.events;
        Ok(Recording {
            clip,
            entered: self.entered,
        })
    }
}
