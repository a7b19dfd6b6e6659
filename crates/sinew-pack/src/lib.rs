//! Encoder of packed clips, for build tools. A game needs only the crate `sinew` to sample them
//! ([`sinew::clip::packed`]).
//!
//! A build pipeline packs each clip and writes a `.sinew` file:
//!
//! ```
//! use sinew_pack::PackOptions;
//! let character = sinew_samples::humanoid_character();
//! let (skeleton, clip) = (&character.skeleton, &character.clips[0]);
//! // Max measured error of 0.1 mm.
//! let packed = sinew_pack::pack(skeleton, clip, &PackOptions::max_error_m(1e-4))?;
//! assert!(packed.report.measured_error <= 1e-4);
//! let bytes = sinew_pack::file_bytes(skeleton, &[&packed.clip])?;
//!
//! // In the game:
//! let file = sinew::clip::packed::PackedFile::from_bytes(&bytes)?;
//! let mut pose = sinew::LocalPose::identity(file.skeleton.len());
//! file.clips[0].sample(0.3, &mut pose);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Joints are encoded parents first. Each joint rotates to correct the errors of its decoded
//! ancestors, so errors do not add up along a chain. Most tracks share one row of frames; tracks
//! that need finer frames have their own chunk. Tracks that miss the bound stay unchanged.

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
pub use pack::{Packed, pack, pack_file};
pub use report::PackReport;

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
