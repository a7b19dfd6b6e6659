//! Time panels: timeline, transport buttons, rows, and the plot of deformation.

pub(super) mod deformation;
mod keys;
mod rows;
mod ruler;
pub(super) mod timeline;
mod transport;
