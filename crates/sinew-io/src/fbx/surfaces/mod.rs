pub(super) mod materials;
pub(super) mod textures;
