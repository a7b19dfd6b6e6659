//! A clip evaluated in `f64`: at any time, and at regular rows of frames.

pub(crate) mod frames;
pub(crate) mod rows;
pub(crate) mod source;
