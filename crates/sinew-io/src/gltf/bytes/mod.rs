//! Bytes that a document refers to: sources, decompression and decoding.

pub mod accessor;
pub(in crate::gltf) mod base64;
pub mod buffers;
mod fallback;
pub(crate) mod images;
pub mod meshopt;
pub(in crate::gltf) mod unpack;
pub(crate) mod uri;
