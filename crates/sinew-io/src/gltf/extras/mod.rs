//! Data that glTF holds only in `extras`: events and curves of clips (`motion`), `layers` over clips, limits of joints
//! (`freedom`), correctives, bindings and the skinning `method`. `extras.targetNames` of a mesh has the target names.

pub(in crate::gltf) mod bindings;
pub(in crate::gltf) mod correctives;
pub(in crate::gltf) mod freedom;
pub(in crate::gltf) mod layers;
pub(in crate::gltf) mod method;
pub(in crate::gltf) mod motion;
mod own;
