//! Foot lock: the frames in which feet stand, and the corrections that hold them.

pub(crate) mod contact;
pub(crate) mod foot_lock_keys;
pub(crate) mod ground;
