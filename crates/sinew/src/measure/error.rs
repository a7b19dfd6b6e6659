use crate::deform::DeformError;
use thiserror::Error;

/// Max number of frames that [`frame_times`](super::frame_times) returns.
pub const MAX_FRAMES: usize = 100_000;

/// Error while a character is measured.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// Missing clip, or a mesh that does not fit its skin.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// Character without skinned vertices.
    #[error("no skin moves any vertex of this character")]
    NothingSkinned,
    /// Pose of another skeleton.
    #[error("pose {pose} has {found} joints, but the skeleton has {expected}")]
    PoseLength {
        /// Index of the pose.
        pose: usize,
        /// Number of joints of the pose.
        found: usize,
        /// Number of joints of the skeleton.
        expected: usize,
    },
    /// Rate or duration that gives no frames or too many frames.
    #[error("{duration_secs} s at {fps} frames per second do not make 1 to {MAX_FRAMES} frames")]
    Frames {
        /// Duration of the motion, in seconds.
        duration_secs: f64,
        /// Frames per second.
        fps: f64,
    },
}
