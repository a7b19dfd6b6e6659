pub mod budget;
pub(in crate::gltf) mod error;
pub(in crate::gltf) mod forest;
pub mod format;
pub mod glb;
pub(in crate::gltf) mod json;
pub(in crate::gltf) mod nested;
pub mod schema;
pub(in crate::gltf) mod visit;
