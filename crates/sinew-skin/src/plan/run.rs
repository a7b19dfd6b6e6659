//! Runs of blocks that are skinned alike, and their weights.

use sinew_math::simd::{LANES, Row};

/// Sets of more joints than this go into mixed blocks.
pub(crate) const MAX_SHARED: usize = 8;

/// The format in which weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WeightFormat {
    /// As they are.
    #[default]
    F32,
    /// As 65535ths: half the memory, off by at most 8e-6.
    U16,
}

/// A run of blocks that are skinned alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its blocks: `first_block..first_block + blocks`.
    pub first_block: usize,
    pub blocks: usize,
    /// Joints a vertex.
    pub width: usize,
    /// True if all vertices of the run have the same joints.
    pub shared: bool,
    /// The index of its first joint: `width` of them when shared, else `width` rows a block.
    pub first_joint: usize,
    /// The index of its first row of weights.
    pub first_weight: usize,
    /// The index of its first patch (`SkinPlan::patches`), when not shared.
    pub first_patch: usize,
}

impl Run {
    /// Rows of weights a block. The first joint's is left out: it is what the others leave of 1.
    pub fn weight_rows(&self) -> usize {
        self.width - 1
    }
}

/// Rows of weights in either format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Weights {
    F32(Vec<Row>),
    U16(Vec<[u16; LANES]>),
}
