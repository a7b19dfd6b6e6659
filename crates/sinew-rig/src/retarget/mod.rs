//! Carries motion over to another body: other names, rest pose, axes, bone lengths, spine and finger counts.
//!
//! [`pair_joints`] pairs people's joints by role ([`find_roles`] finds roles by names) and those of other bodies by
//! equal names, or a map gives the pairs ([`pairs_from_names`]). [`stance_of`] tells people from four-legged animals. [`retarget`] carries a clip over. The module docs of `follow::rotation_rules` explain the
//! rules of joints, those of `feet::ground` the foot lock.
//!
//! Bones keep the target's lengths. The path of the hips scales with hip height, about the floor. The floor is the
//! plane through the origin, unless the rest pose, or the source's motion, stands elsewhere. Hands follow by
//! rotation; an option brings them to the source's positions.

mod body;
mod error;
mod feet;
mod follow;
mod legs;
mod limits;
mod options;
mod pairs;
mod report;
pub(crate) mod roles;
mod stance;
mod transfer;

pub use error::RetargetError;
pub use feet::contact::Contact;
pub use limits::{BipedLimits, with_biped_limits};
pub use options::RetargetOptions;
pub use pairs::{NameMap, Pair, check_limbs, names_of_pairs, pair_joints, pairs_from_names};
pub use report::{FootSlideReport, HandReport, NamedPair, RetargetReport, Retargeted};
pub use roles::{Roles, find_roles};
pub use sinew::skeleton::{Finger, Role, Side};
pub use stance::{Stance, stance_of};
pub use transfer::{retarget, retarget_watched};
