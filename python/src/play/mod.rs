//! Playback: rigs, actors, players, graphs.

pub mod actor;
pub mod graph;
pub mod ik;
pub mod player;
pub mod pose;
pub mod rig;
