/// The `OFFSET` of joints with position channels. Most readers, Blender and this crate among them, replace the offset
/// by the position; three.js adds the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovedOffsets {
    /// Zero: every reader sees the same motion, but the rest position of these joints is lost.
    #[default]
    Zero,
    /// The rest position: reading the file again gives the same rest pose.
    Rest,
}

/// Options of a BVH export.
#[derive(Clone, Copy, Debug, Default)]
pub struct BvhOptions {
    /// Index of the clip to write, default 0. A BVH file holds one clip.
    pub clip: Option<usize>,
    /// Frames per second. Default: the rate of the clip's keys, or 60 if they have none.
    pub fps: Option<f64>,
    /// The offset of joints with position channels.
    pub offsets: MovedOffsets,
}
