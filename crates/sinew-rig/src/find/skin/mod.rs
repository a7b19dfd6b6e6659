//! The surface of a mesh as a graph of patches (`grid`, `clip`, `patches`, `bridge`, `graph`), distances
//! along it (`reach`) and the middle lines of limbs (`limb`).

mod bridge;
mod clip;
pub(crate) mod graph;
pub(crate) mod grid;
pub(crate) mod limb;
pub(crate) mod patches;
pub(crate) mod reach;
