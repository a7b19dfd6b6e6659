//! State machines that play clips: states, transitions, blends over one or two parameters, layers.
//!
//! A [`StateMachine`] is data, made by the builder or read from JSON (`StateMachine::from_json`, feature `json`). A [`Graph`] is the same checked, over the clips
//! and the skeleton that it plays, shared by all who play it. A [`GraphPlayer`] is one character's state: it is given
//! time and parameters, and gives poses, events with the weight of the clip that they are in, steps of root motion,
//! curves and morph weights.
//!
//! ```
//! use sinew::blend::Ease;
//! use sinew::graph::{Condition, State, StateMachine, Transition};
//! use sinew::{Method, Rig};
//! let person = sinew_samples::mannequin::Mannequin::default().build();
//! let rig = Rig::new(&person, Method::DualQuat)?;
//! let graph = StateMachine::new()
//!     .parameter("speed", 0.0)
//!     .state(State::clip("stand", "idle"))
//!     .state(State::blend("move", "speed", &[(1.4, "walk"), (3.5, "run")]))
//!     .transition(Transition::new("stand", "move").when(Condition::above("speed", 0.1)).inertia(0.3))
//!     .transition(
//!         Transition::new("move", "stand")
//!             .when(Condition::below("speed", 0.1))
//!             .cross_fade(0.5, Ease::Smooth),
//!     )
//!     .build(&rig)?;
//! let (mut player, mut hero) = (graph.player(), rig.actor());
//! player.set("speed", 1.5)?;
//! for _ in 0..60 {
//!     player.update(1.0 / 60.0, |event| {
//!         if event.weight > 0.5 { /* play the sound of event.name */ }
//!     })?;
//!     player.pose(&mut hero)?;
//! }
//! assert_eq!(player.state(), "move");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A thousand of them need no thousand workspaces: [`Graph::crowd_player`] is the state alone, and
//! [`CrowdPlayer`](crate::rig::CrowdPlayer) plays many over all cores.
//!
//! `cargo run --example state_machine`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/state_machine.rs")]
#![doc = "```"]

mod blend_space;
mod bound;
mod build;
mod checked;
mod clock;
mod context;
mod error;
#[cfg(feature = "json")]
mod json;
mod layer;
mod layer_player;
mod layering;
mod player;
mod signals;
mod sources;
mod state_machine;
mod workspace;

pub use checked::CurveInfo;
pub use error::{GraphError, PlayError};
#[cfg(feature = "json")]
pub use json::JsonError;
pub use layer::{EventPayload, GraphLayer, LayerMode, MaskPart, Reference};
pub use player::{FiredEvent, GraphPlayer, PlayingClip};
pub use state_machine::{
    Condition, Motion, Parameter, Point, Point2d, Start, State, StateMachine, Transition,
    TransitionKind,
};
pub use workspace::Workspace;

use crate::clip::Playable;
use crate::root_motion::RootMotion;
use crate::skeleton::Skeleton;
use checked::Shared;
use std::sync::Arc;

/// A checked state machine with the clips and the skeleton that it plays. Clones share all of it.
#[derive(Clone, Debug)]
pub struct Graph {
    shared: Arc<Shared>,
}

impl Graph {
    /// The same graph, with root motion taken out of its poses: one [`RootMotion`] per clip, all of the same
    /// joint and axes. The base layer moves the character; the others play in place.
    ///
    /// # Errors
    /// When there is not one for each clip, or one is of another joint, of other axes or of no joint of the skeleton.
    pub fn with_root_motion(mut self, motions: Vec<RootMotion>) -> Result<Self, GraphError> {
        let clips = self.shared.clips.len();
        let joints = self.shared.skeleton.len();
        let fits = |m: &RootMotion| {
            let is_same = m.joint() == motions[0].joint() && m.axes() == motions[0].axes();
            is_same && m.joint() < joints
        };
        let odd = motions.iter().position(|m| !fits(m));
        if odd.is_some() || motions.len() != clips {
            return Err(GraphError::RootMotion {
                index: odd.unwrap_or(motions.len().min(clips)),
                found: motions.len(),
                clips,
            });
        }
        let shared = Arc::make_mut(&mut self.shared);
        let references = shared.layers.iter_mut();
        for reference in references.flat_map(|layer| layer.references_mut()) {
            motions[reference.clip].take_out(0.0, &mut reference.pose);
        }
        shared.root_motions = motions;
        Ok(self)
    }

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

    /// The clips that it plays.
    pub fn clips(&self) -> &[Arc<dyn Playable>] {
        &self.shared.clips
    }

    /// The skeleton that it poses.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.shared.skeleton
    }

    /// The names of its parameters, in the order of their indices.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.parameters.iter().map(|p| p.name.as_str())
    }

    /// The index of a parameter, for [`GraphPlayer::set_index`].
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters().position(|parameter| parameter == name)
    }

    /// The names of the states of the base layer.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[0].states.iter().map(|s| s.name.as_str())
    }

    /// The names of the layers on top of the base layer.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.shared.layers[1..].iter().map(|l| l.name.as_str())
    }

    /// The curves of the clips that it plays.
    pub fn curves(&self) -> &[CurveInfo] {
        &self.shared.curves
    }
}
