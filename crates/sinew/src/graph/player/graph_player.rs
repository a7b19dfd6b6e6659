use super::layer_player::{BASE, LayerPlayer};
use super::layering::lay_over;
use super::parameters::{Parameters, blended};
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

/// Event that playback has passed, with the weight of its clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiredEvent<'g> {
    /// Name of the event.
    pub name: &'g str,
    /// Time of the event in the clip, in seconds.
    pub time_secs: f32,
    /// Index of the clip in [`Graph::clips`].
    pub clip: usize,
    /// Index of the layer. 0 is the base layer.
    pub layer: usize,
    /// Weight of the clip during the step, in (0, 1]. A game can ignore footsteps of low weight.
    pub weight: f32,
    /// Payload for events with this name, if any.
    pub payload: Option<&'g EventPayload>,
}

/// Clip that plays now, with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayingClip {
    /// Index of the clip in [`Graph::clips`].
    pub clip: usize,
    /// Index of the layer. 0 is the base layer.
    pub layer: usize,
    /// Weight in (0, 1]. The weights of a layer sum to 1.
    pub weight: f32,
    /// Time in the clip, in seconds.
    pub time_secs: f64,
}

/// State of one character: parameters, states and phases.
///
/// A player from [`Graph::player`] owns a workspace and never allocates. A [`Graph::crowd_player`]
/// borrows a [`Workspace`] and takes less than a kilobyte, plus two poses during inertia.
#[derive(Clone, Debug)]
pub struct GraphPlayer {
    /// Instruction set. Poses are the same for all sets.
    pub level: Level,
    pub(super) graph: Graph,
    pub(super) parameters: Parameters,
    pub(super) layers: Vec<LayerPlayer>,
    /// Joints that clips move. `None` means all joints.
    moved: Option<Arc<JointSet>>,
    scratch: Option<Box<Workspace>>,
}

impl Graph {
    /// Player at the start of the initial states, with its own workspace.
    pub fn player(&self) -> GraphPlayer {
        GraphPlayer::new(self.clone(), Some(Box::new(self.workspace())))
    }

    /// Player without a workspace, for crowds.
    pub fn crowd_player(&self) -> GraphPlayer {
        GraphPlayer::new(self.clone(), None)
    }

    /// Workspace for players of this graph, for one player at a time.
    pub fn workspace(&self) -> Workspace {
        Workspace::new(&self.shared)
    }
}

impl GraphPlayer {
    fn new(graph: Graph, scratch: Option<Box<Workspace>>) -> Self {
        let shared = &graph.shared;
        let layers = 0..shared.layers.len();
        Self {
            level: Level::best(),
            parameters: Parameters::new(shared),
            layers: layers.map(|n| LayerPlayer::new(shared, n)).collect(),
            moved: None,
            scratch,
            graph,
        }
    }

    /// Graph that is played.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Sets a parameter. Poses, curves and weights do not change until the next update.
    ///
    /// # Errors
    /// If the parameter is unknown or the value is not finite.
    pub fn set(&mut self, parameter: &str, value: f32) -> Result<(), PlayError> {
        let index = self.graph.parameter(parameter);
        let index = index
            .ok_or_else(|| PlayError::unknown("parameter", parameter, self.graph.parameters()))?;
        self.set_index(index, value)
    }

    /// Sets a parameter by its index ([`Graph::parameter`]).
    ///
    /// # Errors
    /// If the index is out of range or the value is not finite.
    pub fn set_index(&mut self, parameter: usize, value: f32) -> Result<(), PlayError> {
        let (index, len) = (parameter, self.parameters.set().len());
        PlayError::check_finite("parameter", f64::from(value))?;
        let own = self.parameters.set_mut().get_mut(parameter);
        *own.ok_or(PlayError::NoSuchIndex { index, len })? = value;
        Ok(())
    }

    /// Value of a parameter as set, without smoothing. `None` if the parameter is unknown.
    pub fn get(&self, parameter: &str) -> Option<f32> {
        Some(self.parameters.set()[self.graph.parameter(parameter)?])
    }

    /// Restricts clips to some joints, for distant characters. Other joints stay at rest. `None`
    /// means all joints.
    ///
    /// # Errors
    /// If the set is for another number of joints.
    pub fn move_joints(&mut self, moved: Option<Arc<JointSet>>) -> Result<(), PlayError> {
        let (expected, found) = (self.graph.shared.skeleton.len(), moved.as_ref());
        match found.map(|moved| moved.joints()) {
            Some(found) if found != expected => Err(PlayError::Joints { found, expected }),
            _ => {
                self.moved = moved;
                Ok(())
            }
        }
    }

    /// Name of the state of the base layer. During a transition, name of the new state.
    pub fn state(&self) -> &str {
        self.state_of(BASE)
    }

    /// [`GraphPlayer::state`] of a layer above the base layer. `None` if the layer is unknown.
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

    /// Phase of the motion of the base layer, in cycles. It exceeds 1 after a loop.
    pub fn phase(&self) -> f64 {
        self.layers[BASE].clock.now.phase
    }

    /// True while a layer still shows an earlier state.
    pub fn is_in_transition(&self) -> bool {
        self.layers.iter().any(LayerPlayer::is_in_transition)
    }

