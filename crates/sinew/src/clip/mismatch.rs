use thiserror::Error;

/// Clip that was made for another skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the clip moves {found} joints, but the skeleton has {expected}: it was made for another skeleton; retarget it, or match joints by name (`Clip::remapped`)"
)]
#[non_exhaustive]
pub struct ClipMismatch {
    /// Number of joints that the clip needs.
    pub found: usize,
    /// Number of joints of the skeleton.
    pub expected: usize,
}

impl ClipMismatch {
    pub(super) fn check(found: usize, expected: usize) -> Result<(), Self> {
        match found <= expected {
            true => Ok(()),
            false => Err(Self { found, expected }),
        }
    }
}
