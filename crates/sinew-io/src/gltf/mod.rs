//! glTF 2.0: reading `.gltf` and `.glb` files.
//!
//! [`glb`] takes the container apart, [`schema`] holds the document as written, [`buffers`] finds the bytes it refers
//! to, [`accessor`] decodes them, [`check`] says what is wrong with all of it, and [`import`] makes a character of it.

pub mod accessor;
mod bounds;
pub mod budget;
pub mod buffers;
pub mod check;
mod error;
pub mod format;
pub mod glb;
mod import;
mod json;
pub mod load;
pub mod schema;
mod uri;

pub use error::ImportError;
pub use import::{Import, import, import_bytes};
pub use json::{NamedIndices, Rest};
