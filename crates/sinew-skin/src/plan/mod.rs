//! Vertices sorted once by their joints, so that they can be skinned by joint set.
//!
//! Most characters use few distinct joint sets. Sixteen vertices of one set form a *shared* block:
//! its matrices are broadcast and its weights are lanes. The rest of each set is in *mixed* blocks,
//! in which every lane has its own joints. Only the last block can have empty lanes.
//!
//! Mixed blocks are in descending order of influences. So the padding of blocks with unequal
//! vertices is always less than one block of the greatest width.

mod run;
mod skin_plan;
mod sort;
mod streams;

pub use run::WeightFormat;
pub(crate) use run::{MAX_SHARED, Run, Weights};
pub use skin_plan::SkinPlan;
pub use streams::{Block, Streams};
