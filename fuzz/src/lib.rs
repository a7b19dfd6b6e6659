//! Properties that hold for any input bytes. There is a function per input format, which panics if
//! a property does not hold. `scripts/fuzz` runs the functions as targets of libFuzzer
//! (`targets/`). `tests/replay.rs` runs them on findings and on files made by code.

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

/// Name of a target, and its check for any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
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
