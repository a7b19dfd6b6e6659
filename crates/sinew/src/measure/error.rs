//! Reasons why a character cannot be measured.

use crate::deform::DeformError;
use thiserror::Error;

/// Max frames that [`frame_times`](super::frame_times) gives.
pub const MAX_FRAMES: usize = 100_000;

/// The reason why a character could not be measured.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A clip that is not there, or a mesh that does not fit its skin.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// Nothing to measure.
    #[error("no skin moves any vertex of this character")]
    NothingSkinned,
    /// A pose of another skeleton.
    #[error("pose {pose} has {found} joints where the skeleton has {wanted}")]
    PoseLength {
        /// Index of the pose.
        pose: usize,
        /// Its joints.
        found: usize,
        /// The skeleton's.
        wanted: usize,
    },
    /// A rate or a duration that makes no frames, or too many.
    #[error("{duration_secs} s at {fps} frames per second do not make 1 to {MAX_FRAMES} frames")]
    Frames {
        /// Length of the motion.
        duration_secs: f64,
        /// Rate of the frames.
        fps: f64,
    },
}
