//! A character in a studio.

mod shot;

pub use shot::{Backdrop, Shot, ShotOptions, label, method_name};
