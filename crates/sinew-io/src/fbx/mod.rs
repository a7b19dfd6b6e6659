//! FBX, ASCII and binary, versions 3000 to 7700. The library `ufbx` reads it. It is C code, so FBX is the feature
//! `fbx`.
//!
//! This module exposes no type of `ufbx`.
//!
//! - **Units and axes.** Files are converted to metres and y up. Geometry and translations are scaled, so no node has
//!   a scale of 0.01. Nodes below the root are rotated. A left-handed file is mirrored.
//! - **Transforms.** Rotation orders, pre and post rotations and pivots become plain translation, rotation and scale.
//!   Geometric transforms go into the vertices, or into a new node if two nodes share a mesh. A joint that does not
//!   inherit scale gets a sibling node that carries the scale.
//! - **Skinning.** Vertices are moved to the bind pose, in model space.
//! - **Time.** A take becomes a clip with the times of the file: frame 10 keeps its time.
//! - **Blend shapes.** Each shape is a morph target. A channel drives its in-between shapes.

mod clips;
mod defects;
mod error;
mod findings;
mod import;
mod lights;
mod limits;
mod load;
mod meshes;
mod nodes;
mod plain;
mod surfaces;
mod unpacked;

pub use error::FbxError;
pub(crate) use import::import_file;
pub use import::{FbxImport, import_bytes};
pub use load::memory_limit;
