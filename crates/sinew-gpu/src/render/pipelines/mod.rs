//! Pipelines shared by several passes, and their shader modules.

pub(super) mod light_kind;
pub(super) mod screen;
pub(super) mod shader;
pub(super) mod surface;
