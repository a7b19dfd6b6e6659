//! Makes characters: from nothing but a mesh and a skeleton, or from nothing at all.

pub mod mannequin;
pub mod mocap;
pub mod template;
