//! Many who play one rig, drawn together: their order, their bounds and their levels of detail.

mod bounds;
pub(crate) mod drawn;
mod order;
mod simplify;
