//! A character in a studio.

mod framing;
mod front;
mod joint_names;
mod posed;
mod shot;

pub use framing::{FloorHeight, Framed};
pub use front::{Front, FrontRule, find_front};
pub use shot::{Backdrop, Shot, ShotOptions, label, method_name};
