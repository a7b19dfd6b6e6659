//! FBX, ASCII and binary, 3000 to 7700, read by `ufbx`: the feature `fbx`, because that is C.
//!
//! This module is the boundary: nothing of `ufbx` leaves it. What the format leaves open is decided so:
//!
//! - **Units and axes.** The file's unit and axes are converted to metres and y up: geometry and translations are
//!   scaled, so no node carries a scale of 0.01, and nodes below the root are turned. A left-handed file is mirrored.
//! - **Transforms.** Rotation orders, pre and post rotations and pivots become plain translation, rotation and scale.
//!   Geometric transforms go into the vertices, or into a node of their own where a mesh is used twice. A joint that
//!   does not inherit scale as others do stands beside a node that carries the scale.
//! - **Skinning.** Vertices are brought to where they were bound, in model space.
//! - **Time.** A take is a clip on the file's own time: what is at frame 10 of the file is at that time of the clip.
//! - **Blend shapes.** Each shape is a morph target; those between are driven as the channel would.

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

pub use error::FbxError;
pub(crate) use import::import_file;
pub use import::{FbxImport, import_bytes};
