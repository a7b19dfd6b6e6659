use thiserror::Error;

/// Pose of another skeleton, with the wrong number of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the pose has {found} joints instead of {wanted}: it belongs to another skeleton")]
#[non_exhaustive]
pub struct PoseMismatch {
    /// Number of joints of the pose.
    pub found: usize,
    /// Number of joints of the skeleton, or of the other pose.
    pub wanted: usize,
}

impl PoseMismatch {
    pub(crate) fn check(found: usize, wanted: usize) -> Result<(), Self> {
        match found == wanted {
            true => Ok(()),
            false => Err(Self { found, wanted }),
        }
    }
}
