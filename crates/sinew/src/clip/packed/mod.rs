//! Packed clips with a measured error, and the `.sinew` files that hold them.
//!
//! A packed track consists of knots of four or six bytes, straight lines between the knots, and a
//! residual of a few bits per frame. The precision of the residual is chosen per joint. Tracks that
//! need a higher frame rate are in a separate motion chunk. [`PackedFile`] reads a file. The crate
//! `sinew-pack` makes packed clips; a game does not need it.
//!
//! `cargo run --example packed_clips`:
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
mod uneven;
mod unpack;

pub use clip::PackedClip;
pub use file::PackedFile;
pub use read::bytes::PackedError;
