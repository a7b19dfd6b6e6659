use crate::clip::{ClipMismatch, TrackError};
use crate::rig::ActorError;
use thiserror::Error;

/// Error of a function of [`batch`](crate::batch). Outputs are then incomplete.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// Array whose length is not that of the others.
    #[error("{what} has {found} elements instead of {expected}, which is {meaning}")]
    Length {
        /// Name of the array.
        what: &'static str,
        /// Number of elements.
        found: usize,
        /// Number of elements needed.
        expected: usize,
        /// Meaning of the expected number, such as "frames × joints".
        meaning: &'static str,
    },
    /// Array that ends within a frame.
    #[error(
        "{what} has {found} elements, which is not a whole number of frames of {joints} joints"
    )]
    Ragged {
        /// Name of the array.
        what: &'static str,
        /// Number of elements.
        found: usize,
        /// Number of joints of the skeleton.
        joints: usize,
    },
    /// Numbers that describe no rotation.
    #[error(
        "element {index} is not a rotation: it is not finite, mirrors, or its axes are zero or parallel"
    )]
    NoRotation {
        /// Index of the element.
        index: usize,
    },
    /// Rotation of another length than 1.
    #[error("rotation {index} is not a unit quaternion; normalise the rotations")]
    NotUnit {
        /// Index of the rotation.
        index: usize,
    },
    /// Keys that a track refuses.
    #[error("{channel} of joint {joint}: {source}")]
    Track {
        /// Channel of the joint.
        channel: &'static str,
        /// Index of the joint.
        joint: usize,
        /// Cause of the error.
        source: TrackError,
    },
    /// Key times that do not ascend or are not finite.
    #[error("times: {0}")]
    Times(#[source] TrackError),
    /// Clip of another skeleton.
    #[error(transparent)]
    Clip(#[from] ClipMismatch),
    /// Frame that cannot be skinned.
    #[error("frame {frame}: {source}")]
    Skin {
        /// Index of the frame.
        frame: usize,
        /// Cause of the error.
        source: ActorError,
    },
}

impl BatchError {
    pub(super) fn check(
        what: &'static str,
        found: usize,
        expected: usize,
        meaning: &'static str,
    ) -> Result<(), Self> {
        match found == expected {
            true => Ok(()),
            false => Err(Self::Length {
                what,
                found,
                expected,
                meaning,
            }),
        }
    }
}
