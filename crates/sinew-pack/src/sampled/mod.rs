//! A clip evaluated in `f64`, at any time or at frames of equal spacing.

pub(crate) mod frames;
pub(crate) mod rows;
pub(crate) mod source;
