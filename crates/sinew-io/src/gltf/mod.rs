//! glTF 2.0: reading `.gltf` and `.glb` files.
//!
//! [`glb`] takes the container apart, [`schema`] holds the document as written, [`buffers`] finds the bytes it refers
//! to, [`accessor`] decodes them, and [`check`] says what is wrong with all of it.

pub mod accessor;
mod bounds;
pub mod budget;
pub mod buffers;
pub mod check;
mod error;
pub mod export;
mod extras;
pub mod format;
pub mod glb;
mod json;
pub mod schema;
pub mod source;
mod uri;

pub use error::ImportError;
pub use export::{Export, ExportError, ExportOptions, export, to_glb, to_gltf, write};
pub use json::{NamedIndices, Rest};
pub use source::SourceDocument;
