//! State machines over the clips of a rig, whose players pose its actors.

use super::actor::Actor;
use super::error::ActorError;
use super::shared::Rig;
use crate::graph::{Graph, GraphError, GraphPlayer, StateMachine};
use std::sync::Arc;

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
