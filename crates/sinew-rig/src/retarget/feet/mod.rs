//! Foot lock: the frames in which feet stand, and the corrections that hold them.

pub(super) mod contact;
pub(super) mod foot_lock_keys;
pub(super) mod ground;
