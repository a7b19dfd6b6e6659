//! Encodes tracks in few bits: every joint, parents first, relative to its decoded ancestors.

mod compensation;
mod decoded;
pub(crate) mod encoder;
mod fit;
mod joints;
mod lines;
pub(crate) mod motion_chunk;
pub(crate) mod plan;
pub(crate) mod quantise;
pub(crate) mod vectors;
