//! Motion that fits another body: other names, rest pose, axes, bone lengths, spine and finger counts.
//!
//! [`pair_joints`] finds who follows whom ([`find_roles`] tells what joints are for by their names), or
//! a map says so ([`pairs_from_names`]); [`retarget`] carries a clip over. How joints follow stands at the
//! head of `rules`, what keeps feet on the ground at the head of `feet`.
//!
//! Bones keep the target's lengths. Where the hips go is scaled about the floor by how tall the hips are. The
//! floor is the plane through the origin, unless the rest pose, or for the source its motion, stands
//! elsewhere. Hands follow by their turns; on request they are brought to where the source's are.

mod bake;
mod body;
mod contact;
mod error;
mod feet;
mod find_roles;
mod foot_lock_keys;
mod hands;
pub(crate) mod joint_names;
mod limb_search;
mod limits;
mod model_pose;
mod pairs;
mod pose_transfer;
mod report;
mod rotation_rules;
mod source_motion;
mod transfer;
mod world_axes;

pub use contact::Contact;
pub use error::RetargetError;
pub use find_roles::{Roles, find_roles};
pub use limits::{BipedLimits, with_biped_limits};
pub use pairs::{NameMap, Pair, check_limbs, names_of_pairs, pair_joints, pairs_from_names};
pub use report::{FootSlideReport, HandReport, NamedPair, RetargetReport};
pub use sinew::skeleton::{Finger, Role, Side};
pub use transfer::{retarget, retarget_watched};

use sinew::Clip;

/// The options of retargeting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetargetOptions {
    /// Whether feet that stand on the source are kept in place.
    pub feet: bool,
    /// Whether hands are brought to where the source's are, seen from between the shoulders and in spans of the
    /// arms.
    pub hands: bool,
    /// In place of the ratio of hip heights.
    pub scale: Option<f32>,
    /// The time of the clip at which the source stands as at rest (in a T pose, say), for files whose own
    /// rest pose is none that a person can stand in.
    pub rest_secs: Option<f64>,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self {
            feet: true,
            hands: false,
            scale: None,
            rest_secs: None,
        }
    }
}

/// A motion for another body, and what was found on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// For the target's skeleton, with the source's key times and some between where a standing foot needs them;
    /// events and curves are the source's.
    pub clip: Clip,
    /// What was found and done.
    pub report: RetargetReport,
}
