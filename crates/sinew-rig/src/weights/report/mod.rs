//! Checks of a binding: torn edges, lost volume, and warnings.

mod beyond;
mod chains;
pub(super) mod motions;
mod stretches;
pub(super) mod summary;
pub(super) mod tears;
mod trial;
pub(super) mod volume;
pub(super) mod warnings;
mod welds;

pub use summary::{BindReport, ClothPiece};
pub use trial::trial_clip;
