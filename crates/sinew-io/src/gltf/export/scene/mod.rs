//! Nodes, scenes, skins and cameras.

pub(super) mod cameras;
mod flat;
pub(super) mod nodes;
pub(super) mod skins;
