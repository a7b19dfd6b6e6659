//! glTF 2.0: reading and writing `.gltf` and `.glb` files, and `.vrm` ones, which are GLB with an avatar in it.
//!
//! `document` holds a file's JSON as written ([`glb`] takes the container apart, [`schema`] is the document), `bytes`
//! what it refers to ([`buffers`] finds the bytes, `unpack` makes compressed ones plain, [`accessor`] decodes them),
//! [`check`] says what is wrong with all of it, and [`import()`] makes a character of it. `extras` and [`vrm`] read what
//! glTF itself has no words for. [`export()`] goes the other way, with what [`source`] kept of the document.

pub(crate) mod bytes;
pub mod check;
mod document;
mod export;
mod extras;
mod import;
pub mod source;
pub mod vrm;

pub use bytes::{accessor, buffers, meshopt};
pub use document::error::GltfError;
pub use document::json::{NamedIndices, Rest};
pub use document::{budget, format, glb, schema};
pub use export::{Export, ExportError, ExportOptions, export, to_glb, to_gltf, write};
pub use extras::freedom::freedom_json;
pub(crate) use import::import_file;
pub(crate) use import::load::looks_like_gltf;
pub use import::{GltfImport, import, import_bytes, load};
pub use source::SourceDocument;
