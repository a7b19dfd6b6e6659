//! Checked state machines, with indices instead of names.

mod blend_space;
mod bound;
mod build;
mod context;
mod graph;
mod shared;

pub(super) use blend_space::MAX_CLIPS;
pub use graph::Graph;
pub use shared::CurveInfo;
pub(super) use shared::{CheckedCondition, CheckedLayer, CheckedMode, CheckedTransition, Shared};
