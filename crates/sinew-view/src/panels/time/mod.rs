//! Time panels: timeline, transport buttons, rows, and the plot of deformation.

pub(super) mod clipboard;
pub(super) mod controls;
mod curves;
pub(super) mod deformation;
mod dope;
mod fields;
mod flags;
mod graphs;
mod keys;
pub(super) mod menus;
mod rows;
mod ruler;
pub(super) mod timeline;
mod tools;
mod transport;
mod values;
