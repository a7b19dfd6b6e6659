//! FBX, ASCII and binary, versions 3000 to 7700. The C library `ufbx` reads it, so FBX is behind
//! the feature `fbx`. No type of `ufbx` is public.
//!
//! - **Units and axes.** Files are converted to metres and y up. Geometry and translations are
//!   scaled, so no node has a scale of 0.01. Nodes below the root are rotated. A left-handed file
//!   is mirrored.
//! - **Transforms.** Rotation orders, pre and post rotations and pivots become plain translation,
//!   rotation and scale. Geometric transforms change the vertices, or become a new node if two
//!   nodes share a mesh. If a joint does not inherit scale, a new sibling has the scale of the
//!   parent.
//! - **Skinning.** Vertices are moved to the bind pose, in model space.
//! - **Time.** A take becomes a clip with the times of the file, so frame 10 keeps its time.
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
