//! Pieces of a mesh: bodies, loose parts, cloth, and ends of the flesh.

pub(super) mod bodies;
pub(super) mod cloth;
pub(super) mod ends;
mod inpaint;
mod nearest;
pub(super) mod parts;
