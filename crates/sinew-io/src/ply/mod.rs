//! Stanford PLY: one mesh, as text or binary, for measuring tools and scans.
//!
//! Decisions about what is read: vertices have `x`, `y`, `z`, and may have `nx`, `ny`, `nz`, `red`, `green`,
//! `blue`, `alpha` (encoded as those of pictures are, as Blender reads them), and texture coordinates as `s` and `t`,
//! `u` and `v` or `texture_u` and `texture_v`, which are turned over, as ours grow downward. Faces are a list called
//! `vertex_indices` or `vertex_index`. Every number may be of any type; other properties and elements are skipped, and
//! said. Nothing is bound: the skeleton is one joint, as [`sinew::Character::from_mesh`] makes it. Units and axes stay
//! the file's own.

mod error;
mod header;
mod import;
mod values;
mod write;

pub use error::PlyError;
pub(crate) use import::import_named;
pub use write::write_ply;

/// True where these bytes begin like a PLY file.
pub(crate) fn looks_like_ply(bytes: &[u8]) -> bool {
    matches!(bytes, [b'p', b'l', b'y', b'\n' | b'\r' | b' ', ..])
}
