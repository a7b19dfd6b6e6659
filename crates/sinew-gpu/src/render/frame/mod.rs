//! Uniforms of a whole picture, for each of its views.

pub(super) mod group;
pub(super) mod shadow_map;
pub(super) mod uniform;
pub(super) mod views;
