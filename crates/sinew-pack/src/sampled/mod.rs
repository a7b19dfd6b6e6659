//! A clip in `f64`: evaluated at any time, and at regular rows of frames.

pub(crate) mod frames;
pub(crate) mod rows;
pub(crate) mod source;
