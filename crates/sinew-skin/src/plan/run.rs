//! Runs of blocks with the same number of joints, and their weights.

use sinew_math::simd::{LANES, Row};

/// Max number of joints of a set in shared blocks. Larger sets go into mixed blocks.
pub(crate) const MAX_SHARED: usize = 8;

/// The format in which weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WeightFormat {
    /// 32-bit floats, without loss.
    #[default]
    F32,
    /// Multiples of 1/65535 in 16 bits: half the memory, with an error of up to 8e-6.
    U16,
}

/// Blocks that the same loop skins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The blocks are `first_block..first_block + blocks`.
    pub first_block: usize,
    pub blocks: usize,
    /// The number of joints per vertex.
    pub width: usize,
    /// True if all vertices of the run have the same joints.
    pub shared: bool,
    /// Index of the first joint, of `width` joints or, in a mixed run, `width` rows per block.
    pub first_joint: usize,
    /// The index of the first row of weights.
    pub first_weight: usize,
    /// The index of the first patch in `SkinPlan::patches`, for a mixed run.
    pub first_patch: usize,
}

impl Run {
    /// Number of stored rows of weights per block. The first weight is 1 minus the others.
    pub fn weight_rows(&self) -> usize {
        self.width - 1
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Weights {
    F32(Vec<Row>),
    U16(Vec<[u16; LANES]>),
}
