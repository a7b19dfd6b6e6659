//! Data that glTF has no place for and that this library keeps in `extras`, so that a file written here and
//! read again is the same character: clips' events and curves in `motion`, joints' limits in `freedom`, meshes'
//! correctives in `correctives`, the document's table of bindings in `bindings`. A mesh's `extras.targetNames` holds the
//! names of its morph targets, as other programs write them too.

pub(in crate::gltf) mod bindings;
pub(in crate::gltf) mod correctives;
pub(in crate::gltf) mod freedom;
pub(in crate::gltf) mod motion;
mod own;