    /// Clips that play now, layer by layer. A clip appears once per point of a blend that uses it.
    pub fn playing(&self) -> impl Iterator<Item = PlayingClip> + '_ {
        let graph = &*self.graph.shared;
        let layers = self.layers.iter().enumerate();
        layers.flat_map(move |(layer, player)| {
            let sources = player.sources(graph, self.parameters.shown()).into_iter();
            let playing = sources.filter(|source| source.weight > 0.0);
            playing.map(move |source| PlayingClip {
                clip: source.clip,
                layer,
                weight: source.weight,
                time_secs: source.time_secs(&graph.clips[source.clip]).0,
            })
        })
    }

    /// Root motion of the last update. The new placement of a character is `placement.then(&step)`.
    pub fn root_step(&self) -> Placement {
        self.layers[BASE].root_step
    }

    /// Enters a state of the base layer at `phase` (in cycles) without a transition or events.
    ///
    /// # Errors
    /// If the state is unknown or the phase is not finite.
    pub fn jump(&mut self, state: &str, phase: f64) -> Result<(), PlayError> {
        self.jump_in(BASE, state, phase)
    }

    /// [`GraphPlayer::jump`] for a layer above the base layer.
    ///
    /// # Errors
    /// As [`GraphPlayer::jump`], or if the layer is unknown.
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

    /// Advances by `dt_secs`, makes transitions and reports events, sorted by layer, clip and time.
    /// Timed transitions happen at their exact time. All layers see a trigger before it is reset.
    ///
    /// # Errors
    /// If the time is negative or not finite, or a bound curve ([`Graph::bound`]) is not finite.
    pub fn update(
        &mut self,
        dt_secs: f64,
        fired: impl FnMut(FiredEvent<'_>),
    ) -> Result<(), PlayError> {
        self.with_own_scratch(|player, scratch| player.update_in(scratch, dt_secs, fired))
    }

    /// [`GraphPlayer::update`] in a borrowed workspace.
    ///
    /// # Errors
    /// As [`GraphPlayer::update`], or if the workspace is for another graph.
    pub fn update_in(
        &mut self,
        scratch: &mut Workspace,
        dt_secs: f64,
        mut fired: impl FnMut(FiredEvent<'_>),
    ) -> Result<(), PlayError> {
        self.check_scratch(scratch)?;
        PlayError::check_step(dt_secs)?;
        self.follow_curves(scratch)?;
        let graph = &*self.graph.shared;
        scratch.samples.moved.clone_from(&self.moved);
        self.parameters
            .start_update(graph, dt_secs, &mut scratch.start);
        scratch.left.copy_from_slice(&scratch.start);
        for (index, (player, layer)) in self.layers.iter_mut().zip(&graph.layers).enumerate() {
            scratch.seen.copy_from_slice(&scratch.start);
            let layer_weight = layer.weight(blended(&scratch.start));
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
            let shown = self.parameters.shown();
            player.update(graph, self.level, dt_secs, shown, scratch, &mut fire);
            let seen = scratch.seen.iter().zip(&scratch.start);
            for (left, (after, before)) in scratch.left.iter_mut().zip(seen) {
                if after != before {
                    *left = *after;
                }
            }
        }
        self.parameters.pairs_mut().copy_from_slice(&scratch.left);
        Ok(())
    }

    /// Sets all bound parameters, or no parameter if a curve is not finite.
    fn follow_curves(&mut self, scratch: &mut Workspace) -> Result<(), PlayError> {
        let graph = &*self.graph.shared;
        if graph.bound.is_empty() {
            return Ok(());
        }
        let set = &mut scratch.left[..graph.parameters.len()];
        set.copy_from_slice(self.parameters.set());
        for bound in &graph.bound {
            let (mut value, values) = ([0.0], &mut scratch.values);
            let (layers, shown) = (&self.layers, self.parameters.shown());
            signals::blend_curve(graph, layers, shown, &bound.curve, values, &mut value);
            PlayError::check_finite("parameter", f64::from(value[0]))?;
            set[bound.parameter] = value[0];
        }
        self.parameters.set_mut().copy_from_slice(set);
        Ok(())
    }

    /// Writes the current local pose. [`GraphPlayer::pose`] poses an actor.
    ///
    /// # Errors
    /// If `out` has another number of joints than the skeleton.
    pub fn pose_into(&mut self, out: &mut LocalPose) -> Result<(), PlayError> {
        self.with_own_scratch(|player, scratch| player.pose_into_in(scratch, out))
    }

    /// [`GraphPlayer::pose_into`] in a borrowed workspace.
    ///
    /// # Errors
    /// As [`GraphPlayer::pose_into`], or if the workspace is for another graph.
    pub fn pose_into_in(
        &self,
        scratch: &mut Workspace,
        out: &mut LocalPose,
    ) -> Result<(), PlayError> {
        self.check_scratch(scratch)?;
        let (graph, parameters) = (&*self.graph.shared, self.parameters.shown());
        let (found, expected) = (out.len(), graph.skeleton.len());
        if found != expected {
            return Err(PlayError::Joints { found, expected });
        }
        let level = self.level;
        scratch.samples.moved.clone_from(&self.moved);
        self.layers[BASE].pose(graph, level, parameters, &mut scratch.samples, out);
        for (player, layer) in self.layers.iter().zip(&graph.layers).skip(1) {
            let weight = layer.weight(parameters);
            if weight > 0.0 {
                let samples = &mut scratch.samples;
                player.pose(graph, level, parameters, samples, &mut scratch.layer);
                scratch.below.copy_from(out);
                lay_over(level, layer, weight, graph.skeleton.rest(), scratch, out);
            }
        }
        Ok(())
    }

    pub(super) fn with_own_scratch<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Workspace) -> T,
    ) -> T {
        let scratch = self.scratch.take();
        let mut scratch = scratch.unwrap_or_else(|| Box::new(self.graph.workspace()));
        let done = work(self, &mut scratch);
        self.scratch = Some(scratch);
        done
    }

    pub(super) fn check_scratch(&self, scratch: &Workspace) -> Result<(), PlayError> {
        if Arc::ptr_eq(&scratch.graph, &self.graph.shared) {
            Ok(())
        } else {
            Err(PlayError::OtherWorkspace)
        }
    }
}
