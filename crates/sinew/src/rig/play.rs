//! What plays a rig's clips: a clock on one of them, or a state machine over all.

use super::Rig;
use super::actor::{Actor, ActorError};
use crate::clip::{Event, Playable, Player, Wrap};
use crate::graph::{Graph, GraphError, GraphPlayer, StateMachine};
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

impl StateMachine {
    /// A graph over the clips and the skeleton of a rig, whose players pose its actors. Parameters that curves are bound
    /// to ([`Rig::bindings`]) follow them ([`Graph::bound`]).
    ///
    /// # Errors
    /// [`GraphError`] when the machine or a binding names what is not there, or a number makes no sense.
    pub fn build(&self, rig: &Rig) -> Result<Graph, GraphError> {
        Graph::new(self, &rig.shared.skeleton, rig.clips())?.bound(rig.bindings())
    }
}

impl GraphPlayer {
    /// Poses an actor as it is now, morph targets too. [`GraphPlayer::pose_into`] writes the pose alone.
    ///
    /// # Errors
    /// When the actor is of another rig than the graph.
    pub fn pose(&mut self, actor: &mut Actor) -> Result<(), ActorError> {
        let (own, wanted) = (self.graph().skeleton(), &actor.rig().shared.skeleton);
        if !Arc::ptr_eq(own, wanted) {
            return Err(ActorError::OtherRig {
                found: own.len(),
                wanted: wanted.len(),
            });
        }
        let pose = actor.pose_mut();
        pose.resize(self.graph().skeleton().len());
        self.pose_into(pose)?;
        actor.set_morph_weights(|node, rest, out| self.morph_weights(node, rest, out));
        actor.bind_morphs(|curve| self.number(curve));
        Ok(())
    }
}
