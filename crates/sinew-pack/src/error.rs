//! Errors of packing.

use thiserror::Error;

/// Reason why a clip cannot be packed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PackError {
    /// The bound or the shell distance is not a length above 0.
    #[error("the {what} must be above 0, not {found}")]
    NotALength {
        /// Name of the option.
        what: &'static str,
        /// Value that was given.
        found: f32,
    },
    /// The clip is in model space. Packing needs local transforms.
    #[error("the clip is in model space; sample it into local transforms first")]
    ModelSpace,
    /// A track refers to a joint that the skeleton does not have.
    #[error("there is a track for joint {joint}, but the skeleton has {joints} joints")]
    NoSuchJoint {
        /// Joint index of the track.
        joint: usize,
        /// Number of joints of the skeleton.
        joints: usize,
    },
    /// A track has the wrong number of values per key for its channel.
    #[error("joint {joint}: a track has {found} numbers per key instead of {expected}")]
    Width {
        /// Joint index of the track.
        joint: usize,
        /// Values per key that the channel needs.
        expected: usize,
        /// Values per key of the track.
        found: usize,
    },
    /// The clip was packed for another number of joints.
    #[error("the clip was packed for {found} joints, but the skeleton has {expected}")]
    Joints {
        /// Number of joints of the skeleton.
        expected: usize,
        /// Number of joints of the clip.
        found: usize,
    },
    /// The bound is below the rounding error of the clip's own numbers.
    #[error(
        "the error bound {requested} is below the precision of the clip's numbers; the smallest possible bound is {reached}"
    )]
    TooFine {
        /// Requested bound.
        requested: f32,
        /// Error if every track is stored unchanged, which is the smallest possible bound.
        reached: f32,
    },
    /// A track has values so large that interpolation between keys is not finite.
    #[error(
        "joint {joint}: the values of a track are too large to interpolate between keys; scale the clip down"
    )]
    NotFinite {
        /// Joint index of the track.
        joint: usize,
    },
    /// One of several clips cannot be packed.
    #[error("clip \"{name}\": {source}")]
    InClip {
        /// Name of the clip.
        name: String,
        /// Cause of the error.
        source: Box<Self>,
    },
    /// The clip does not fit into four gigabytes.
    #[error("the packed clip would exceed four gigabytes; split the clip")]
    TooLarge,
}
