//! The engine for JavaScript, as the package `sinew-pose` for npm.
//!
//! Each method converts its arguments, calls one function of the library and converts the result.
//! Wrong arguments throw an `Error` with the text of the library. `web/pose/README.md` is the guide.

// wasm-bindgen reads the names of types in signatures.
#![allow(clippy::use_self)]

mod actor;
mod blend;
mod character;
mod crowd;
mod graph;
mod matrices;
mod player;
mod pose;
mod rig;
mod solve;
mod types;
mod values;

pub use actor::Actor;
pub use blend::Mask;
pub use character::Character;
pub use crowd::Crowd;
pub use graph::{Graph, GraphPlayer};
pub use player::Player;
pub use pose::Pose;
pub use rig::Rig;
