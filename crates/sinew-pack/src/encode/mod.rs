//! Tracks to few bits: every joint, parents first, on top of what its ancestors decode to.

mod compensation;
mod decoded;
pub(crate) mod encoder;
mod fit;
mod joints;
mod lines;
pub(crate) mod motion_chunk;
pub(crate) mod plan;
mod quantise;
pub(crate) mod vectors;
