//! Pictures of a character in a studio.

mod file_camera;
mod framing;
mod front;
mod joint_names;
mod options;
mod posed;
mod shot;

pub use framing::grid_spacing;
pub use front::{Front, FrontRule, find_front};
pub use options::{Backdrop, FloorHeight, Framed, ShotOptions};
pub use shot::{Shot, label, method_name};
