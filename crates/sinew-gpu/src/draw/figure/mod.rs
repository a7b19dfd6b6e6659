//! A whole character on the GPU: posed and skinned once, then drawn by every pass.

pub(crate) mod character;
pub(super) mod skinned;
pub(super) mod tangents;
