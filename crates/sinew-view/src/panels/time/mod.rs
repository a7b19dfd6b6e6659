//! Time panels: timeline, transport buttons, rows, and the plot of deformation.

mod curves;
pub(super) mod deformation;
mod dope;
mod keys;
mod rows;
mod ruler;
pub(super) mod timeline;
pub(super) mod tools;
mod transport;
