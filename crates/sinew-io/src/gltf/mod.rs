//! glTF 2.0: reading and writing `.gltf` and `.glb` files, and `.vrm` ones, which are GLB with an avatar in it.
//!
//! [`glb`] takes the container apart, [`schema`] holds the document as written, [`buffers`] finds the bytes it refers
//! to, `unpack` makes compressed ones plain, [`accessor`] decodes them, [`check`] says what is wrong with all of it, and
//! [`import`] makes a character of it.
//! [`vrm`] reads what makes an avatar of it. [`export()`] goes the other way, with what [`source`] kept of the document.

pub mod accessor;
mod bindings;
mod bounds;
pub mod budget;
pub mod buffers;
pub mod check;
mod correctives;
mod draco;
mod error;
mod export;
mod extras;
mod forest;
pub mod format;
mod freedom;
pub mod glb;
pub(crate) mod images;
mod import;
mod json;
pub mod load;
pub mod meshopt;
pub mod schema;
pub mod source;
mod unpack;
pub(crate) mod uri;
pub mod vrm;

pub use error::GltfError;
pub use export::{Export, ExportError, ExportOptions, export, to_glb, to_gltf, write};
pub use freedom::freedom_json;
pub(crate) use import::import_file;
pub use import::{GltfImport, import, import_bytes};
pub use json::{NamedIndices, Rest};
pub(crate) use load::looks_like_gltf;
pub use source::SourceDocument;
