//! Pipelines that several passes draw with, and the shader modules that they are made of.

pub(super) mod light_kind;
pub(super) mod screen;
pub(super) mod shader;
pub(super) mod surface;
