//! Inverse kinematics: from where a hand should be to the turns of the joints above it.
//!
//! Each solver is a function on a [`LocalPose`](crate::LocalPose) that returns a report and takes no
//! memory; what is refused is refused before the pose is touched. Limits of the skeleton hold in
//! every result, for the joints that a solver may turn; joints that came in beyond their limits are
//! brought within them.
//!
//! A goal seldom has one solution. Of several, each solver takes the one that is near to the incoming
//! pose, in its own sense, which its documentation states; so a solver that is given last frame's pose
//! moves on from there and does not jump. All compute in a fixed order: the same bits on every machine.
//! The closed forms of the usual arm and aim are lanes of `f32` (`lanes`), all else is `f64`.
//!
//! | solver | turns | for |
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
pub use ccd::ccd;
pub use chain::{Chain, ChainOptions, ChainReport};
pub use dls::{Dls, DlsOptions, DlsReport, Goal, GoalKind, GoalReport};
pub use error::IkError;
pub use fabrik::fabrik;
pub use feet::{Foot, FootPlacement, FootReport, place_feet};
pub use tip::Tip;
pub use two_bone::{TwoBone, TwoBoneReport, two_bone};
