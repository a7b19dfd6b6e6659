//! Computes the motion of a skeleton from recorded markers.
//!
//! A [`Trial`] holds the sightings. A [`MarkerSet`] gives the joint and offset of each marker.
//! [`Capture::fit`] scales a skeleton to the subject and solves for its motion. [`from_positions`]
//! starts from joint positions instead.

mod calibrate;
mod error;
mod fit;
mod kabsch;
mod markers;
mod motion;
mod outcome;
mod plug_in_gait;
mod pose;
mod positions;
mod report;

pub use error::FitError;
pub use fit::{Capture, Progress};
pub use kabsch::{RigidFit, RigidFitError, rigid_fit};
pub use markers::{Marker, MarkerSet};
pub use outcome::Fit;
pub use positions::{PositionsError, from_positions};
pub use report::{Bone, Carried, FitReport, MarkerReport};
pub use sinew::markers::{Gap, Sighting, Trial};
