//! Errors of measuring and cleaning motion.

use sinew::clip::ClipMismatch;
use thiserror::Error;

/// Reason why a motion cannot be measured or cleaned.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// The clip has fewer than two key times.
    #[error("the clip \"{clip}\" does not move: it has fewer than two keys; choose another clip")]
    Still {
        /// Name of the clip.
        clip: String,
    },
    /// The clip has more frames than fit into memory.
    #[error(
        "the clip \"{clip}\" has {frames} frames of {joints} joints, more than {max} in all; cut it into parts, or resample it"
    )]
    TooLong {
        /// Name of the clip.
        clip: String,
        /// Number of frames.
        frames: u64,
        /// Number of joints of the skeleton.
        joints: usize,
        /// Max number of frames times joints.
        max: usize,
    },
    /// The clip moves joints that the skeleton does not have.
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
    /// A joint is at infinity or not a number, for example under a joint of huge scale.
    #[error(
        "joint \"{joint}\" is not at a finite position in frame {frame}; repair its keys first"
    )]
    NotFinite {
        /// Name of the joint.
        joint: String,
        /// Index of the frame.
        frame: usize,
    },
    /// No joint of the reference has the name of a joint that is measured.
    #[error(
        "the reference has no joint with the name of a joint of the motion; give the same take as the reference"
    )]
    OtherReference,
    /// An option is not valid.
    #[error("the {what} {value} cannot be used; {expected}")]
    BadOption {
        /// Name of the option.
        what: &'static str,
        /// Given value.
        value: f64,
        /// Valid values, for the message.
        expected: &'static str,
    },
    /// A new key is not finite.
    #[error("the cleaned motion of joint \"{joint}\" is not finite: {source}")]
    BadKey {
        /// Name of the joint.
        joint: String,
        /// Cause.
        source: sinew::TrackError,
    },
}
