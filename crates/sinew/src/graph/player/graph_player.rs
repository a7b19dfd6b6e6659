//! One character's way through a graph.

use super::layer_player::{BASE, LayerPlayer};
use super::layering::lay_over;
use super::signals;
use super::workspace::Workspace;
use crate::clip::Event;
use crate::graph::checked::Graph;
use crate::graph::error::PlayError;
use crate::graph::machine::EventPayload;
use crate::pose::{JointSet, LocalPose};
use crate::root_motion::Placement;
use sinew_math::simd::Level;
use std::sync::Arc;

/// An event that was crossed, and how much its clip counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiredEvent<'g> {
    /// Its name in the clip.
    pub name: &'g str,
    /// Its time in the clip.
    pub time_secs: f32,
    /// Index of the clip, in [`Graph::clips`].
    pub clip: usize,
    /// Index of the layer that plays it; 0 is the base layer.
    pub layer: usize,
    /// The part of the pose that its clip was in the step, over 0 to 1: a footstep in a twentieth of a pose need
    /// not sound.
    pub weight: f32,
    /// The payload that the state machine passes on with events of this name.
    pub payload: Option<&'g EventPayload>,
}

/// A clip that plays, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayingClip {
    /// Index of the clip, in [`Graph::clips`].
    pub clip: usize,
    /// Index of the layer that plays it; 0 is the base layer.
    pub layer: usize,
    /// Its weight among the clips of its layer, over 0. Those of a layer sum to 1.
    pub weight: f32,
    /// Its time.
    pub time_secs: f64,
}

/// Parameters, states and how far they are played: one character.
///
/// A hero ([`Graph::player`]) has a workspace of its own, and nothing it does allocates. One of a crowd
/// ([`Graph::crowd_player`]) is its state alone, well under a kilobyte, and is lent a [`Workspace`] per thread; while
/// the inertia of a switch lasts it holds two poses from the workspace's stock.
#[derive(Clone, Debug)]
pub struct GraphPlayer {
    /// The instruction set, which changes no bit of the poses.
    pub level: Level,
    pub(super) graph: Graph,
    pub(super) parameters: Vec<f32>,
    /// The base layer first.
    pub(super) layers: Vec<LayerPlayer>,
    /// Joints that its clips move; all without.
    moved: Option<Arc<JointSet>>,
    /// Its own, unless it is lent one.
    room: Option<Box<Workspace>>,
}

impl Graph {
    /// One character's way through it, at the start of its first states.
    pub fn player(&self) -> GraphPlayer {
        GraphPlayer::new(self.clone(), Some(Box::new(self.workspace())))
    }

    /// The same without a workspace of its own, to be lent one: its state is all that it takes.
    pub fn crowd_player(&self) -> GraphPlayer {
        GraphPlayer::new(self.clone(), None)
    }

    /// Room for players of this graph to work in, one after the other.
    pub fn workspace(&self) -> Workspace {
        Workspace::new(&self.shared)
    }
}

impl GraphPlayer {
    fn new(graph: Graph, room: Option<Box<Workspace>>) -> Self {
        let shared = &graph.shared;
        let layers = 0..shared.layers.len();
        Self {
            level: Level::best(),
            parameters: shared.parameters.iter().map(|p| p.value).collect(),
            layers: layers.map(|n| LayerPlayer::new(shared, n)).collect(),
            moved: None,
            room,
            graph,
        }
    }

    /// The graph that it plays.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// When the graph has no such parameter, or the value is not finite.
    pub fn set(&mut self, parameter: &str, value: f32) -> Result<(), PlayError> {
        let index = self.graph.parameter(parameter);
        let index = index
            .ok_or_else(|| PlayError::unknown("parameter", parameter, self.graph.parameters()))?;
        self.set_index(index, value)
    }

    /// Sets a parameter by its index ([`Graph::parameter`]).
    ///
    /// # Errors
    /// As [`GraphPlayer::set`].
    pub fn set_index(&mut self, parameter: usize, value: f32) -> Result<(), PlayError> {
        let (index, len) = (parameter, self.parameters.len());
        PlayError::check_finite("parameter", f64::from(value))?;
        let own = self.parameters.get_mut(parameter);
        *own.ok_or(PlayError::NoSuchIndex { index, len })? = value;
        Ok(())
    }

