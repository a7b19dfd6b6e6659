//! Reasons why a clip cannot be packed.

use thiserror::Error;

/// The reason why a clip cannot be packed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PackError {
    /// A bound or shell that is no length.
    #[error("the {what} must be a length above 0, not {found}")]
    NotALength {
        /// The option.
        what: &'static str,
        /// The value that was given.
        found: f32,
    },
    /// Keys hold `model_from_joint`.
    #[error("the clip is in model space; sample it into local transforms first")]
    ModelSpace,
    /// A track of a joint that the skeleton does not have.
    #[error("there is a track for joint {joint}, and the skeleton has {joints} joints")]
    NoSuchJoint {
        /// The track's joint.
        joint: usize,
        /// The number of joints.
        joints: usize,
    },
    /// A track that does not have the width of what it drives.
    #[error("joint {joint}: a track has {found} numbers a key and not {wanted}")]
    Width {
        /// The track's joint.
        joint: usize,
        /// The number of values per key that the channel needs.
        wanted: usize,
        /// The number of values per key of the track.
        found: usize,
    },
    /// Clip and skeleton differ.
    #[error("the clip was packed for {found} joints, and the skeleton has {wanted}")]
    Joints {
        /// Joints of the skeleton.
        wanted: usize,
        /// Joints of the clip.
        found: usize,
    },
    /// A bound that the clip's own numbers are too coarse for.
    #[error(
        "the bound of {asked} is finer than the clip's own numbers: as it is, it is within {reached}; ask for no less than that"
    )]
    TooFine {
        /// The bound.
        asked: f32,
        /// The error with every track as it is.
        reached: f32,
    },
    /// Numbers so large that what lies between keys is none.
    #[error(
        "joint {joint}: the numbers of a track are so large that it is not finite between keys; scale the clip down"
    )]
    NotFinite {
        /// The track's joint.
        joint: usize,
    },
    /// More than four gigabytes.
    #[error("the clip does not fit into a file of four gigabytes; split it")]
    TooLarge,
}
