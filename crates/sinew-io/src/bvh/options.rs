/// The `OFFSET` of joints with position channels. In most readers, such as Blender and this crate,
/// the position replaces the offset. In three.js it is added to the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovedOffsets {
    /// Zero. Every reader shows the same motion, but the rest position of these joints is lost.
    #[default]
    Zero,
    /// The rest position. An import of the file gives the same rest pose.
    Rest,
}

/// Options for BVH export.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BvhOptions {
    /// Index of the clip to write. Default 0. A BVH file holds one clip.
    pub clip: Option<usize>,
    /// Frames per second. Default: the rate of the keys of the clip, or 60 if they are not regular.
    pub fps: Option<f64>,
    /// The offset of joints with position channels. Default: zero.
    pub offsets: MovedOffsets,
}

impl BvhOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            clip: None,
            fps: None,
            offsets: MovedOffsets::Zero,
        }
    }

    /// Sets [`BvhOptions::clip`].
    #[must_use]
    pub const fn clip(mut self, clip: Option<usize>) -> Self {
        self.clip = clip;
        self
    }

    /// Sets [`BvhOptions::fps`].
    #[must_use]
    pub const fn fps(mut self, fps: Option<f64>) -> Self {
        self.fps = fps;
        self
    }

    /// Sets [`BvhOptions::offsets`].
    #[must_use]
    pub const fn offsets(mut self, offsets: MovedOffsets) -> Self {
        self.offsets = offsets;
        self
    }
}
