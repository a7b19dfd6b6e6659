//! Import and export of glTF 2.0: `.gltf`, `.glb` and `.vrm` (a GLB with an avatar).
//!
//! - `document`: the JSON. [`glb`] is the container, [`schema`] has the objects.
//! - `bytes`: the data. [`buffers`] finds it, `unpack` decompresses it, [`accessor`] decodes it.
//! - [`check`] reports faults.
//! - [`import()`] makes a character. `extras` and [`vrm`] read data beyond glTF.
//! - [`export()`] writes a character, with the document that [`source`] kept.

pub(crate) mod bytes;
pub mod check;
mod document;
mod export;
mod extras;
mod import;
mod pointer;
pub mod source;
pub mod vrm;

pub use bytes::{accessor, buffers, meshopt};
pub use document::error::GltfError;
pub use document::json::{NamedIndices, Rest};
pub use document::{budget, format, glb, schema};
pub use export::{
    Export, ExportError, ExportOptions, export, to_glb, to_gltf, write, write_in_steps,
};
pub use extras::freedom::freedom_json;
pub(crate) use extras::freedom::read as read_freedom;
pub(crate) use import::import_file;
pub(crate) use import::load::looks_like_gltf;
pub use import::{GltfImport, import, import_bytes, load};
pub use source::SourceDocument;
