//! Reasons why a BVH file was refused, and why one was not written.

use std::fmt::{self, Display};
use std::path::PathBuf;

/// A position in a text file, both counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The byte of the line.
    pub column: usize,
}

impl Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The reason why a BVH file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BvhError {
    /// The file itself could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// Something else than a BVH file.
    #[error("this is not a BVH file: it begins with {found:?}, not with HIERARCHY")]
    NotBvh {
        /// Its first word.
        found: String,
    },
    /// Text of two bytes a letter.
    #[error("the text is UTF-16; save it as UTF-8 or plain ASCII")]
    Utf16,
    /// A word where it cannot be.
    #[error(
        "{place}: {found:?} stands where {wanted} should be; correct it, or export the file again"
    )]
    Unexpected {
        /// The position in the text.
        place: TextPosition,
        /// The word.
        found: String,
        /// The words that could be there.
        wanted: &'static str,
    },
    /// Something that should be a number.
    #[error("{place}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// The position in the text.
        place: TextPosition,
        /// The word.
        found: String,
    },
    /// The file ends before its joints do.
    #[error(
        "{place}: the file ends inside joint {joint:?}; it was cut off, so copy or export it again"
    )]
    CutOff {
        /// The position of its end.
        place: TextPosition,
        /// The joint that is not closed.
        joint: String,
    },
    /// A hierarchy without joints.
    #[error("{place}: the hierarchy has no joints; there should be a ROOT here")]
    NoJoints {
        /// The position of its end.
        place: TextPosition,
    },
    /// Lines that do not make a frame.
    #[error(
        "{place}: the frame that begins here should have {wanted} numbers, one per channel, but its lines have {found}; \
         correct it, or export the file again"
    )]
    FrameLength {
        /// The position of the frame's begin.
        place: TextPosition,
        /// The number of numbers to the end of the line that has the last of them.
        found: usize,
        /// The number of channels.
        wanted: usize,
    },
    /// More frames than times can be told apart.
    #[error(
        "{frames} frames are too many: frame {frame} is at the time of the one before it, as times are in single \
         precision; cut the motion into parts"
    )]
    TooManyFrames {
        /// The number that there are.
        frames: usize,
        /// The first whose time is no later than the one before.
        frame: usize,
    },
    /// The file asks for more memory than its size justifies.
    #[error(
        "{place}: {what} would take the file past the limit of {limit} bytes of memory for a file of this size"
    )]
    MemoryLimit {
        /// The position in the text.
        place: TextPosition,
        /// The use of the memory.
        what: &'static str,
        /// The limit for the whole import.
        limit: usize,
    },
    /// The joints make no skeleton.
    #[error("no skeleton can be made of these joints: {0}")]
    Skeleton(#[from] sinew::SkeletonError),
    /// The frames make no clip.
    #[error("no clip can be made of these frames: {0}")]
    Track(#[from] sinew::TrackError),
}

/// The reason why a character could not be written as BVH.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BvhExportError {
    /// Parts of the character do not fit together.
    #[error(transparent)]
    Character(#[from] sinew::CharacterError),
    /// A clip that is not there.
    #[error("there is no clip {index}; there are {len}")]
    NoClip {
        /// The number asked for.
        index: usize,
        /// The number that there are.
        len: usize,
    },
    /// A rate that is none.
    #[error("{fps} frames per second are no rate")]
    Rate {
        /// The rate that was asked for.
        fps: f64,
    },
    /// More frames than a file can be made of.
    #[error("{frames} frames of all joints are too many for a BVH file; write fewer per second")]
    TooLong {
        /// The number that there would be.
        frames: usize,
    },
    /// A joint that is nowhere.
    #[error("joint {joint:?} is infinite or not a number in a frame")]
    NotFinite {
        /// Its name.
        joint: String,
    },
}
