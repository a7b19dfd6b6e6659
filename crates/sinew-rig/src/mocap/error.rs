//! Reasons why no motion came of a trial.

use sinew::{SkeletonError, TrackError};
use thiserror::Error;

/// The reason why nothing was fitted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// A trial without frames.
    #[error("the trial has no frames")]
    NoFrames,
    /// A rate that gives no times.
    #[error("the trial has {rate_hz} frames per second; that should be a number above 0")]
    Rate {
        /// The rate of the trial.
        rate_hz: f64,
    },
    /// No label in common.
    #[error(
        "none of the trial's labels ({found}) is in the marker set ({wanted}); write a marker file with the trial's labels"
    )]
    NoKnownLabels {
        /// Labels of the trial.
        found: String,
        /// Labels of the set.
        wanted: String,
    },
    /// The set is made for another skeleton.
    #[error(
        "the marker set puts \"{label}\" on the joint \"{joint}\", and none of its joints is in the skeleton ({known}); write a marker file with the skeleton's joints"
    )]
    NoKnownJoints {
        /// The first label in common.
        label: String,
        /// Its joint.
        joint: String,
        /// Joints that there are.
        known: String,
    },
    /// A position that is no number.
    #[error("the offset of marker \"{label}\" is not finite; correct the marker set")]
    BadOffset {
        /// The label of one of the markers.
        label: String,
    },
    /// Not enough to place a body.
    #[error(
        "in no frame are three known markers seen that do not lie on one line, so nothing says where the body is; {markers} known markers are in the trial"
    )]
    NeverPlaced {
        /// The number of markers that are known at all.
        markers: usize,
    },
    /// The joints that came out are no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The keys that came out are no motion.
    #[error(transparent)]
    Track(#[from] TrackError),
}
