//! A small state machine that plays clips: states, transitions, blends over one parameter.
//!
//! A [`Description`] is data, made by the builder or read from a file. A [`Graph`] is the same checked and
//! with names turned into places, shared by all who play it. A [`GraphPlayer`] is one character's state:
//! it is given time and parameters, and gives poses, events with the weight of what they are heard
//! through, and steps of root motion. Clips stay the caller's.
//!
//! ```
//! use sinew::blend::Ease;
//! use sinew_samples::humanoid_character;
//! use sinew::graph::{Condition, Description, GraphPlayer, Stage, State, Transition};
//! use sinew::LocalPose;
//! let person = humanoid_character();
//! let (clips, skeleton) = (&person.clips, &person.skeleton);
//! let graph = Description::new()
//!     .parameter("speed", 0.0)
//!     .state(State::clip("stand", 0))
//!     .state(State::blend("move", "speed", &[(1.0, 0), (3.0, 0)]))
//!     .transition(Transition::new("stand", "move").when(Condition::above("speed", 0.1)).inertia(0.3))
//!     .transition(
//!         Transition::new("move", "stand")
//!             .when(Condition::below("speed", 0.1))
//!             .cross_fade(0.5, Ease::Smooth),
//!     )
//!     .build(clips)?;
//! let stage = Stage { graph: &graph, clips, skeleton };
//! let mut player = GraphPlayer::new(&stage);
//! let mut pose = LocalPose::identity(skeleton.len());
//! player.set(graph.parameter("speed").unwrap(), 1.5);
//! for _ in 0..60 {
//!     player.update(&stage, 1.0 / 60.0, |fired| {
//!         if fired.weight > 0.5 { /* play the sound of fired.event.name */ }
//!     });
//!     player.pose(&stage, &mut pose);
//! }
//! assert_eq!(graph.state_name(player.state()), "move");
//! # Ok::<(), sinew::graph::GraphError>(())
//! ```
//!
//! `cargo run --example state_machine`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/state_machine.rs")]
#![doc = "```"]

mod check;
mod description;
mod player;
mod voices;

pub use check::GraphError;
pub use description::{
    Change, Condition, Description, Motion, Parameter, Point, Start, State, Transition,
};
pub use player::{Fired, GraphPlayer};

use crate::clip::{Clip, Wrap};
use crate::root_motion::RootMotion;
use crate::skeleton::Skeleton;
use sinew_math::transform::Axis;

/// What a player plays on: a graph, the clips that it was checked with (of any kind that is
/// [`Playable`](crate::Playable)), and their skeleton.
#[derive(Debug)]
pub struct Stage<'a, C = Clip> {
    /// What leads where.
    pub graph: &'a Graph,
    /// What is sampled.
    pub clips: &'a [C],
    /// What is posed.
    pub skeleton: &'a Skeleton,
}

impl<C> Clone for Stage<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Stage<'_, C> {}

/// A checked graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    parameters: Vec<Parameter>,
    states: Vec<CheckedState>,
    transitions: Vec<CheckedTransition>,
    clips: usize,
    root_motions: Vec<RootMotion>,
}

#[derive(Clone, Debug, PartialEq)]
struct CheckedState {
    name: String,
    /// What to look up, when there is more than one point.
    parameter: usize,
    points: Vec<Point>,
    speed: f64,
    wrap: Wrap,
}

#[derive(Clone, Debug, PartialEq)]
struct CheckedTransition {
    from: Option<usize>,
    to: usize,
    when: Vec<CheckedCondition>,
    secs: f32,
    change: Change,
    start: Start,
}

#[derive(Clone, Debug, PartialEq)]
enum CheckedCondition {
    Above(usize, f32),
    Below(usize, f32),
    Triggered(usize),
    Ended,
    After(f64),
}

impl Graph {
    /// The same graph, with root motion taken out of its poses: one [`RootMotion`] a clip, all of the same
    /// joint and axes.
    pub fn with_root_motion(mut self, motions: Vec<RootMotion>) -> Result<Self, GraphError> {
        let same =
            |m: &RootMotion| m.joint() == motions[0].joint() && m.axes() == motions[0].axes();
        let odd = motions.iter().position(|m| !same(m));
        if odd.is_some() || motions.len() != self.clips {
            return Err(GraphError::RootMotion {
                index: odd.unwrap_or(motions.len().min(self.clips)),
                found: motions.len(),
                clips: self.clips,
            });
        }
        self.root_motions = motions;
        Ok(self)
    }

    /// The transitions that a state can be left by.
    fn leading_away(&self, state: usize) -> impl Iterator<Item = &CheckedTransition> {
        self.transitions.iter().filter(move |t| match t.from {
            Some(from) => from == state,
            None => t.to != state,
        })
    }

    /// About which axis its root motion turns.
    fn up(&self) -> Axis {
        let first = self.root_motions.first();
        first.map_or(Axis::Y, |motion| motion.axes().up)
    }

    /// The place of a parameter, for [`GraphPlayer::set`].
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.name == name)
    }

    /// The place of a state.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|s| s.name == name)
    }

    /// A state's name.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn state_name(&self, state: usize) -> &str {
        &self.states[state].name
    }
}
