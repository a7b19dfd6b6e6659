//! Wavefront OBJ: meshes as text.
//!
//! - Every `o` with faces becomes a mesh on its own node. If there is no `o`, every `g` does. A
//!   mesh has a primitive per material. There are no weights, and the skeleton is one joint, as in
//!   [`sinew::Character::from_mesh`].
//! - Faces become triangles. Concave faces are cut ear by ear. Indices may be negative, and may
//!   refer to later lines. A file with an invalid index is refused; the error states the line.
//! - Texture coordinates are flipped, because v grows downward in Sinew. A primitive keeps its
//!   normals if all corners have normals. Otherwise it gets smooth normals, and smoothing groups
//!   are ignored.
//! - Colours after positions are sRGB, as in Blender. Colours of materials are linear.
//! - `Kd`, `Ke`, `d`, `Tr`, `Ns`, `Pr`, `Pm` and `map_Kd` are read from `.mtl` files beside the
//!   document. A texture replaces the colour. A missing image is a finding.
//! - Free-form curves and surfaces, lines and points are omitted, with findings. Units and axes
//!   stay as in the file.

mod error;
mod import;
mod materials;
mod statements;
mod write;

pub use error::ObjError;
pub(crate) use import::import_named;
pub use write::write_obj;
