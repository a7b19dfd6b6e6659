//! Stanford PLY: one mesh, as text or binary, for measuring tools and scans.
//!
//! Vertices have `x`, `y`, `z`, and optionally `nx`, `ny`, `nz`, `red`, `green`, `blue`, `alpha`
//! (sRGB, as in Blender), and texture coordinates `s` and `t`, `u` and `v` or `texture_u` and
//! `texture_v`. Texture coordinates are flipped, because v grows downward in Sinew. Faces are a
//! list `vertex_indices` or `vertex_index`. Numbers may have any type. Other properties and
//! elements are skipped and reported. There are no weights, and the skeleton is one joint, as in
//! [`sinew::Character::from_mesh`]. Units and axes stay as in the file.

mod error;
mod header;
mod import;
mod values;
mod write;

pub use error::PlyError;
pub(crate) use import::import_named;
pub use write::write_ply;
