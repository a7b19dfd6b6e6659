use std::fmt::{self, Display};
use std::path::PathBuf;

/// A location in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLocation {
    /// Line number, counted from 1.
    pub line: usize,
    /// Byte in the line, counted from 1.
    pub column: usize,
}

impl Display for TextLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The reason why a BVH file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BvhError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file does not begin with HIERARCHY.
    #[error("this is not a BVH file: it begins with {found:?}, not with HIERARCHY")]
    NotBvh {
        /// The first word of the file.
        found: String,
    },
    /// The text is UTF-16.
    #[error("the text is UTF-16; save it as UTF-8 or plain ASCII")]
    Utf16,
    /// A word differs from the expected word.
    #[error(
        "{location}: expected {expected}, found {found:?}; correct it, or export the file again"
    )]
    Unexpected {
        /// Location of the word.
        location: TextLocation,
        /// The unexpected word.
        found: String,
        /// Description of the expected words.
        expected: &'static str,
    },
    /// A word is not a number.
    #[error("{location}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// Location of the word.
        location: TextLocation,
        /// The word that is not a number.
        found: String,
    },
    /// The file ends within the hierarchy.
    #[error(
        "{location}: the file ends inside joint {joint:?}, so it is incomplete; copy or export it again"
    )]
    CutOff {
        /// Location of the end.
        location: TextLocation,
        /// Name of the unclosed joint.
        joint: String,
    },
    /// The hierarchy has no joints.
    #[error("{location}: the hierarchy has no joints; expected ROOT here")]
    NoJoints {
        /// Location of the end of the hierarchy.
        location: TextLocation,
    },
    /// A frame has the wrong number of values.
    #[error(
        "{location}: the frame that begins here has {found} numbers, but there are {expected} channels; correct it, or export the file again"
    )]
    FrameLength {
        /// Location of the start of the frame.
        location: TextLocation,
        /// Number of values up to the end of the last line of the frame.
        found: usize,
        /// Number of channels.
        expected: usize,
    },
    /// There are so many frames that two have the same time in single precision.
    #[error(
        "{frames} frames are too many for times in single precision: frame {frame} has the same time as the frame before it; split the motion into parts"
    )]
    TooManyFrames {
        /// Number of frames.
        frames: usize,
        /// First frame with the same time as the frame before.
        frame: usize,
    },
    /// The file needs more memory than its size justifies.
    #[error(
        "{location}: memory for {what} would exceed the limit of {limit} bytes for a file of this size"
    )]
    MemoryLimit {
        /// Location in the text.
        location: TextLocation,
        /// Purpose of the memory.
        what: &'static str,
        /// Limit for the whole import, in bytes.
        limit: usize,
    },
    /// The joints do not form a skeleton.
    #[error("the joints do not form a skeleton: {0}")]
    Skeleton(#[from] sinew::SkeletonError),
    /// The frames do not form a clip.
    #[error("the frames do not form a clip: {0}")]
    Track(#[from] sinew::TrackError),
}

/// The reason why a character cannot be written as BVH.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BvhExportError {
    /// The parts of the character are not consistent.
    #[error(transparent)]
    Character(#[from] sinew::CharacterError),
    /// The requested clip does not exist.
    #[error("there is no clip {index}; the number of clips is {len}")]
    NoClip {
        /// Index of the requested clip.
        index: usize,
        /// Number of clips.
        len: usize,
    },
    /// The requested rate is not positive and finite.
    #[error("{fps} is not a frame rate; choose a number above 0")]
    Rate {
        /// The requested rate, in frames per second.
        fps: f64,
    },
    /// The motion has too many frames.
    #[error("{frames} frames are too many for a BVH file; choose a lower frame rate")]
    TooLong {
        /// Number of frames that the file would have.
        frames: usize,
    },
    /// The transform of a joint is not finite.
    #[error("joint {joint:?} has a position or rotation that is infinite or not a number")]
    NotFinite {
        /// Name of the joint.
        joint: String,
    },
}
