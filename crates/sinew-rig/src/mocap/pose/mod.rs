//! Fits the pose of a body to the markers of one frame.

pub(super) mod body;
pub(super) mod bounded;
mod coordinates;
pub(super) mod damping;
pub(super) mod normal;
pub(super) mod pull;
mod rim;
pub(super) mod solve;
pub(super) mod tree;
