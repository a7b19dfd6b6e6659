//! Vertices sorted once by the joints that move them, so that they can be skinned by joint set.
//!
//! Most characters use few distinct joint sets. Sixteen vertices of one set make a *shared* block:
//! its matrices are broadcast and its weights are lanes. What is left over, fewer than sixteen
//! vertices a set, goes into *mixed* blocks, where every lane has its own joints. Only the very last
//! block can have empty lanes.
//!
//! Mixed blocks come in descending order of influences: what blocks of unequal vertices store for
//! nothing then adds up to less than one block of the widest, whatever the mesh.

mod run;
mod skin_plan;
mod sort;
mod streams;

pub use run::WeightFormat;
pub(crate) use run::{MAX_SHARED, Run, Weights};
pub use skin_plan::SkinPlan;
pub use streams::{Block, Streams};
