//! FBX, ASCII and binary, versions 3000 to 7700, read by `ufbx`. That is C code, hence the feature `fbx`.
//!
//! No type of `ufbx` leaves this module.
//!
//! - **Units and axes.** Files are converted to metres and y up: geometry and translations are scaled, so no node has
//!   a scale of 0.01, and nodes below the root are rotated. A left-handed file is mirrored.
//! - **Transforms.** Rotation orders, pre and post rotations and pivots become plain translation, rotation and scale.
//!   Geometric transforms go into the vertices, or into a new node if a mesh is used twice. A joint that does not
//!   inherit scale gets a sibling node that carries the scale.
//! - **Skinning.** Vertices are brought to the bind pose, in model space.
//! - **Time.** A take becomes a clip with the time of the file: frame 10 keeps its time.
//! - **Blend shapes.** Each shape is a morph target; the channel drives in-between shapes.

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
