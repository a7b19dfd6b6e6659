mod layers;
pub(super) mod materials;
mod texture_uses;
pub(super) mod textures;
