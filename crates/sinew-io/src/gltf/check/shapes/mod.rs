//! Checks of objects that the document keeps as text.
//!
//! A [`Shape`] is a table of members. [`Walk`] compares an object and its extensions with their
//! shapes. Its findings have the codes and pointers of the Khronos validator.

mod cameras;
mod extensions;
mod faults;
mod lights;
mod materials;
mod shape;
mod textures;
mod variants;
mod walk;

pub(in crate::gltf) use cameras::CAMERA;
pub(in crate::gltf) use shape::Shape;
pub(in crate::gltf) use textures::{NORMAL_TEXTURE, OCCLUSION_TEXTURE, SAMPLER, TEXTURE};
pub(in crate::gltf) use walk::{MAX_TEXCOORDS, Walk};
