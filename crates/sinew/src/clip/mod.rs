//! Motion clips: tracks of keys, curves and events.
//!
//! A clip refers to joints by index, so all characters with the same skeleton can share it.
//! Channels without a track keep the rest pose.
//!
//! `cargo run --example playback`:
#![doc = "```"]
#![doc = include_str!("../../examples/playback.rs")]
#![doc = "```"]

mod edit;
pub mod events;
mod keyed;
mod layer_mirror;
mod layers;
mod matrices;
mod mismatch;
pub mod packed;
mod playable;
mod prepared;
pub(crate) mod sample;
mod track;

pub use edit::{Channel, ClipEditError, JointPart, Key, KeyError, OverLimit, TangentKind};
pub use events::{Player, Wrap};
pub use keyed::{Clip, ClipSpace, Curve, Event, JointTracks, MorphTrack};
pub use layers::{ClipLayer, ClipLayers};
pub use mismatch::ClipMismatch;
pub use playable::Playable;
pub use track::{Interpolation, Track, TrackError};
