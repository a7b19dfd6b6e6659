//! The light of a picture: sun, lamps and sky, and the lamps that a file has.

pub(crate) mod file_lights;
pub(crate) mod lighting;
