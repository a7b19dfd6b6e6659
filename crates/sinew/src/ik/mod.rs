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
//! The closed forms of the usual arm and aim are lanes of `f32` (`quick`), all else is `f64`.
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
mod fabrik;
mod fast_path;
mod feet;
mod frame;
mod framed;
mod hinge;
mod restarts;
mod two_bone;
mod weight;

pub use aim::{Aim, AimReport, Share, Up, aim};
pub use ccd::ccd;
pub use chain::{Chain, ChainOptions, ChainReport};
pub use dls::{Dls, DlsOptions, DlsReport, Goal, GoalKind, GoalReport};
pub use fabrik::fabrik;
pub use feet::{Foot, FootPlacement, FootReport, place_feet};
pub use two_bone::{TwoBone, TwoBoneReport, two_bone};

use crate::pose::PoseMismatch;
use glam::Vec3;
use thiserror::Error;

/// A point that is carried by a joint and wants to be somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// The joint that carries it.
    pub joint: usize,
    /// Where it is in that joint's frame.
    pub offset: Vec3,
}

impl Tip {
    /// The joint's own origin.
    pub const fn of(joint: usize) -> Self {
        Self {
            joint,
            offset: Vec3::ZERO,
        }
    }
}

/// How near to its goal a tip has to come to count as there, in lengths of its chain.
const REACHED: f64 = 1e-4;

/// The reason why a solver left the pose as it was.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IkError {
    /// The pose is of another skeleton.
    #[error("the pose has {pose} joints and the skeleton {skeleton}")]
    OtherSkeleton {
        /// Joints of the pose.
        pose: usize,
        /// Joints of the skeleton.
        skeleton: usize,
    },
    /// An index that is no joint's.
    #[error("there is no joint {joint}: the skeleton has {joints}")]
    NoSuchJoint {
        /// What was asked for.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// A chain that does not lead from its first joint outward to its last, or goes in a circle.
    #[error(
        "joint \"{joint}\" does not hang from \"{above}\": name the joints of a chain from the body outward"
    )]
    NotBelow {
        /// The joint that should be further out.
        joint: String,
        /// The one that should be nearer to the body.
        above: String,
    },
    /// A goal, pole, axis or weight that is not a finite number.
    #[error("joint \"{joint}\": its {what} is not finite")]
    NotFinite {
        /// The joint that it is for.
        joint: String,
        /// What it is.
        what: &'static str,
    },
    /// An axis without a direction.
    #[error("joint \"{joint}\": its {what} has no direction")]
    NoDirection {
        /// The joint that it is for.
        joint: String,
        /// What it is.
        what: &'static str,
    },
    /// Weights or shares below 0, or shares that sum to more than 1.
    #[error("joint \"{joint}\": its {what} must be from 0 to {most}")]
    OutOfRange {
        /// The joint that it is for.
        joint: String,
        /// What it is.
        what: &'static str,
        /// The most that it may be.
        most: f32,
    },
    /// A joint within the chain stretches along one axis more than along another.
    #[error(
        "joint \"{joint}\" is scaled unevenly, so bones below it change their length as they turn"
    )]
    UnevenScale {
        /// The joint.
        joint: String,
    },
    /// What stands above the chain flattens space, so no turn of the chain can be told from another.
    #[error("joint \"{joint}\": the frame that it stands in is flat or not finite")]
    FlatParent {
        /// The first joint of the chain.
        joint: String,
    },
    /// Nothing to solve: no joints, no bones of any length, no goals.
    #[error("{what}")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
}

impl From<PoseMismatch> for IkError {
    fn from(other: PoseMismatch) -> Self {
        Self::OtherSkeleton {
            pose: other.found,
            skeleton: other.wanted,
        }
    }
}