    /// A parameter's value; `None` when there is no such parameter.
    pub fn get(&self, parameter: &str) -> Option<f32> {
        Some(self.parameters[self.graph.parameter(parameter)?])
    }

    /// Lets clips move some joints only, and leaves the others at rest: who is far
    /// away needs no fingers. All joints without.
    ///
    /// # Errors
    /// When it is a set of another skeleton's joints.
    pub fn move_joints(&mut self, moved: Option<Arc<JointSet>>) -> Result<(), PlayError> {
        let (wanted, found) = (self.graph.shared.skeleton.len(), moved.as_ref());
        match found.map(|moved| moved.joints()) {
            Some(found) if found != wanted => Err(PlayError::Joints { found, wanted }),
            _ => {
                self.moved = moved;
                Ok(())
            }
        }
    }

    /// The name of the base layer's state that is played or on its way in.
    pub fn state(&self) -> &str {
        self.state_of(BASE)
    }

    /// The same of a layer on top; `None` when there is no layer of that name.
    pub fn layer_state(&self, layer: &str) -> Option<&str> {
        Some(self.state_of(self.layer_index(layer)?))
    }

    fn state_of(&self, layer: usize) -> &str {
        let state = self.layers[layer].clock.now.state;
        &self.graph.shared.layers[layer].states[state].name
    }

    fn layer_index(&self, name: &str) -> Option<usize> {
        Some(1 + self.graph.layers().position(|layer| layer == name)?)
    }

    /// The number of times through the base layer's motion, counted on over loops.
    pub fn phase(&self) -> f64 {
        self.layers[BASE].clock.now.phase
    }

    /// True while something of an earlier state still shows, in any layer.
    pub fn is_in_transition(&self) -> bool {
        self.layers.iter().any(LayerPlayer::is_in_transition)
    }

