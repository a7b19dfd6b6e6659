//! Errors of fitting a trial.

use sinew::{SkeletonError, TrackError};
use thiserror::Error;

/// Reason why a trial cannot be fitted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The trial has no frames.
    #[error("the trial has no frames")]
    NoFrames,
    /// The frame rate is not above 0.
    #[error("the trial has {rate_hz} frames per second; the rate must be above 0")]
    Rate {
        /// Rate of the trial, in hertz.
        rate_hz: f64,
    },
    /// Trial and marker set have no label in common.
    #[error(
        "none of the trial's labels ({found}) is in the marker set ({wanted}); write a marker file with the trial's labels"
    )]
    NoKnownLabels {
        /// Labels of the trial, shortened.
        found: String,
        /// Labels of the set, shortened.
        wanted: String,
    },
    /// None of the set's joints is in the skeleton.
    #[error(
        "the marker set puts \"{label}\" on the joint \"{joint}\", and none of its joints is in the skeleton ({known}); write a marker file with the skeleton's joints"
    )]
    NoKnownJoints {
        /// First label in common.
        label: String,
        /// Joint of that label in the set.
        joint: String,
        /// Joints of the skeleton, shortened.
        known: String,
    },
    /// A marker offset is not finite.
    #[error("the offset of marker \"{label}\" is not finite; correct the marker set")]
    BadOffset {
        /// Label of the marker.
        label: String,
    },
    /// No frame shows three known markers that are not on one line.
    #[error(
        "no frame has three known markers that are not on one line, so the position of the body is unknown; the trial has {markers} known markers"
    )]
    NeverPlaced {
        /// Number of known markers in the trial.
        markers: usize,
    },
    /// The fitted joints are not a valid skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The fitted keys are not a valid track.
    #[error(transparent)]
    Track(#[from] TrackError),
}
