//! Clips packed small, at an error that was measured: `PackedClip`, and the `.sinew` file they come in.
//!
//! A track is straight lines between knots of four bytes each, plus a residual of a few bits a frame whose
//! precision was chosen joint by joint. Tracks share a row of frames; those that need finer ones have
//! a motion of their own. See [`PackedFile`]. What makes packed clips is the crate `sinew-pack`, which a game does not need.
//!
//! `cargo run --example packed_clips`:
//!
#![doc = "```"]
#![doc = include_str!("../../../examples/packed_clips.rs")]
#![doc = "```"]

mod basis;
mod clip;
mod code;
mod decode;
mod file;
mod finite;
#[doc(hidden)]
pub mod format;
mod motion;
mod playable;
mod read;
mod unpack;

pub use clip::PackedClip;
pub use file::PackedFile;
pub use read::bytes::PackedError;
