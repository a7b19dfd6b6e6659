//! Clocks on a rig's clips: one clip, or a state machine over all of them.

use super::actor::{Actor, ActorError};
use super::{Rig, RigError};
use crate::clip::{Event, Playable, Player, Wrap};
use crate::graph::{Description, Fired, Graph, GraphPlayer, Stage};
use crate::root_motion::Placement;
use std::sync::Arc;

/// Where a clip of a rig is being played.
#[derive(Clone, Debug)]
pub struct ClipPlayer {
    rig: Rig,
    clip: usize,
    player: Player,
}

impl ClipPlayer {
    pub(super) fn new(rig: Rig, clip: usize) -> Self {
        let player = Player::new(Wrap::Loop);
        Self { rig, clip, player }
    }

    /// The same player past the ends of its clip.
    pub fn wrapping(mut self, wrap: Wrap) -> Self {
        self.player.wrap = wrap;
        self
    }

    /// The clip.
    pub fn clip(&self) -> &dyn Playable {
        &*self.rig.clips()[self.clip]
    }

    /// Clip seconds per second; negative plays backwards.
    pub fn set_speed(&mut self, speed: f64) {
        self.player.speed = speed;
    }

    /// Plays on, and gives every event crossed.
    pub fn advance(&mut self, dt_secs: f64, fire: impl FnMut(&Event)) {
        let clip = &*self.rig.shared.clips[self.clip];
        self.player.advance(clip, dt_secs, fire);
    }

    /// Jumps to a time; nothing fires.
    pub fn seek(&mut self, time_secs: f64) {
        let clip = &*self.rig.shared.clips[self.clip];
        self.player.seek(clip, time_secs);
    }

    /// The time that is played, within the clip.
    pub fn clip_time_secs(&self) -> f64 {
        self.player.clip_time_secs(self.clip())
    }

    pub(super) fn rig(&self) -> &Rig {
        &self.rig
    }
}

/// A checked state machine over the clips of a rig, shared by all who play it.
#[derive(Clone, Debug)]
pub struct StateMachine {
    rig: Rig,
    graph: Arc<Graph>,
}

impl StateMachine {
    pub(super) fn new(rig: Rig, description: &Description) -> Result<Self, RigError> {
        let graph = Arc::new(description.build(rig.clips())?);
        Ok(Self { rig, graph })
    }

    /// One character's way through it.
    pub fn player(&self) -> MachinePlayer {
        let player = GraphPlayer::new(&stage(&self.rig, &self.graph));
        MachinePlayer {
            machine: self.clone(),
            player,
        }
    }

    /// The graph itself.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

fn stage<'a>(rig: &'a Rig, graph: &'a Graph) -> Stage<'a, Arc<dyn Playable>> {
    Stage {
        graph,
        clips: rig.clips(),
        skeleton: rig.skeleton(),
    }
}

/// One character's state in a [`StateMachine`]. It knows its clips and skeleton.
#[derive(Clone, Debug)]
pub struct MachinePlayer {
    machine: StateMachine,
    player: GraphPlayer,
}

impl MachinePlayer {
    /// Sets a parameter; what is not finite is ignored.
    ///
    /// # Errors
    /// When the machine has no such parameter.
    pub fn set(&mut self, parameter: &str, value: f32) -> Result<(), ActorError> {
        let Some(index) = self.machine.graph.parameter(parameter) else {
            let name = parameter.to_owned();
            return Err(ActorError::NoSuchParameter { name });
        };
        self.player.set(index, value);
        Ok(())
    }

    /// The name of the state that is played or on its way in.
    pub fn state(&self) -> &str {
        self.machine.graph.state_name(self.player.state())
    }

    /// Plays on, takes transitions on the way, and gives every event crossed with the weight of its clip.
    pub fn update(&mut self, dt_secs: f64, fire: impl FnMut(Fired<'_>)) {
        let stage = stage(&self.machine.rig, &self.machine.graph);
        self.player.update(&stage, dt_secs, fire);
    }

    /// How far the character went in the last update, for a machine with root motion.
    pub fn root_step(&self) -> Placement {
        self.player.root_step()
    }

    /// Poses an actor as it is now.
    ///
    /// # Errors
    /// When the actor is of another rig.
    pub fn pose(&mut self, actor: &mut Actor) -> Result<(), ActorError> {
        actor.check(&self.machine.rig)?;
        let stage = stage(&self.machine.rig, &self.machine.graph);
        self.player.pose(&stage, actor.pose_mut());
        Ok(())
    }
}
