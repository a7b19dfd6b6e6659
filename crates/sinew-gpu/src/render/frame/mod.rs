//! Uniforms of a whole picture, one for each view.

pub(super) mod group;
pub(super) mod shadow_map;
pub(super) mod uniform;
pub(super) mod views;
