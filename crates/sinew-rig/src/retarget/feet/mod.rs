//! Feet that stand on the ground: when they do, and what keeps them there.

pub(super) mod contact;
pub(super) mod foot_lock_keys;
pub(super) mod ground;
