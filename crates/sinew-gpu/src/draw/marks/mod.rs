//! Marks over a picture: lines, letters and dust.

pub(crate) mod dust;
pub(crate) mod lines;
pub(crate) mod stroke_font;
