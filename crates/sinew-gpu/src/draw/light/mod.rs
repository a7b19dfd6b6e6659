//! Light of a picture: sun, lamps, sky, and the lights of files.

pub(crate) mod file_lights;
pub(crate) mod lighting;
