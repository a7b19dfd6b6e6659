//! Data in `extras` that glTF itself cannot hold, so that a file reads back as the same character: events and curves
//! of clips (`motion`), limits of joints (`freedom`), correctives of meshes and bindings of the document. A mesh's
//! `extras.targetNames` holds the names of its morph targets, as in other programs.

pub(in crate::gltf) mod bindings;
pub(in crate::gltf) mod correctives;
pub(in crate::gltf) mod freedom;
pub(in crate::gltf) mod motion;
mod own;
