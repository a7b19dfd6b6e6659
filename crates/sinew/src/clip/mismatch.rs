use thiserror::Error;

/// Clip that was made for another skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the clip moves {found} joints, but the skeleton has {wanted}: it was made for another skeleton; retarget it, or match joints by name (`Clip::remapped`)"
)]
#[non_exhaustive]
pub struct ClipMismatch {
    /// Number of joints that the clip needs.
    pub found: usize,
    /// Number of joints of the skeleton.
    pub wanted: usize,
}

impl ClipMismatch {
    pub(super) fn check(found: usize, wanted: usize) -> Result<(), Self> {
        match found <= wanted {
            true => Ok(()),
            false => Err(Self { found, wanted }),
        }
    }
}
