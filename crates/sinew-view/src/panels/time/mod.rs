//! Panels of time: the timeline with its buttons and rows, and the plot of deformation above it.

pub(super) mod deformation;
mod keys;
mod rows;
mod ruler;
pub(super) mod timeline;
mod transport;
