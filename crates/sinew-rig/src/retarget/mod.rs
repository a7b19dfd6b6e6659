//! Motion that fits another body: other names, rest pose, axes, bone lengths, spine and finger counts.
//!
//! [`pair_joints`] finds who follows whom ([`find_roles`] tells what joints are for by their names), or
//! a map says so ([`pairs_from_names`]); [`retarget`] carries a clip over. How joints follow stands at the
//! head of `follow::rotation_rules`, what keeps feet on the ground at the head of `feet::ground`.
//!
//! Bones keep the target's lengths. Where the hips go is scaled about the floor by how tall the hips are. The
//! floor is the plane through the origin, unless the rest pose, or for the source its motion, stands
//! elsewhere. Hands follow by their turns; on request they are brought to where the source's are.

mod body;
mod error;
mod feet;
mod follow;
mod limits;
mod options;
mod pairs;
mod report;
pub(crate) mod roles;
mod transfer;

pub use error::RetargetError;
pub use feet::contact::Contact;
pub use limits::{BipedLimits, with_biped_limits};
pub use options::RetargetOptions;
pub use pairs::{NameMap, Pair, check_limbs, names_of_pairs, pair_joints, pairs_from_names};
pub use report::{FootSlideReport, HandReport, NamedPair, RetargetReport, Retargeted};
pub use roles::{Roles, find_roles};
pub use sinew::skeleton::{Finger, Role, Side};
pub use transfer::{retarget, retarget_watched};
