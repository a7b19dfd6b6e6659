//! State machines that play clips, with blends over one or two parameters, and layers.
//!
//! A [`StateMachine`] is data, made in code or read from JSON (`StateMachine::from_json`, feature
//! `json`). A [`Graph`] is a checked state machine with its clips and skeleton. All its players
//! share the graph. A [`GraphPlayer`] plays the graph for one character. From time and parameters,
//! it computes poses, weighted events, root motion, curves and morph weights.
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
//! For crowds, a player from [`Graph::crowd_player`] borrows a workspace, and
//! [`CrowdPlayer`](crate::rig::CrowdPlayer) plays many characters on all cores.
//!
//! `cargo run --example state_machine`:
#![doc = "```"]
#![doc = include_str!("../../examples/state_machine.rs")]
#![doc = "```"]

mod checked;
mod error;
mod machine;
mod player;

pub use checked::{CurveInfo, Graph};
pub use error::{GraphError, PlayError};
#[cfg(feature = "json")]
pub use machine::JsonError;
pub use machine::{
    Condition, EventPayload, GraphLayer, LayerMode, MaskPart, Motion, Parameter, Point, Point2d,
    Reference, Start, State, StateMachine, Transition, TransitionKind,
};
pub use player::{FiredEvent, GraphPlayer, PlayingClip, Workspace};
