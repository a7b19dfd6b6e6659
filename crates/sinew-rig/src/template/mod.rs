//! Skeletons to start from: a biped and a chain, drawn as joints in the model and edited as such.
//!
//! A template holds where each joint is, not how its frame is turned. [`Template::skeleton`] finds the
//! frames: y points down the bone, to the joint that comes next, z to the bone's front, and a bend in
//! the natural sense (elbow, knee, finger, bow) is a positive turn about x on both sides of the body.
//! A pose of the left side is mirrored to the right by negating y and z of its rotations.
//!
//! Names: `hips`, `spine_1` upward, `chest`, `neck`, `head`, and for each side, as `left_` or `right_`,
//! `shoulder`, `upper_arm`, `lower_arm`, `hand`, `thumb_1` to `thumb_3` and so on for `index`, `middle`,
//! `ring` and `little`, `upper_leg`, `lower_leg`, `foot`, `toes`.

mod biped;
mod chain;
mod draft;
mod embed;
mod error;
mod fit;
mod joints;

pub use biped::{Biped, FINGERS};
pub use chain::BoneChain;
pub use error::TemplateError;
pub use joints::{Template, TemplateJoint};
