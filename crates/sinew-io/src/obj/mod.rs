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
mod lines;
mod materials;
mod statements;
mod write;

pub use error::ObjError;
pub(crate) use import::import_named;
pub use write::write_obj;

use lines::{Lines, keyword, number, words};

/// True if the first statement is an OBJ statement.
pub(crate) fn looks_like_obj(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let first = Lines::of(head).next();
    first.is_some_and(|(_, text)| {
        let (word, rest) = keyword(&text);
        match word {
            b"mtllib" | b"o" | b"g" => !rest.is_empty(),
            b"v" => words(rest).count() >= 3 && words(rest).all(|word| number(word).is_some()),
            _ => false,
        }
    })
}
