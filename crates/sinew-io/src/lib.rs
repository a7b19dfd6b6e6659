//! Reads and writes files of skeletal characters.

pub mod bvh;
pub mod c3d;
#[cfg(feature = "fbx")]
pub mod fbx;
mod folder;
mod foreign;
pub mod gltf;
mod import;
mod obj;
pub mod packed;
mod parts;
mod ply;
mod polygons;
mod quirks;
mod replace;
pub mod report;
mod save;

pub use foreign::Foreign;
pub use import::{Format, Import, ImportError, import, import_at, import_bytes};
pub use obj::{ObjError, write_obj};
pub use ply::{PlyError, write_ply};
pub use quirks::{Quirk, motion_start_secs, quirks};
pub use replace::Replacement;
pub use report::{FileReport, Finding, Folded, Severity};
pub use save::save;

/// Compiles the example of the readme as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Compiles the example of the crate's readme as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
