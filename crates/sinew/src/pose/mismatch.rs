use thiserror::Error;

/// Pose of another skeleton, with the wrong number of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the pose has {found} joints instead of {expected}: it belongs to another skeleton")]
#[non_exhaustive]
pub struct PoseMismatch {
    /// Number of joints of the pose.
    pub found: usize,
    /// Number of joints of the skeleton, or of the other pose.
    pub expected: usize,
}

impl PoseMismatch {
    pub(crate) fn check(found: usize, expected: usize) -> Result<(), Self> {
        match found == expected {
            true => Ok(()),
            false => Err(Self { found, expected }),
        }
    }
}
