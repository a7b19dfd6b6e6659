//! Crowds of one rig: drawing order, bounds and levels of detail.

mod bounds;
pub(crate) mod drawn;
mod order;
mod simplify;
