//! Input of a search: the meshes of a character as one surface, and names for hints.

pub(super) mod joined;
pub(super) mod words;
