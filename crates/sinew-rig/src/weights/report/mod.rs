//! Results of a binding under trial: edges that tear, flesh that is lost, what a person should look at.

mod chains;
pub(super) mod summary;
pub(super) mod tears;
mod trial;
pub(super) mod volume;
pub(super) mod warnings;

pub use summary::{BindReport, ClothPiece};
pub use trial::trial_clip;
