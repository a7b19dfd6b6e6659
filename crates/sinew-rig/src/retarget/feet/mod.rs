//! Feet on the ground: when they stand, and the corrections that hold them.

pub(super) mod contact;
pub(super) mod foot_lock_keys;
pub(super) mod ground;
