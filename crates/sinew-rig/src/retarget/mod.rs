//! Transfers motion to a body with other names, rest pose, axes, bone lengths or joint counts.
//!
//! [`pair_joints`] pairs the joints of people by role, those of other bodies by equal names, and
//! those of four-legged animals whose names differ by the shape of the bodies.
//! [`find_roles`] finds roles by names. [`pairs_from_names`] reads pairs from a map instead.
//! [`stance_of`] distinguishes people from four-legged animals. [`Retargeter`] transfers clips, and
//! [`retarget`] a single one.
//! `follow::rotation_rules` explains the rules for rotations, `feet::ground` the foot lock.
//!
//! The target keeps its bone lengths. The path of the hips scales with hip height, relative to the
//! floor. The floor is the plane through the origin, unless the rest pose or the motion of the
//! source stands elsewhere. Hands follow by rotation; an option moves them to the source positions.

mod animals;
pub(crate) mod body;
mod checks;
mod error;
pub(crate) mod feet;
pub(crate) mod follow;
mod legs;
pub(crate) mod limits;
mod options;
mod pair;
mod pairs;
mod report;
pub(crate) mod roles;
mod stance;
mod transfer;

pub use error::RetargetError;
pub use feet::contact::Contact;
pub use limits::{BipedLimits, with_biped_limits};
pub use options::RetargetOptions;
pub use pair::Pair;
pub use pairs::{NameMap, check_limbs, names_of_pairs, pair_joints, pairs_from_names};
pub use report::{FootSlideReport, HandReport, NamedPair, RetargetReport, Retargeted};
pub use roles::{Roles, find_roles};
pub use sinew::skeleton::{Finger, Role, Side};
pub use stance::{Stance, stance_of};
pub use transfer::{Retargeter, retarget};
