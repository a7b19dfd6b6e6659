//! From markers on a moving body to the motion of its skeleton.

mod trial;

pub use trial::{Gap, Sighting, Trial};
