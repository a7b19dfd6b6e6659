//! Inverse kinematics: computes the rotations of joints from a goal, for example for a hand.
//!
//! Each solver is a function of a skeleton, a [`LocalPose`](crate::LocalPose), the transform above the chain
//! and a job ([`TwoBone`], [`Aim`], [`Ccd`], [`Fabrik`], [`DlsJob`], [`Feet`]). It returns a report and does
//! not allocate. An error leaves the pose unchanged. Every job is also a [`Solve`](crate::rig::Solve) for
//! [`Actor::solve`](crate::Actor::solve). Joints that a solver may rotate end within the limits of the
//! skeleton, even if the incoming pose does not respect them.
//!
//! A goal seldom has only one solution. Each solver chooses one near the incoming pose, as its documentation
//! states. To avoid jumps, start from the pose of the last frame. All computations have a fixed order, so
//! every machine gives the same bits. The fast paths of two-bone and aim use lanes of `f32` (`lanes`),
//! everything else `f64`.
//!
//! | solver | rotates | for |
//! |---|---|---|
//! | [`two_bone`] | two joints, in closed form | arms and legs |
//! | [`aim`] | joints along a chain, in closed form | eyes, heads, turrets |
//! | [`ccd`] | a chain, joint by joint from the tip | tails, tentacles, robots of hinges |
//! | [`fabrik`] | a chain, drawn along like a rope | ropes, spines |
//! | [`Dls`] | the whole tree, by damped least squares | bodies with many goals |
//! | [`place_feet`] | legs, ankles and the pelvis | uneven ground |
//!
//! `cargo run --example two_bone`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/two_bone.rs")]
#![doc = "```"]
//!
//! `cargo run --example look_at`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/look_at.rs")]
#![doc = "```"]
//!
//! `cargo run --example feet`:
//!
#![doc = "```"]
#![doc = include_str!("../../examples/feet.rs")]
#![doc = "```"]

mod aim;
mod align;
mod angles;
mod ccd;
mod chain;
mod dls;
mod error;
mod fabrik;
mod feet;
mod frame;
mod framed;
mod lanes;
mod restarts;
mod tip;
mod two_bone;
mod weight;

pub use aim::{Aim, AimReport, Share, Up, aim};
pub use ccd::{Ccd, ccd};
pub use chain::{Chain, ChainOptions, ChainReport};
pub use dls::{Dls, DlsJob, DlsOptions, DlsReport, Goal, GoalKind, GoalReport};
pub use error::IkError;
pub use fabrik::{Fabrik, fabrik};
pub use feet::{Feet, Foot, FootPlacement, FootReport, place_feet};
pub use tip::Tip;
pub use two_bone::{TwoBone, TwoBoneReport, two_bone};
