//! Reads and writes files of skeletal characters.
//!
//! [`import`] reads a file of any format, and [`import_bytes`] reads its bytes. The [`FileReport`]
//! lists repairs and omissions:
//!
//! ```
//! let bytes = b"HIERARCHY ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } }
//! MOTION Frames: 2 Frame Time: 0.5
//! 0
//! 90
//! ";
//! let import = sinew_io::import_bytes(bytes)?;
//! for finding in &import.report.findings {
//!     eprintln!("{finding}");
//! }
//! let character = import.character;
//! assert_eq!(character.skeleton.name(0), "hips");
//! assert_eq!(character.clips[0].duration_secs, 0.5);
//! # Ok::<(), sinew_io::ImportError>(())
//! ```
//!
//! [`save`] writes glTF, [`bvh`] writes a motion, and [`write_obj`] and [`write_ply`] write meshes.

mod beside;
#[cfg(feature = "bvh")]
pub mod bvh;
#[cfg(feature = "c3d")]
pub mod c3d;
mod calibration;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(any(feature = "fbx", feature = "obj"))]
mod folder;
mod foreign;
pub mod gltf;
mod import;
mod lines;
#[cfg(target_family = "wasm")]
pub mod memory;
#[cfg(feature = "obj")]
mod obj;
mod odd;
pub mod packed;
#[cfg(any(feature = "obj", feature = "ply"))]
mod parts;
#[cfg(feature = "ply")]
mod ply;
#[cfg(any(feature = "obj", feature = "ply"))]
mod polygons;
mod quirks;
mod replace;
pub mod report;
mod save;
pub mod tables;

pub use calibration::leave_out_calibration;
pub use foreign::Foreign;
pub use import::{Format, Import, ImportError, import, import_at, import_bytes, import_in_steps};
#[cfg(feature = "obj")]
pub use obj::{ObjError, write_obj};
#[cfg(feature = "ply")]
pub use ply::{PlyError, write_ply};
pub use quirks::{Quirk, motion_start_secs, quirks};
pub use replace::Replacement;
#[cfg(not(target_family = "wasm"))]
pub use replace::abandon_replacements;
pub use report::{FileReport, Finding, Folded, Severity};
pub use save::save;

/// Compiles the example in the readme of the project as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Compiles the example in the readme of this crate as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
