//! Data in `extras` that glTF itself cannot hold: events and curves of clips (`motion`), limits of joints (`freedom`),
//! correctives of meshes and bindings of the document. With it, an import gives the same character. As in other
//! programs, `extras.targetNames` of a mesh holds the names of its morph targets.

pub(in crate::gltf) mod bindings;
pub(in crate::gltf) mod correctives;
pub(in crate::gltf) mod freedom;
pub(in crate::gltf) mod motion;
mod own;
