//! Inverse kinematics: rotations of joints from a goal, for example the position of a hand.
//!
//! A solver is a function of a skeleton, a [`LocalPose`](crate::LocalPose), the model transform of
//! the parent of the chain, and a job ([`TwoBone`], [`Aim`], [`Ccd`], [`Fabrik`], [`DlsJob`]).
//! [`place_feet`] reads and updates the whole [`ModelPose`](crate::ModelPose) instead of the
//! transform; its job [`Feet`] has the transform of the root. A solver returns its result and does
//! not allocate. On an error, the pose is unchanged. Every job is also a
//! [`Solve`](crate::rig::Solve) for [`Actor::solve`](crate::Actor::solve). A solver leaves all
//! joints of its chain within their limits, even if the input pose exceeds the limits.
//!
//! Most goals have many solutions. Each solver chooses a solution near the input pose. To avoid
//! jumps, start from the pose of the last frame. All machines give the same bits. The fast paths of
//! `two_bone` and `aim` use `f32`, all other code uses `f64`.
//!
//! | solver | rotates | use |
//! |---|---|---|
//! | [`two_bone`] | two joints, in closed form | arms and legs |
//! | [`aim`] | joints along a chain, in closed form | eyes, heads, turrets |
//! | [`ccd`] | a chain, joint by joint from the tip | tails, tentacles, robots of hinges |
//! | [`fabrik`] | a chain that follows its tip like a rope | ropes, spines |
//! | [`dls`] | the whole tree, by damped least squares | bodies with many goals |
//! | [`place_feet`] | legs, ankles and the pelvis | uneven ground |
//!
//! `cargo run --example two_bone`:
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
pub use dls::{Dls, DlsJob, DlsOptions, DlsReport, Goal, GoalKind, GoalReport, dls};
pub use error::IkError;
pub use fabrik::{Fabrik, fabrik};
pub use feet::{Feet, Foot, FootPlacement, FootReport, place_feet};
pub use tip::Tip;
pub use two_bone::{TwoBone, TwoBoneReport, two_bone};
