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
    /// The frame rate is 0, negative or not a number.
    #[error("the trial has {rate_hz} frames per second; the rate must be above 0")]
    Rate {
        /// Rate of the trial, in hertz.
        rate_hz: f64,
    },
    /// Trial and marker set have no label in common.
    #[error(
        "no label of the trial ({found}) is in the marker set ({expected}); write a marker file with the labels of the trial"
    )]
    NoKnownLabels {
        /// Labels of the trial, shortened to fit the message.
        found: String,
        /// Labels of the marker set, shortened to fit the message.
        expected: String,
    },
    /// The skeleton has none of the joints of the marker set.
    #[error(
        "the marker set puts \"{label}\" on the joint \"{joint}\", but no joint of the marker set is in the skeleton ({known}); write a marker file with the joints of the skeleton"
    )]
    NoKnownJoints {
        /// First label that is in both the trial and the marker set.
        label: String,
        /// Joint that the marker set gives to that label.
        joint: String,
        /// Joints of the skeleton, shortened to fit the message.
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
