//! Wavefront OBJ: meshes as text that every modeller opens.
//!
//! Decisions about what is read:
//!
//! - Every `o` that has faces is a mesh on a node of its own; where a file has no `o`, every `g` is. Every material in it
//!   is a primitive. Nothing is bound: the skeleton is one joint, as [`sinew::Character::from_mesh`] makes it.
//! - Faces of any number of corners become triangles, concave ones by cutting off ears. Indices may be below zero and
//!   may name what follows. One that names nothing is refused, with its line.
//! - Texture coordinates are turned over, as ours grow downward. Normals are as they are; where a corner of a primitive
//!   has none, the primitive has smooth ones, whatever smoothing groups say.
//! - Colours after positions are encoded as those of pictures are, as Blender reads them; those of materials are linear.
//! - Of `.mtl` files beside the document: `Kd`, `Ke`, `d`, `Tr`, `Ns`, `Pr`, `Pm` and `map_Kd`. A picture replaces the
//!   colour. One that is missing is a finding.
//! - Free-form curves and surfaces, lines and points are left out, with findings. Units and axes stay the file's own.

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

/// True where the first statement is one of OBJ.
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
