//! Many frames of one skeleton as plain arrays, for data sets and other languages.
//!
//! An array holds the joints of the first frame, then those of the second frame, and so on.
//! Rotations are unit quaternions x, y, z, w. [`Frames`] refers to arrays of local poses,
//! [`forward_kinematics`] computes model poses from them, [`skin_frames`] vertices and
//! [`Clip::from_frames`](crate::Clip::from_frames) a clip. [`sample_times`] writes the poses of a
//! clip to arrays ([`FramesMut`]). [`Graph::record`](crate::graph::Graph::record) keeps what a state machine plays as a clip. [`rotations`] converts quaternions to other forms and back.

mod clips;
mod error;
mod forward;
mod frames;
mod recorded;
pub mod rotations;
mod sampled;
mod skinned;

pub use error::BatchError;
pub use forward::forward_kinematics;
pub use frames::{Frames, Translations};
pub use recorded::{Entered, RecordError, Recording, Setting};
pub use sampled::{FramesMut, sample_times};
pub use skinned::skin_frames;
