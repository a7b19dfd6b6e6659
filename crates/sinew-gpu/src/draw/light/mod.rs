//! Light of a picture: sun, lamps and sky, and lamps of files.

pub(crate) mod file_lights;
pub(crate) mod lighting;
