//! Poses that do not belong together.

use thiserror::Error;

/// A pose of another skeleton: it has not the number of joints that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the pose has {found} joints where {wanted} are wanted: it is of another skeleton")]
#[non_exhaustive]
pub struct PoseMismatch {
    /// Joints of the pose.
    pub found: usize,
    /// Joints of the skeleton, or of the other pose.
    pub wanted: usize,
}

impl PoseMismatch {
    /// Refuses what has another number of joints than is wanted.
    pub(crate) fn check(found: usize, wanted: usize) -> Result<(), Self> {
        match found == wanted {
            true => Ok(()),
            false => Err(Self { found, wanted }),
        }
    }
}
