use super::actor::Actor;
use super::error::ActorError;
use super::shared::Rig;
use crate::graph::{Graph, GraphError, GraphPlayer, StateMachine};
use std::sync::Arc;

impl StateMachine {
    /// Graph with the clips, skeleton and parameter bindings ([`Graph::bound`]) of a rig.
    ///
    /// # Errors
    /// [`GraphError`] for an unknown name or an invalid number.
    pub fn build(&self, rig: &Rig) -> Result<Graph, GraphError> {
        Graph::new(self, &rig.shared.skeleton, rig.clips())?.bound(rig.bindings())
    }
}

impl GraphPlayer {
    /// Poses an actor and sets its morph weights. [`GraphPlayer::pose_into`] writes only the pose.
    ///
    /// # Errors
    /// If the actor belongs to another rig than the graph.
    pub fn pose(&mut self, actor: &mut Actor) -> Result<(), ActorError> {
        let (own, expected) = (self.graph().skeleton(), &actor.rig().shared.skeleton);
        if !Arc::ptr_eq(own, expected) {
            return Err(ActorError::OtherRig {
                found: own.len(),
                expected: expected.len(),
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
