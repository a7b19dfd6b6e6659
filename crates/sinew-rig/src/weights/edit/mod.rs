//! Edits weights by hand, and corrects given weights near joints.

mod adjust;
mod brush;
pub(super) mod correct;
mod mirror;

pub use adjust::{Adjust, AdjustError, MAX_SMOOTHING};
pub use brush::{Brush, Falloff, Mirror, Stroke};
