mod cut;
mod join;
mod joint_curve;
mod key;
mod key_sets;
mod keying;
mod looped;
pub(super) mod mirror;
mod rekey;
mod remap;
mod track_keys;

pub use cut::ClipEditError;
pub use joint_curve::JointPart;
pub use key::{Channel, Key, KeyError, OverLimit};
pub use key_sets::TangentKind;
