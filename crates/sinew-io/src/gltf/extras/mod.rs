//! Data that glTF holds only in `extras`: events and curves of clips (`motion`), limits of joints
//! (`freedom`), correctives of meshes, and bindings. As in other programs, `extras.targetNames` of
//! a mesh holds the names of its morph targets.

pub(in crate::gltf) mod bindings;
pub(in crate::gltf) mod correctives;
pub(in crate::gltf) mod freedom;
pub(in crate::gltf) mod motion;
mod own;
