//! From markers on a moving body to the motion of its skeleton.
//!
//! A [`Trial`] holds what cameras saw, a [`MarkerSet`] says which marker sits where on which joint, and
//! [`Capture::fit`] scales a skeleton to the subject and solves for its motion. [`from_positions`] begins
//! from the places of joints instead.

mod body;
mod calibrate;
mod cholesky;
mod coordinates;
mod fit;
mod kabsch;
mod markers;
mod plug_in_gait;
mod positions;
mod solve;
mod trial;

pub use fit::{Bone, Capture, Carried, Fit, FitError, FitReport, MarkerReport};
pub use kabsch::{RigidFit, RigidFitError, rigid_fit};
pub use markers::{Marker, MarkerSet};
pub use positions::{PositionsError, from_positions};
pub use trial::{Gap, Sighting, Trial};
