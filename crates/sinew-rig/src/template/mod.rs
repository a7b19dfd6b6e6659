//! Template skeletons: a biped, a quadruped and a chain, as editable joints in model space.
//!
//! A template has joint positions, but no joint frames. [`Template::skeleton`] computes the frames:
//! y points along the bone to the next joint, z to the front of the bone. A natural bend (elbow,
//! knee, finger, bow) is a positive angle about x on both sides of the body. To mirror a pose of
//! the left side, negate y and z of its rotations.
//!
//! Names: `hips`, `spine_1` upward, `chest`, `neck`, `head`. On each side, with `left_` or
//! `right_`: `shoulder`, `upper_arm`, `lower_arm`, `hand`, `thumb_1` to `thumb_3` and so on for
//! `index`, `middle`, `ring` and `little`, `upper_leg`, `lower_leg`, `foot`, `toes`.

mod biped;
mod chain;
mod draft;
mod embed;
mod engine_names;
mod error;
mod fit;
mod joints;
mod quadruped;

pub use biped::{Biped, FINGERS};
pub use chain::BoneChain;
pub use engine_names::Engine;
pub use error::TemplateError;
pub use joints::{Template, TemplateJoint};
pub use quadruped::Quadruped;
