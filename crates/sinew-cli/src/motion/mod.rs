//! Measures of motion as text, JSON and a drawing, for `sinew measure --motion` and `sinew clean`.

pub mod json;
pub mod picture;
pub mod text;
