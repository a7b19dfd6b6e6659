//! Scenes and characters made by code, for demos and tests.

pub mod bodies;
mod captured;
mod car;
mod exhibit;
mod figure;
mod grove;
#[cfg(feature = "gpu")]
mod grove_show;
mod humanoid;
mod load;
pub mod mannequin;
mod motion;
mod muscle;
#[cfg(feature = "gpu")]
mod noise;
mod parts;
mod robot_arm;
mod scara;
mod solar_system;
mod tube;

pub use car::{Car, Wheel, car_character};
pub use figure::Figure;
pub use grove::Grove;
#[cfg(feature = "gpu")]
pub use grove_show::{GROVE_NAMES, GroveShow};
pub use humanoid::{Humanoid, HumanoidAngles, HumanoidPart, humanoid_character};
pub use load::SkinLoad;
pub use motion::MotionLoad;
pub use muscle::muscle_character;
pub use robot_arm::{RobotArm, robot_arm_character};
pub use scara::scara_character;
pub use solar_system::solar_system_character;
pub use tube::tube_character;

/// Compiles the example of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
