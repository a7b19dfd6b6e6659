//! Weights changed by hand, and given ones kept away from joints.

mod adjust;
mod brush;
pub(super) mod correct;
mod mirror;

pub use adjust::{Adjust, AdjustError, MAX_SMOOTHING};
pub use brush::{Brush, Falloff, Mirror, Stroke};
