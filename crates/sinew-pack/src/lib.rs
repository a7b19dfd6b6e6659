//! The encoder of packed clips, for tools that build what a game ships. A game reads and samples them with crate `sinew`
//! alone ([`sinew::clip::packed`]).
//!
//! A build pipeline packs each clip and writes a `.sinew` file:
//!
//! ```
//! use sinew_pack::PackOptions;
//! let character = sinew_samples::humanoid_character();
//! let (skeleton, clip) = (&character.skeleton, &character.clips[0]);
//! // At most a tenth of a millimetre off, as measured.
//! let packed = sinew_pack::pack(skeleton, clip, &PackOptions::max_error_m(1e-4))?;
//! assert!(packed.report.measured_error <= 1e-4);
//! let bytes = sinew_pack::file_bytes(skeleton, &[&packed.clip])?;
//!
//! // In the game, from those bytes as they are:
//! let file = sinew::clip::packed::PackedFile::from_bytes(&bytes)?;
//! let mut pose = sinew::LocalPose::identity(file.skeleton.len());
//! file.clips[0].sample(0.3, &mut pose);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Joints are encoded parents first, each turned so that it makes up for what its ancestors decoded to, so errors do not
//! add up along a chain. Whatever cannot be had within the bound that way is kept as it was. Tracks share a row of frames;
//! those that need finer ones have a chunk of their own.

mod bytes;
mod encode;
mod error;
mod file;
mod measure;
mod options;
mod pack;
mod report;
mod sampled;

pub use encode::plan::Kept;
pub use error::PackError;
pub use file::file_bytes;
pub use measure::object_space_error;
pub use options::PackOptions;
pub use pack::{Packed, pack};
pub use report::PackReport;

/// The example of the readme, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
