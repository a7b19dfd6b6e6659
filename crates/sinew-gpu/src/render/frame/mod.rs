//! Uniforms that are the same for a whole picture, one buffer for each view.

pub(super) mod group;
pub(super) mod shadow_map;
pub(super) mod uniform;
pub(super) mod views;
