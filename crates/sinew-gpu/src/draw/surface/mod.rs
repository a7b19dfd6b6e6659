//! Surfaces as passes draw them: triangles and edges of their instances, materials, textures and colours.

pub(crate) mod instance;
pub(crate) mod material;
pub(crate) mod paint;
pub(crate) mod surfaces;
mod texture;
pub(crate) mod weight_colors;
