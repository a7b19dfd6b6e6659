//! Motion as people and importers make it: tracks of keys, events and curves.
//!
//! A clip names joints by index and holds no pose, so one clip serves every character of the same
//! skeleton and one character plays many clips. Channels without a track stay at rest.
//!
//! `cargo run --example playback`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/playback.rs")]
#![doc = "```"]

mod edit;
pub mod events;
mod keyed;
mod matrices;
pub mod packed;
mod playable;
pub(crate) mod sample;
mod track;

pub use edit::{Channel, ClipEditError, Key, KeyError, OverLimit};
pub use events::{Player, Wrap};
pub use keyed::{Clip, ClipSpace, Curve, Event, JointTracks, MorphTrack};
pub use playable::Playable;
pub use track::{Interpolation, Track, TrackError};
