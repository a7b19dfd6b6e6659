pub(super) mod cameras;
mod flat;
pub(super) mod nodes;
pub(super) mod skins;
