//! Objects that this library keeps as text, held against what their specifications say.
//!
//! A [`Shape`] is a table of members; the tables are in a file for each subject. [`Walk`] holds an object against its
//! shape, and the extensions in it against theirs, with the validator's codes and pointers.

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
