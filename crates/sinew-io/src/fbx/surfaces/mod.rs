//! The look of surfaces.

pub(super) mod materials;
pub(super) mod textures;
