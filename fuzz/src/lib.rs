//! What must hold for any bytes that Sinew is given: one function for each way in, which panics when something does
//! not.
//!
//! `scripts/fuzz` runs them as libFuzzer's targets (`targets/`), and `tests/replay.rs` runs them on what fuzzing found
//! and on what code makes, with every other test.

mod bind;
mod bvh;
mod c3d;
mod dice;
mod documents;
mod fbx;
mod finite;
mod gltf;
mod graph;
mod memory;
mod mesh;
mod packed;
mod retarget;
pub mod seeds;

pub use bind::bind;
pub use bvh::bvh;
pub use c3d::c3d;
pub use fbx::fbx;
pub use gltf::gltf;
pub use graph::graph;
pub use mesh::mesh;
pub use packed::sinew;
pub use retarget::retarget;

/// A way in: what it is called, and what must hold for any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every way in.
pub const TARGETS: [Target; 9] = [
    ("gltf", gltf),
    ("bvh", bvh),
    ("c3d", c3d),
    ("fbx", fbx),
    ("mesh", mesh),
    ("sinew", sinew),
    ("graph", graph),
    ("retarget", retarget),
    ("bind", bind),
];
