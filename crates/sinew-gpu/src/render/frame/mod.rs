//! The frame: everything that the shaders are told of a picture as a whole, for each of its views.

pub(super) mod group;
pub(super) mod shadow_map;
pub(super) mod uniform;
pub(super) mod views;