    /// The clips that play now, layer by layer. A clip that several points of a blend name is there once for each.
    pub fn playing(&self) -> impl Iterator<Item = PlayingClip> + '_ {
        let graph = &*self.graph.shared;
        let layers = self.layers.iter().enumerate();
        layers.flat_map(move |(layer, player)| {
            let sources = player.sources(graph, &self.parameters).into_iter();
            let playing = sources.filter(|source| source.weight > 0.0);
            playing.map(move |source| PlayingClip {
                clip: source.clip,
                layer,
                weight: source.weight,
                time_secs: source.time_secs(&graph.clips[source.clip]).0,
            })
        })
    }

    /// The way that the character went in the last update, for a graph with root motion: its placement in the
    /// world is `placement.then(&step)`.
    pub fn root_step(&self) -> Placement {
        self.layers[BASE].root_step
    }

    /// Goes straight to a state of the base layer, so many times through its motion, without a transition or an event.
    ///
    /// # Errors
    /// When there is no such state, or the phase is not finite.
    pub fn jump(&mut self, state: &str, phase: f64) -> Result<(), PlayError> {
        self.jump_in(BASE, state, phase)
    }

    /// The same for a layer on top.
    ///
    /// # Errors
    /// As [`GraphPlayer::jump`], and when there is no such layer.
    pub fn jump_layer(&mut self, layer: &str, state: &str, phase: f64) -> Result<(), PlayError> {
        let index = self.layer_index(layer);
        let index = index.ok_or_else(|| PlayError::unknown("layer", layer, self.graph.layers()))?;
        self.jump_in(index, state, phase)
    }

    fn jump_in(&mut self, layer: usize, state: &str, phase: f64) -> Result<(), PlayError> {
        PlayError::check_finite("phase", phase)?;
        let states = &self.graph.shared.layers[layer].states;
        let names = states.iter().map(|state| state.name.as_str());
        let index = names.clone().position(|name| name == state);
        let index = index.ok_or_else(|| PlayError::unknown("state", state, names))?;
        self.layers[layer].jump(index, phase);
        Ok(())
    }

    /// Plays on by `dt_secs`, takes transitions on the way and gives every event crossed: layer by layer, clip by
    /// clip, in the order of crossing. What depends on time alone happens at its moment and not at the end of the
    /// step. A trigger is seen by all layers, and reset when one has used it.
    ///
    /// # Errors
    /// When the time is not finite or negative, or a curve that a parameter follows ([`Graph::bound`]) is not finite; nothing
    /// is played then.
    pub fn update(
        &mut self,
        dt_secs: f64,
        fired: impl FnMut(FiredEvent<'_>),
    ) -> Result<(), PlayError> {
        self.with_own_room(|player, room| player.update_in(room, dt_secs, fired))
    }

    /// [`GraphPlayer::update`] in a workspace that is lent.
    ///
    /// # Errors
    /// As there, and when the workspace is of another graph.
    pub fn update_in(
        &mut self,
        room: &mut Workspace,
        dt_secs: f64,
        mut fired: impl FnMut(FiredEvent<'_>),
    ) -> Result<(), PlayError> {
        self.check_room(room)?;
        PlayError::check_step(dt_secs)?;
        self.follow_curves(room)?;
        let graph = &*self.graph.shared;
        room.samples.moved.clone_from(&self.moved);
        room.left.copy_from_slice(&self.parameters);
        for (index, (player, layer)) in self.layers.iter_mut().zip(&graph.layers).enumerate() {
            room.seen.copy_from_slice(&self.parameters);
            let layer_weight = layer.weight(&self.parameters);
            let mut fire = |event: &Event, clip: usize, weight: f32| {
                let payload = graph.payloads.iter().find(|p| p.event == event.name);
                let weight = weight * layer_weight;
                if weight > 0.0 {
                    fired(FiredEvent {
                        name: &event.name,
                        time_secs: event.time_secs,
                        clip,
                        layer: index,
                        weight,
                        payload,
                    });
                }
            };
            player.update(graph, self.level, dt_secs, room, &mut fire);
            let seen = room.seen.iter().zip(&self.parameters);
            for (left, (after, before)) in room.left.iter_mut().zip(seen) {
                if after != before {
                    *left = *after;
                }
            }
        }
        self.parameters.copy_from_slice(&room.left);
        Ok(())
    }

    /// Sets the parameters that follow curves.
    fn follow_curves(&mut self, room: &mut Workspace) -> Result<(), PlayError> {
        let graph = Arc::clone(&self.graph.shared);
        for bound in &graph.bound {
            let (mut value, values) = ([0.0], &mut room.values);
            let (layers, parameters) = (&self.layers, &self.parameters);
            signals::blend_curve(&graph, layers, parameters, &bound.curve, values, &mut value);
            self.set_index(bound.parameter, value[0])?;
        }
        Ok(())
    }

    /// Writes the pose of this moment. [`GraphPlayer::pose`] poses an actor.
    ///
    /// # Errors
    /// When `out` has another number of joints than the graph's skeleton.
    pub fn pose_into(&mut self, out: &mut LocalPose) -> Result<(), PlayError> {
        self.with_own_room(|player, room| player.pose_into_in(room, out))
    }

    /// [`GraphPlayer::pose_into`] in a workspace that is lent.
    ///
    /// # Errors
    /// As there, and when the workspace is of another graph.
    pub fn pose_into_in(&self, room: &mut Workspace, out: &mut LocalPose) -> Result<(), PlayError> {
        self.check_room(room)?;
        let (graph, parameters) = (&*self.graph.shared, &self.parameters);
        let (found, wanted) = (out.len(), graph.skeleton.len());
        if found != wanted {
            return Err(PlayError::Joints { found, wanted });
        }
        let level = self.level;
        room.samples.moved.clone_from(&self.moved);
        self.layers[BASE].pose(graph, level, parameters, &mut room.samples, out);
        for (player, layer) in self.layers.iter().zip(&graph.layers).skip(1) {
            let weight = layer.weight(parameters);
            if weight > 0.0 {
                let samples = &mut room.samples;
                player.pose(graph, level, parameters, samples, &mut room.layer);
                room.below.copy_from(out);
                lay_over(level, layer, weight, graph.skeleton.rest(), room, out);
            }
        }
        Ok(())
    }

    /// Works in its own workspace, made now if it was only lent one so far.
    pub(super) fn with_own_room<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Workspace) -> T,
    ) -> T {
        let room = self.room.take();
        let mut room = room.unwrap_or_else(|| Box::new(self.graph.workspace()));
        let done = work(self, &mut room);
        self.room = Some(room);
        done
    }

    pub(super) fn check_room(&self, room: &Workspace) -> Result<(), PlayError> {
        if Arc::ptr_eq(&room.graph, &self.graph.shared) {
            Ok(())
        } else {
            Err(PlayError::OtherWorkspace)
        }
    }
}
