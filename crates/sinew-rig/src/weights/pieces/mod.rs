//! Pieces of a mesh: bodies that touch, loose parts, cloth, and the ends of the flesh.

pub(super) mod bodies;
pub(super) mod cloth;
pub(super) mod ends;
mod inpaint;
mod nearest;
pub(super) mod parts;
