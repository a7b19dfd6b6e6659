//! Options of an export.

/// The `OFFSET` that is written of joints that have position channels. Readers do not agree on such joints: for most
/// (Blender and this crate among them) positions replace the offset, for three.js they are added to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovedOffsets {
    /// Zero, so that every reader sees the same motion; where these joints rest is lost.
    #[default]
    Zero,
    /// The position at rest, so that a BVH file that was read is written with the same rest pose.
    Rest,
}

/// The options of an export.
#[derive(Clone, Copy, Debug, Default)]
pub struct BvhOptions {
    /// The clip: a BVH file holds one. The first where none is named.
    pub clip: Option<usize>,
    /// Frames per second; where none are given, the rate of the clip's keys, or 60 where they have none.
    pub fps: Option<f64>,
    /// The offset of joints that have position channels.
    pub offsets: MovedOffsets,
}
